// What Flink 2.3 printed for small programs over the nine readings (readings.h), at parallelism 1.
//
// Each was run with a watermark after every record, in streaming and (batch=true) in batch mode; the table of the
// programs is in this folder's README.md. Lines are in the order in which Flink printed them.
#pragma once

#include <string>
#include <vector>

namespace thalweg::api {

extern const char* const kFlinkProgramAnswers;

/// The lines of one program; throws if Flink was not asked.
std::vector<std::string> flinkAnswer(const std::string& name);

/// Lines without what depends on how subtasks run beside each other: the order of lines and of the values in one, and which of
/// several watermarks without a record between them is seen.
std::vector<std::string> settled(std::vector<std::string> lines);

}  // namespace thalweg::api
