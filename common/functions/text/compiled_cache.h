// CompiledCache: compiled patterns by their text, for patterns that come from a column.
// Bounded: when it is full, everything is dropped. Threads: one owner.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "common/base/status.h"

namespace thalweg {

template <typename Pattern>
class CompiledCache {
 public:
  static constexpr size_t kPatternsMax = 256;

  /// What compile(key) gave, now or earlier. Valid until the next call.
  template <typename Compile>
  const Result<Pattern>& get(std::string_view key, Compile&& compile) {
    if (last_ && last_->first == key) return last_->second;
    const std::string owned(key);
    auto found = compiled_.find(owned);
    if (found == compiled_.end()) {
      if (compiled_.size() >= kPatternsMax) compiled_.clear();
      found = compiled_.emplace(owned, compile(key)).first;
    }
    last_ = &*found;
    return found->second;
  }

 private:
  std::unordered_map<std::string, Result<Pattern>> compiled_;
  const std::pair<const std::string, Result<Pattern>>* last_ = nullptr;
};

}  // namespace thalweg
