#include <iostream>
#include <mutex>

#include "client/api/thalweg/basic_stages.h"

namespace thalweg::api {

void LinePrinter::open(StageRuntime& runtime) {
  const std::string subtask = runtime.parallelism() > 1 ? std::to_string(runtime.subtaskIndex() + 1) : "";
  start_ = prefix_;
  if (!subtask.empty()) start_ += (prefix_.empty() ? "" : ":") + subtask;
  if (!start_.empty()) start_ += "> ";
}

void LinePrinter::add(const std::string& text) {
  lines_ += start_;
  lines_ += text;
  lines_ += '\n';
}

void LinePrinter::flush() {
  static std::mutex whole_lines;
  const std::scoped_lock lock(whole_lines);
  std::ostream& stream = to_error_ ? std::cerr : std::cout;
  stream << lines_ << std::flush;
  lines_.clear();
}

}  // namespace thalweg::api
