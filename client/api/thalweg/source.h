// Source<T, Split>: sources of one's own, in Flink's three parts: an enumerator that finds splits, readers that read
// them, and the source that makes both.
//
//   struct Numbers : Source<int64_t, Range> {
//     Boundedness getBoundedness() const override { return Boundedness::BOUNDED; }
//     std::unique_ptr<SplitEnumerator<Range>> createEnumerator(SplitEnumeratorContext<Range>& ctx) const override;
//     std::unique_ptr<SourceReader<int64_t, Range>> createReader(SourceReaderContext& ctx) const override;
//   };
//   env.fromSource(Numbers(), WatermarkStrategy<int64_t>::noWatermarks(), "numbers");
//
// Splits are values with FieldTraits: numbers, strings, tuples, described structs. A snapshot holds the readers' splits
// (snapshotState) and the enumerator's bytes. A reader without splits is finished once the enumerator has signalled
// that there are no more. Threads: a reader is its subtask's; an enumerator is called from one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "client/api/thalweg/watermarks.h"
#include "common/config/configuration.h"

namespace thalweg::api {

enum class Boundedness : uint8_t { BOUNDED, CONTINUOUS_UNBOUNDED };

enum class InputStatus : uint8_t {
  MORE_AVAILABLE,       ///< poll again
  NOTHING_AVAILABLE,    ///< nothing now: with splits, polled again a little later; without, it gets another split
  END_OF_INPUT,         ///< never anything again
};

/// Where a reader's records go.
template <typename T>
class ReaderOutput {
 public:
  virtual ~ReaderOutput() = default;
  virtual void collect(T record) = 0;
  virtual void collect(T record, int64_t timestamp) = 0;
  virtual void emitWatermark(const Watermark& watermark) = 0;
};

class SourceReaderContext {
 public:
  virtual ~SourceReaderContext() = default;
  virtual int getIndexOfSubtask() const = 0;
  virtual int currentParallelism() const = 0;
  virtual const Configuration& getConfiguration() const = 0;
  virtual int64_t currentProcessingTime() const = 0;
};

template <typename T, typename Split>
class SourceReader {
 public:
  virtual ~SourceReader() = default;
  virtual void start() {}
  virtual InputStatus pollNext(ReaderOutput<T>& output) = 0;
  virtual void addSplits(std::vector<Split> splits) = 0;
  /// Unfinished splits with their positions; adding them to a new reader goes on from there.
  virtual std::vector<Split> snapshotState() = 0;
  virtual void close() {}
};

template <typename Split>
class SplitEnumeratorContext {
 public:
  virtual ~SplitEnumeratorContext() = default;
  virtual int currentParallelism() const = 0;
  virtual void assignSplit(Split split, int subtask) = 0;
  virtual void signalNoMoreSplits(int subtask) = 0;
};

template <typename Split>
class SplitEnumerator {
 public:
  virtual ~SplitEnumerator() = default;
  virtual void start() {}
  /// A reader has nothing to read: assign something to it, or signal that there is no more, or do neither (it asks again).
  virtual void handleSplitRequest(int subtask) = 0;
  virtual void addSplitsBack(std::vector<Split> splits, int subtask) { (void)splits; (void)subtask; }
  virtual std::string snapshotState() = 0;
  virtual void close() {}
};

template <typename T, typename S>
class Source {
 public:
  using Record = T;
  using Split = S;
  virtual ~Source() = default;
  virtual Boundedness getBoundedness() const = 0;
  virtual std::unique_ptr<SplitEnumerator<S>> createEnumerator(SplitEnumeratorContext<S>& context) const = 0;
  /// `state`: what snapshotState() gave.
  virtual std::unique_ptr<SplitEnumerator<S>> restoreEnumerator(SplitEnumeratorContext<S>& context, const std::string& state) const = 0;
  virtual std::unique_ptr<SourceReader<T, S>> createReader(SourceReaderContext& context) const = 0;
};

}  // namespace thalweg::api
