// LineEditor: reading statements from a terminal, with history and completion (libedit).
//
// A statement may span lines; it is complete when it ends with `;` outside of quotes and comments. History is kept in
// the user's state folder, each statement before it runs. Threads: the shell's.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "client/shell/completion.h"

namespace thalweg::shell {

class LineEditor {
 public:
  /// Gives the words that may stand at the cursor, between the statement so far and the rest of the line.
  using Completer = std::function<Completion(const std::string& before, const std::string& after)>;

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
