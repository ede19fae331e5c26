// What is known of jobs and workers, in Flink's JSON. Texts, so that the JSON library stays in the .cc file.
// Threads: pure.
#pragma once

#include <cstdint>
#include <string>

namespace thalweg::v1 {
class JobInfo;
class ListJobsReply;
class OverviewReply;
class WorkerInfo;
}  // namespace thalweg::v1

namespace thalweg::coordinator {

std::string overviewJson(const v1::OverviewReply& overview, const v1::ListJobsReply& jobs);
std::string clusterConfigJson(const v1::OverviewReply& overview);
/// Ids and states.
std::string jobIdsJson(const v1::ListJobsReply& jobs);
std::string jobsOverviewJson(const v1::ListJobsReply& jobs, int64_t now_ms);
std::string jobJson(const v1::JobInfo& job, int64_t now_ms);
std::string jobPlanJson(const v1::JobInfo& job);
std::string jobStatusJson(const v1::JobInfo& job);
/// The newest `count` exceptions.
std::string exceptionsJson(const v1::JobInfo& job, size_t count);
std::string checkpointsJson(const v1::JobInfo& job);
std::string workersJson(const v1::OverviewReply& overview, int64_t now_ms);
std::string workerJson(const v1::WorkerInfo& worker, int64_t now_ms);

/// Stable for a job: 32 hexadecimal digits.
std::string vertexId(const v1::JobInfo& job, int vertex);
/// -1: there is none.
int findVertex(const v1::JobInfo& job, const std::string& id);
std::string vertexJson(const v1::JobInfo& job, int vertex, int64_t now_ms);
std::string vertexWatermarksJson(const v1::JobInfo& job, int vertex);
std::string vertexBackPressureJson(const v1::JobInfo& job, int vertex, int64_t now_ms);
std::string vertexWorkersJson(const v1::JobInfo& job, int vertex, int64_t now_ms);
std::string subtaskJson(const v1::JobInfo& job, int vertex, int subtask, int64_t now_ms);

}  // namespace thalweg::coordinator
