#include "client/api/thalweg/collection_source.h"

namespace thalweg::api {

void SequenceStage::addSplit(std::string split) {
  const size_t colon = split.find(':');
  next_ = std::stoll(split.substr(0, colon));
  last_ = std::stoll(split.substr(colon + 1));
}

SourceStage::Poll SequenceStage::poll(size_t wanted) {
  for (size_t i = 0; i < wanted && next_ <= last_; ++i) chunk_.records.push_back(next_++);
  return next_ <= last_ ? Poll::MORE : Poll::NEED_SPLIT;
}

void SequenceStage::flush() {
  out_.records(chunk_);
  chunk_.clear();
}

void SequenceStage::snapshotSplits(std::vector<std::string>& splits) {
  if (next_ <= last_) splits.push_back(std::to_string(next_) + ":" + std::to_string(last_));
}

std::vector<std::string> sequenceSplits(int64_t from, int64_t to, int parts) {
  std::vector<std::string> splits;
  const auto count = static_cast<uint64_t>(to) - static_cast<uint64_t>(from) + 1;
  auto next = static_cast<uint64_t>(from);
  for (int i = 0; i < parts; ++i) {
    const uint64_t share = count / static_cast<uint64_t>(parts) + (static_cast<uint64_t>(i) < count % static_cast<uint64_t>(parts) ? 1 : 0);
    if (share == 0) continue;
    splits.push_back(std::to_string(static_cast<int64_t>(next)) + ":" + std::to_string(static_cast<int64_t>(next + share - 1)));
    next += share;
  }
  return splits;
}

}  // namespace thalweg::api
