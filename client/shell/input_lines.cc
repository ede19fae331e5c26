#include "client/shell/input_lines.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "client/shell/interrupt.h"

namespace thalweg::shell {
namespace {

constexpr size_t kReadBytes = 64 << 10;

}  // namespace

std::optional<std::string> InputLines::next() {
  size_t searched = start_;
  while (true) {
    const size_t end = buffer_.find('\n', searched);
    if (end != std::string::npos) {
      std::string line = buffer_.substr(start_, end + 1 - start_);
      start_ = end + 1;
      return line;
    }
    buffer_.erase(0, start_);
    start_ = 0;
    searched = buffer_.size();
    if (!fill()) break;
  }
  if (buffer_.empty() || interrupted()) return std::nullopt;
  return std::exchange(buffer_, {});
}

/// Waits for more bytes; false when there are none to come.
bool InputLines::fill() {
  while (!ended_) {
    pollfd waits[] = {{STDIN_FILENO, POLLIN, 0}, {interruptDescriptor(), POLLIN, 0}};
    if (poll(waits, 2, -1) < 0 && errno != EINTR) break;
    if (interrupted()) return false;
    if (waits[0].revents == 0) continue;
    const size_t before = buffer_.size();
    buffer_.resize(before + kReadBytes);
    const ssize_t got = read(STDIN_FILENO, buffer_.data() + before, kReadBytes);
    buffer_.resize(before + static_cast<size_t>(got > 0 ? got : 0));
    if (got > 0) return true;
    ended_ = got == 0 || errno != EINTR;
  }
  return false;
}

}  // namespace thalweg::shell
