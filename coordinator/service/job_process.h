// One task process of an attempt, as its job sees it. For the files of Job only.
#pragma once

#include <memory>
#include <string>

#include "coordinator/service/job.h"

namespace thalweg::coordinator {

struct Job::Process {
  int number = 0;
  std::string worker;
  int slots = 0;
  std::shared_ptr<RpcStream> stream;
  std::string exchange_address;
  bool ready = false;
  bool finished = false;
  bool ended = false;
  bool exited = false;
  int64_t heard_ms = 0;
  std::unique_ptr<v1::TaskReport> report;        // the newest; null: none yet
};

}  // namespace thalweg::coordinator
