// The options that all json formats share, read once. Threads: values.
#pragma once

#include "common/formats/format_options.h"
#include "common/formats/json/json_column.h"

namespace thalweg::format {

inline JsonSettings jsonSettings(const FormatOptions& options) {
  JsonSettings settings;
  settings.rules.timestamp_separator = options.getEnum("timestamp-format.standard") == "ISO-8601" ? 'T' : ' ';
  settings.ignore_errors = options.flag("ignore-parse-errors");
  settings.fail_on_missing = options.flag("fail-on-missing-field");
  return settings;
}

}  // namespace thalweg::format
