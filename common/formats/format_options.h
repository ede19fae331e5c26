// FormatOptions: the options of one format among a table's options, with the defaults of its descriptor.
//
// The planner has checked their form. Threads: immutable values; refers to the map it was made from.
#pragma once

#include <string>
#include <string_view>

#include "common/base/status.h"
#include "common/plan/operator_spec.h"

namespace thalweg::format {

class FormatOptions {
 public:
  FormatOptions(std::string_view format, const OptionMap& options) : format_(format), options_(options) {}

  bool has(std::string_view key) const { return options_.contains(fullKey(key)); }
  std::string get(std::string_view key) const;
  /// In upper case.
  std::string getEnum(std::string_view key) const;
  bool flag(std::string_view key) const;
  /// A CHARACTER option as the bytes it stands for: `\t` is a tab. Empty if not set and without default.
  std::string character(std::string_view key) const;

 private:
  std::string fullKey(std::string_view key) const { return std::string(format_).append(".").append(key); }

  std::string_view format_;
  const OptionMap& options_;
};

/// Whether csv options go together.
Status checkCsvOptions(const FormatOptions& options);

}  // namespace thalweg::format
