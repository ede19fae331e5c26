#include "client/shell/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <poll.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <filesystem>

#include "client/shell/interrupt.h"
#include "common/sql/script.h"

namespace thalweg::shell {
namespace {

constexpr int kHistoryMax = 2000;
constexpr const char* kIndent = "    ";

std::string historyPath() {
  const char* state = std::getenv("XDG_STATE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder = state ? std::filesystem::path(state) : std::filesystem::path(home ? home : ".") / ".local" / "state";
  folder /= "thalweg";
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  return (folder / "sql_history").string();
}

/// A new history that is bounded and knows no line twice.
History* emptyHistory() {
  History* const made = history_init();
  HistEvent event;
  history(made, &event, H_SETSIZE, kHistoryMax);
  history(made, &event, H_SETUNIQUE, 1);
  return made;
}

/// Adds a statement to what the file holds by now: shells that run at once keep each other's. The file is replaced as a
/// whole, so that none is lost when the program is ended. What fails is no reason to disturb the user.
void appendToHistory(const std::string& path, const char* statement) {
  const int lock = open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock == -1) return;
  flock(lock, LOCK_EX);
  History* const kept = emptyHistory();
  HistEvent event;
  history(kept, &event, H_LOAD, path.c_str());
  history(kept, &event, H_ENTER, statement);
  const std::string next = path + ".new";
  std::error_code ignored;
  if (history(kept, &event, H_SAVE, next.c_str()) >= 0) std::filesystem::rename(next, path, ignored);
  history_end(kept);
  close(lock);
}

/// Reads a character of the terminal's encoding: 1, 0 at the end of input, -1 once Ctrl-C is pressed. libedit's own
/// reader misses a Ctrl-C that comes while it is not waiting, or that another thread gets.
int readCharacter(EditLine*, wchar_t* character) {
  std::mbstate_t state = {};
  while (true) {
    pollfd waits[] = {{STDIN_FILENO, POLLIN, 0}, {interruptDescriptor(), POLLIN, 0}};
    if (poll(waits, 2, -1) < 0 && errno == EINTR) continue;   // if it was Ctrl-C, the second is readable now
    if (interrupted()) return -1;
    char byte = 0;
    const ssize_t got = read(STDIN_FILENO, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return 0;
    const size_t length = std::mbrtowc(character, &byte, 1, &state);
    if (length == static_cast<size_t>(-2)) continue;          // more bytes of it to come
    if (length == static_cast<size_t>(-1)) *character = L'?';
    return 1;
  }
}

std::string commonPrefix(const std::vector<std::string>& words) {
  std::string prefix = words[0];
  for (const std::string& word : words) {
    size_t same = 0;
    while (same < prefix.size() && same < word.size() && prefix[same] == word[same]) ++same;
    prefix.resize(same);
  }
  return prefix;
}

}  // namespace

struct LineEditor::Impl {
  EditLine* line = nullptr;
  History* history = nullptr;
  Completer completer;
  std::string history_file;
  bool continued = false;
  std::string earlier;      // the statement's lines before this one

  static Impl* of(EditLine* editor) {
    void* data = nullptr;
    el_get(editor, EL_CLIENTDATA, &data);
    return static_cast<Impl*>(data);
  }

  static char* prompt(EditLine* editor) {
    static char first[] = "thalweg> ";
    static char more[] = "      -> ";
    return of(editor)->continued ? more : first;
  }

  static unsigned char complete(EditLine* editor, int) {
    const LineInfo* info = el_line(editor);
    const std::string line(info->buffer, info->cursor);
    if (line.empty() || line.back() == ' ') return el_insertstr(editor, kIndent) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;   // of text that is pasted, too
    const std::string before = of(editor)->earlier + line;
    const Completion completion = of(editor)->completer(before, std::string(info->cursor, info->lastchar));
    const std::vector<std::string>& words = completion.words;
    if (words.empty()) return CC_REFRESH_BEEP;
    std::string common = commonPrefix(words);
    if (words.size() == 1) common += completion.suffix;
    if (common.size() > completion.typed) {
      const std::string typed = line.substr(line.size() - std::min(line.size(), completion.typed));
      el_deletestr(editor, static_cast<int>(std::ranges::count_if(typed, [](char c) { return (c & 0xC0) != 0x80; })));   // characters
      if (el_insertstr(editor, common.c_str()) != 0) return CC_REFRESH_BEEP;
      return CC_REFRESH;
    }
    std::fputc('\n', stdout);
    for (const std::string& word : words) std::fprintf(stdout, "%s  ", word.c_str());
    std::fputc('\n', stdout);
    return CC_REDISPLAY;
  }
};

LineEditor::LineEditor(Completer completer) : impl_(std::make_unique<Impl>()) {
  impl_->completer = std::move(completer);
  impl_->history_file = historyPath();
  impl_->history = emptyHistory();
  HistEvent event;
  history(impl_->history, &event, H_LOAD, impl_->history_file.c_str());
  if (std::setlocale(LC_CTYPE, "") == nullptr || MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");
  impl_->line = el_init("thalweg", stdin, stdout, stderr);
  el_set(impl_->line, EL_GETCFN, &readCharacter);
  el_set(impl_->line, EL_CLIENTDATA, impl_.get());
  el_set(impl_->line, EL_PROMPT, &Impl::prompt);
  el_set(impl_->line, EL_EDITOR, "emacs");
  el_set(impl_->line, EL_HIST, history, impl_->history);
  el_set(impl_->line, EL_ADDFN, "complete-word", "completes the word before the cursor", &Impl::complete);
  el_set(impl_->line, EL_BIND, "^I", "complete-word", nullptr);
  el_set(impl_->line, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_set(impl_->line, EL_SIGNAL, 0);
}

LineEditor::~LineEditor() {
  el_end(impl_->line);
  history_end(impl_->history);
}

LineEditor::Outcome LineEditor::read(std::string& statement) {
  statement.clear();
  impl_->continued = false;
  while (true) {
    // The terminal is the editor's before the prompt shows: a Ctrl-D answered by a terminal that still gathers lines is lost.
    el_set(impl_->line, EL_PREP_TERM, 1);
    impl_->earlier = statement;
    int length = 0;
    const char* text = el_gets(impl_->line, &length);
    if (text == nullptr || length <= 0) {
      if (!interrupted()) return Outcome::END;
      clearInterrupt();
      el_reset(impl_->line);
      std::fputc('\n', stdout);
      return Outcome::INTERRUPTED;
    }
    statement.append(text, static_cast<size_t>(length));
    if (sql::isStatementComplete(statement)) break;
    impl_->continued = true;
  }
  HistEvent event;
  if (statement.find_first_not_of(" \t\n;") != std::string::npos) {
    history(impl_->history, &event, H_ENTER, statement.c_str());
    appendToHistory(impl_->history_file, statement.c_str());
  }
  return Outcome::STATEMENT;
}

}  // namespace thalweg::shell
