// TableSubPlan: a planned table query as a node of a stream graph.
//
// Scans whose SourceSpec has the connector kStreamConnector read the node's input number `input` (an option); one
// CollectSpec sink at most stands for the node's output. For the table bridge and the translator only.
#pragma once

#include "common/plan/job_graph.h"

namespace thalweg::api {

inline constexpr std::string_view kStreamConnector = "datastream";
inline constexpr std::string_view kStreamInputOption = "input";

struct TableSubPlan {
  JobGraph job;
};

}  // namespace thalweg::api
