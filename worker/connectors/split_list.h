// SplitList: the enumerator of a source whose splits are all known at the start, and the text form of splits.
//
// Splits are handed out in order to whoever asks. What a snapshot remembers is those not yet handed out.
// Errors: bytes that are no encoded fields give INTERNAL. Threads: as SplitEnumerator.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "common/runtime_api/source.h"

namespace thalweg::worker {

/// Any strings as one string: each as `length:bytes`.
std::string encodeFields(const std::vector<std::string>& fields);
Result<std::vector<std::string>> decodeFields(std::string_view bytes);
/// The same, refusing another count of fields; `what` names the split in the message.
Result<std::vector<std::string>> decodeFields(std::string_view bytes, size_t count, std::string_view what);
Result<int64_t> decodeNumber(std::string_view field, std::string_view what);

class SplitList : public SplitEnumerator {
 public:
  explicit SplitList(std::vector<std::string> splits) : splits_(splits.begin(), splits.end()) {}

  Result<Next> next(int subtask, int parallelism) override;
  void giveBack(std::string split) override { splits_.push_front(std::move(split)); }
  Status snapshot(std::string& out) override;
  Status restore(const std::string& bytes) override;

 private:
  std::deque<std::string> splits_;
};

}  // namespace thalweg::worker
