// LineEditor: reading statements from a terminal, with history and completion (libedit).
//
// A statement may span lines; it is complete when it ends with `;` outside of quotes and comments. History is kept in
// the user's state folder, each statement before it runs. Threads: the shell's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace thalweg::shell {

class LineEditor {
 public:
  /// Gives the words that may stand where `prefix` ends; `line` is everything before the cursor.
  using Completer = std::function<std::vector<std::string>(const std::string& line, const std::string& prefix)>;

  explicit LineEditor(Completer completer);
  ~LineEditor();

  enum class Outcome { STATEMENT, INTERRUPTED, END };
  /// The next whole statement. INTERRUPTED: Ctrl-C dropped what was typed. END: end of input.
  Outcome read(std::string& statement);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg::shell
