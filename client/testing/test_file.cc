#include "client/testing/test_file.h"

#include <array>
#include <sstream>

namespace thalweg::testing {
namespace {

constexpr std::string_view kSection = "--- ";

bool startsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

std::string joined(const std::vector<std::string>& lines, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) {
    text += lines[i];
    text += '\n';
  }
  return text;
}

/// A query's text without the last semicolon and blank lines around it; comment lines stay (SQL comments).
std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  if (!text.empty() && text.back() == ';') text.pop_back();
  return text;
}

class Parser {
 public:
  Parser(const std::string& path, const std::string& text) {
    file_.path = path;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) file_.lines.push_back(line);
  }

  Result<TestFile> parse() {
    size_t at = 0;
    while (at < file_.lines.size() && !startsWith(file_.lines[at], kSection)) ++at;
    while (at < file_.lines.size()) {
      size_t end = at + 1;
      while (end < file_.lines.size() && !startsWith(file_.lines[end], kSection)) ++end;
      RETURN_IF_ERROR(section(at, end));
      at = end;
    }
    if (query_open_) return error(file_.lines.size(), "a query without an expect section");
    return std::move(file_);
  }

 private:
  Status error(size_t line, const std::string& what) const {
    return Status::invalid(file_.path + ", line " + std::to_string(line) + ": " + what);
  }

  Status section(size_t at, size_t end) {
    const std::string head = file_.lines[at].substr(kSection.size());
    if (startsWith(head, "file ")) {
      std::string content = joined(file_.lines, at + 1, end);
      if (content.empty()) content = "\n";  // one empty line: files end in a line break
      file_.files.push_back({head.substr(5), std::move(content)});
    } else if (head == "sql") {
      file_.setup.push_back(joined(file_.lines, at + 1, end));
    } else if (head == "mode streaming" || head == "mode batch") {
      batch_ = head == "mode batch";
    } else if (head == "query" || head == "query streaming" || head == "query batch") {
      query_ = TestCase();
      query_.query = trimmed(joined(file_.lines, at + 1, end));
      query_.query_line = static_cast<int>(at) + 1;
      query_.batch = head == "query" ? batch_ : head == "query batch";
      query_.setup_count = file_.setup.size();
      query_.file_count = file_.files.size();
      query_open_ = true;
    } else if (startsWith(head, "expect ")) {
      if (!query_open_) return error(at + 1, "an expect section without a query before it");
      RETURN_IF_ERROR(expect(head.substr(7), at, end));
    } else {
      return error(at + 1, "unknown section '" + head + "'; expected file, sql, mode, query or expect");
    }
    return {};
  }

  Status expect(const std::string& kind, size_t at, size_t end) {
    static constexpr std::array kKinds = {ExpectKind::ORDERED,     ExpectKind::UNORDERED,  ExpectKind::TABLE,
                                          ExpectKind::SCHEMA,      ExpectKind::ERROR_PARSE, ExpectKind::ERROR_PLAN,
                                          ExpectKind::ERROR_RUNTIME};
    bool found = false;
    for (const ExpectKind known : kKinds) {
      if (expectKindText(known) != kind) continue;
      query_.kind = known;
      found = true;
    }
    if (!found) return error(at + 1, "unknown kind of answer '" + kind + "'");
    query_.expect_begin = at + 1;
    query_.expect_end = end;
    if (query_.kind < ExpectKind::ERROR_PARSE) {
      for (size_t i = at + 1; i < end; ++i) {
        if (i == at + 1) query_.schema = file_.lines[i];
        else query_.rows.push_back(file_.lines[i]);
      }
      while (!query_.rows.empty() && query_.rows.back().empty()) query_.rows.pop_back();
    }
    file_.cases.push_back(std::move(query_));
    query_open_ = false;
    return {};
  }

  TestFile file_;
  TestCase query_;
  bool query_open_ = false;
  bool batch_ = false;
};

}  // namespace

std::string_view expectKindText(ExpectKind kind) {
  static constexpr std::array<std::string_view, 7> kTexts = {"ordered",     "unordered",  "table",        "schema",
                                                             "error parse", "error plan", "error runtime"};
  return kTexts[static_cast<size_t>(kind)];
}

Result<TestFile> parseTestFile(const std::string& path, const std::string& text) { return Parser(path, text).parse(); }

}  // namespace thalweg::testing
