// DataGeneratorSource: records made up by a function of their number, or by a generator object; as fast as wanted.
//
//   env.fromSource(DataGeneratorSource([](int64_t i) { return "n" + std::to_string(i); }, 1000, RateLimiterStrategy::perSecond(100)),
//                  WatermarkStrategy<std::string>::noWatermarks(), "generator");
//   env.addSource(DataGeneratorSource(MyGenerator(), 10, 100));      // the older form: rows per second, number of rows
//
// A generator object has hasNext() and next(), and may have open(index, parallelism). Each subtask has its own, and its
// share of the number of rows. Threads: the stage's.
#pragma once

#include <limits>

#include "client/api/thalweg/source_stage.h"

namespace thalweg::api {

struct RateLimiterStrategy {
  double per_second = 0;              ///< of all subtasks together; 0: no limit
  static RateLimiterStrategy perSecond(double records);
  static RateLimiterStrategy noOp() { return {}; }
};

/// The base to derive generators from; any class with these methods will do.
template <typename T>
class DataGenerator {
 public:
  virtual ~DataGenerator() = default;
  virtual void open(int subtask, int parallelism) { (void)subtask; (void)parallelism; }
  virtual bool hasNext() = 0;
  virtual T next() = 0;
};

template <typename G>
concept RecordGenerator = requires(G& generator) { generator.hasNext(); generator.next(); };

template <typename G>
struct GeneratedRecordOf {
  using type = std::remove_cvref_t<std::invoke_result_t<G&, int64_t>>;
};
template <typename G>
  requires RecordGenerator<G>
struct GeneratedRecordOf<G> {
  using type = std::remove_cvref_t<decltype(std::declval<G&>().next())>;
};

template <typename G>
class DataGeneratorSource {
 public:
  using Record = typename GeneratedRecordOf<G>::type;
  static constexpr int64_t kForever = std::numeric_limits<int64_t>::max();
  /// `generator(index)` for 0 … count − 1.
  DataGeneratorSource(G generator_in, int64_t count_in, RateLimiterStrategy rate = {}) requires(!RecordGenerator<G>)
      : generator_(std::move(generator_in)), count_(count_in), per_second_(rate.per_second) {}
  explicit DataGeneratorSource(G generator_in) requires RecordGenerator<G> : generator_(std::move(generator_in)) {}
  DataGeneratorSource(G generator_in, int64_t rows_per_second, int64_t number_of_rows = kForever) requires RecordGenerator<G>
      : generator_(std::move(generator_in)), count_(number_of_rows), per_second_(static_cast<double>(rows_per_second)) {}

  const G& generator() const { return generator_; }
  int64_t count() const { return count_; }
  double perSecond() const { return per_second_; }
  Boundedness getBoundedness() const {
    return RecordGenerator<G> && count_ == kForever ? Boundedness::CONTINUOUS_UNBOUNDED : Boundedness::BOUNDED;
  }

 private:
  G generator_;
  int64_t count_ = kForever;
  double per_second_ = 0;
};

/// How many records may be made by now, at so many a second since the first call.
class RateLimit {
 public:
  void begin(double per_second, int64_t now_ms);
  /// At most `wanted`; 0: not before waitMs().
  size_t allowed(size_t wanted, int64_t now_ms) const;
  int64_t waitMs(int64_t now_ms) const;
  void take(size_t records) { taken_ += static_cast<double>(records); }

 private:
  double per_second_ = 0;
  int64_t begin_ms_ = 0;
  double taken_ = 0;
};

/// Splits are ranges of indexes: `next:last`.
template <typename G>
class GeneratorStage final : public GatheringSource<typename GeneratedRecordOf<G>::type> {
  using Poll = SourceStage::Poll;

 public:
  explicit GeneratorStage(DataGeneratorSource<G> source) : source_(std::move(source)), generator_(source_.generator()) {}
  void open(StageRuntime& runtime) override {
    GatheringSource<typename GeneratedRecordOf<G>::type>::open(runtime);
    rate_.begin(source_.perSecond() / runtime.parallelism(), runtime.nowMillis());
    if constexpr (requires { generator_.open(0, 1); }) generator_.open(runtime.subtaskIndex(), runtime.parallelism());
  }
  void addSplit(std::string split) override { std::tie(next_, last_) = valueOf<std::tuple<int64_t, int64_t>>(split); }
  Poll poll(size_t wanted) override {
    if (next_ > last_) return Poll::NEED_SPLIT;
    const int64_t now = this->runtime_->nowMillis();
    const size_t allowed = rate_.allowed(wanted, now);
    if (allowed == 0) return this->idleFor(rate_.waitMs(now));
    size_t made = 0;
    for (; made < allowed && next_ <= last_; ++made, ++next_) {
      if constexpr (RecordGenerator<G>) {
        if (!generator_.hasNext()) {
          next_ = last_ + 1;
          break;
        }
        this->collect(generator_.next());
      } else {
        this->collect(generator_(next_));
      }
    }
    rate_.take(made);
    return next_ <= last_ ? Poll::MORE : Poll::NEED_SPLIT;
  }
  void snapshotSplits(std::vector<std::string>& splits) override {
    if (next_ <= last_) splits.push_back(bytesOf(std::tuple(next_, last_)));
  }

 private:
  DataGeneratorSource<G> source_;
  G generator_;
  RateLimit rate_;
  int64_t next_ = 0;
  int64_t last_ = -1;
};

/// Gives each subtask its share of `count` numbers, once.
std::unique_ptr<thalweg::SplitEnumerator> shareEnumerator(int64_t count);

}  // namespace thalweg::api
