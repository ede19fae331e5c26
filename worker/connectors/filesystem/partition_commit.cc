#include "worker/connectors/filesystem/partition_commit.h"

#include <algorithm>

#include "common/config/config_value.h"
#include "common/plan/catalog/option_spec.h"
#include "common/types/dates/datetime_text.h"
#include "worker/connectors/filesystem/file_listing.h"

namespace thalweg::worker {
namespace {

constexpr std::string_view kKind = "sink.partition-commit.policy.kind";

/// `$column` in the pattern becomes the column's value.
std::string filledIn(std::string pattern, const std::map<std::string, std::string>& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const std::string& name : names) {
    const std::string key = "$" + name;
    for (size_t at = pattern.find(key); at != std::string::npos; at = pattern.find(key, at)) {
      pattern.replace(at, key.size(), values.at(name));
      at += values.at(name).size();
    }
  }
  return pattern;
}

}  // namespace

Result<std::optional<PartitionCommit>> PartitionCommit::of(const SinkSpec& spec) {
  const std::string kinds = optionValue(spec.options, kKind);
  if (kinds.empty() || spec.partition_keys.empty()) return std::optional<PartitionCommit>();
  if (kinds != "success-file") {
    return Status::notSupported("'" + std::string(kKind) + "' = '" + kinds + "'; only 'success-file' is built");
  }
  if (optionValue(spec.options, "partition.time-extractor.timestamp-formatter", "yyyy-MM-dd HH:mm:ss") != "yyyy-MM-dd HH:mm:ss") {
    return Status::notSupported("'partition.time-extractor.timestamp-formatter' other than yyyy-MM-dd HH:mm:ss");
  }
  PartitionCommit commit;
  commit.by_partition_time_ = optionValue(spec.options, "sink.partition-commit.trigger", "process-time") == "partition-time";
  ASSIGN_OR_RETURN(const auto delay, parseConfigDuration(optionValue(spec.options, "sink.partition-commit.delay", "0 s")));
  commit.delay_ms_ = std::chrono::duration_cast<std::chrono::milliseconds>(delay).count();
  commit.pattern_ = optionValue(spec.options, "partition.time-extractor.timestamp-pattern");
  if (commit.pattern_.empty()) commit.pattern_ = "$" + spec.partition_keys[0];
  ASSIGN_OR_RETURN(commit.zone_, TimeZone::of(optionValue(spec.options, "sink.partition-commit.watermark-time-zone", "UTC")));
  commit.success_file_ = optionValue(spec.options, "sink.partition-commit.success-file.name", "_SUCCESS");
  return std::optional<PartitionCommit>(std::move(commit));
}

Result<std::vector<std::string>> PartitionCommit::takeDue(int64_t now_ms, bool finished) {
  std::vector<std::string> due;
  for (const auto& [partition, first_seen_ms] : first_seen_) {
    bool is_due = finished;
    if (!is_due) {
      ASSIGN_OR_RETURN(is_due, isDue(partition, first_seen_ms, now_ms));
    }
    if (is_due) due.push_back(partition);
  }
  for (const std::string& partition : due) first_seen_.erase(partition);
  return due;
}

Result<bool> PartitionCommit::isDue(const std::string& partition, int64_t first_seen_ms, int64_t now_ms) const {
  if (!by_partition_time_) return now_ms >= first_seen_ms + delay_ms_;
  if (watermark_ == kMinWatermark) return false;
  ASSIGN_OR_RETURN(const int64_t time_ms, timeOf(partition));
  return zone_.toLocalMs(watermark_) > time_ms + delay_ms_;
}

Result<int64_t> PartitionCommit::timeOf(const std::string& partition) const {
  // partitionValuesOf() takes a file's path: whatever name stands behind the last folder.
  const std::string text = filledIn(pattern_, partitionValuesOf("", "/" + partition + "/file"));
  if (const auto time = parseTimestamp(text)) return time->millis;
  if (const auto date = parseDate(text)) return millisOf(*date, 0);
  return Status::runtime("partition '" + partition + "': expected a time as yyyy-MM-dd HH:mm:ss or yyyy-MM-dd, found '" + text +
                         "'; set 'partition.time-extractor.timestamp-pattern'");
}

}  // namespace thalweg::worker
