// PatternCache: a date pattern that arrives row by row, compiled again only when its text changes.
#pragma once

#include <optional>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

/// Pattern: DatePattern or LegacyDatePattern.
template <typename Pattern>
class PatternCache {
 public:
  /// The compiled pattern; null if its text is none. Valid until the next call.
  const Pattern* find(std::string_view text) {
    if (!is_known_ || text_ != text) {
      text_ = text;
      is_known_ = true;
      compiled_ = Pattern::compile(text);
    }
    return compiled_.isOk() ? &*compiled_ : nullptr;
  }
  /// The same with the failure as RUNTIME_ERROR.
  Status of(std::string_view text, const Pattern*& pattern) {
    pattern = find(text);
    return pattern != nullptr ? Status() : Status::runtime(compiled_.status().message());
  }

 private:
  bool is_known_ = false;
  std::string text_;
  Result<Pattern> compiled_ = Status::internal("no pattern yet");
};

}  // namespace thalweg
