// FarProcess: this program again, as the other end of a connection; it is spoken to by its standard output, a line at a
// time. Threads: one caller. Lifetime: the destructor kills what still runs.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "common/base/status.h"

namespace thalweg::bench {

class FarProcess {
 public:
  static Result<std::unique_ptr<FarProcess>> start(std::vector<std::string> arguments);
  ~FarProcess();
  FarProcess(const FarProcess&) = delete;
  FarProcess& operator=(const FarProcess&) = delete;

  /// Waits for it; an error if the process ends without one.
  Result<std::string> readLine();

 private:
  FarProcess(pid_t pid, std::FILE* output) : pid_(pid), output_(output) {}
  const pid_t pid_;
  std::FILE* const output_;
};

}  // namespace thalweg::bench
