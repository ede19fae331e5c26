// Metrics of the cluster in Prometheus' text form, under the names that Flink's reporter gives them. Threads: pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg::v1 {
class JobInfo;
class OverviewReply;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

constexpr const char* kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

/// `jobs`: those that run, with vertices, and those that ended, without.
std::string metricsText(const v1::OverviewReply& overview, const std::vector<v1::JobInfo>& jobs, size_t resident_bytes, int64_t now_ms);

}  // namespace thalweg::coordinator
