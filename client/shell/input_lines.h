// Lines of standard input when it is no terminal: each as soon as it has arrived, so that a statement on a pipe runs
// before the writer closes its end. Threads: one.
#pragma once

#include <optional>
#include <string>

namespace thalweg::shell {

class InputLines {
 public:
  /// The next line with its `\n` (the last may have none); nothing at the end of input or once Ctrl-C is pressed.
  std::optional<std::string> next();

 private:
  bool fill();

  std::string buffer_;
  size_t start_ = 0;     ///< of the next line in buffer_
  bool ended_ = false;
};

}  // namespace thalweg::shell
