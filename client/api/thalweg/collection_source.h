// Sources whose records are known when the program is built: elements, and ranges of numbers.
//
// A collection is one split; a sequence has one for each subtask that asks. A snapshot holds the position.
#pragma once

#include "client/api/thalweg/stage.h"
#include "client/api/thalweg/field_traits.h"

namespace thalweg::api {

template <typename T>
class CollectionStage final : public SourceStage {
 public:
  explicit CollectionStage(std::shared_ptr<const std::vector<T>> records) : records_(std::move(records)) {}
  AnyEmitter* output(int tag) override { return tag == 0 ? &out_ : nullptr; }
  void addSplit(std::string split) override {
    at_ = std::stoull(split);
    reading_ = true;
  }
  Poll poll(size_t wanted) override {
    if (!reading_) return Poll::NEED_SPLIT;
    const size_t end = std::min(records_->size(), at_ + wanted);
    for (; at_ < end; ++at_) chunk_.records.push_back((*records_)[at_]);
    reading_ = at_ < records_->size();
    return reading_ ? Poll::MORE : Poll::NEED_SPLIT;
  }
  size_t pending() const override { return chunk_.records.size(); }
  void flush() override {
    out_.records(chunk_);
    chunk_.clear();
  }
  void snapshotSplits(std::vector<std::string>& splits) override {
    if (reading_) splits.push_back(std::to_string(at_));
  }

 private:
  std::shared_ptr<const std::vector<T>> records_;
  Emitter<T> out_;
  Chunk<T> chunk_;
  size_t at_ = 0;
  bool reading_ = false;
};

/// Numbers from..to, split `next:last`.
class SequenceStage final : public SourceStage {
 public:
  AnyEmitter* output(int tag) override { return tag == 0 ? &out_ : nullptr; }
  void addSplit(std::string split) override;
  Poll poll(size_t wanted) override;
  size_t pending() const override { return chunk_.records.size(); }
  void flush() override;
  void snapshotSplits(std::vector<std::string>& splits) override;

 private:
  Emitter<int64_t> out_;
  Chunk<int64_t> chunk_;
  int64_t next_ = 0;
  int64_t last_ = -1;
};

/// `parts` splits of the numbers from..to.
std::vector<std::string> sequenceSplits(int64_t from, int64_t to, int parts);

}  // namespace thalweg::api
