// The fingerprint of a job graph: equal in two processes exactly if both planned the same job.
//
// It is a hash over a text of the graph — tasks, chains, edges, operators with their uids, descriptions, output types
// and connector options — and the text is kept so that a difference can be named. Threads: pure functions.
#pragma once

#include <string>

#include "common/plan/job_graph.h"

namespace thalweg::coordinator {

/// Line by line what the job is.
std::string canonicalGraphText(const JobGraph& graph);
/// The lines of one operator in it.
std::string canonicalNodeText(const PlanNode& node);
/// 32 hexadecimal digits.
std::string fingerprintOf(const std::string& canonical_text);
/// The first line in which two texts differ, with both versions and the task that it belongs to; empty if they are equal.
std::string firstDifference(const std::string& expected, const std::string& found);

}  // namespace thalweg::coordinator
