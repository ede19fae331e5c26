// RestSource: where REST finds what it tells. Given by the coordinator. Threads: called on the HTTP server's.
#pragma once

#include <functional>
#include <string>

#include "common/base/status.h"

namespace thalweg::v1 {
class JobInfo;
class ListJobsReply;
class OverviewReply;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

struct RestSource {
  std::function<void(v1::ListJobsReply& reply)> list_jobs;
  /// With vertices; NOT_FOUND.
  std::function<Status(const std::string& id, v1::JobInfo& info)> describe_job;
  std::function<void(v1::OverviewReply& reply)> overview;
};

}  // namespace thalweg::coordinator
