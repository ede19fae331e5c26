#include "client/testing/answer_check.h"

#include <algorithm>
#include <map>

namespace thalweg::testing {
namespace {

/// Reads `{…}` at `at` (past the brace), its entries sorted; nested braces first.
std::string sortedBraces(const std::string& text, size_t& at) {
  std::vector<std::string> entries;
  std::string entry;
  int brackets = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '{') {
      ++at;
      entry += "{" + sortedBraces(text, at);
      continue;
    }
    if (c == '}' && brackets == 0) {
      ++at;
      break;
    }
    if (c == '[') ++brackets;
    if (c == ']') --brackets;
    if (brackets < 0) break;
    if (c == ',' && brackets == 0 && at + 1 < text.size() && text[at + 1] == ' ') {
      entries.push_back(std::move(entry));
      entry.clear();
      at += 2;
      continue;
    }
    entry += c;
    ++at;
  }
  if (!entry.empty() || !entries.empty()) entries.push_back(std::move(entry));
  std::sort(entries.begin(), entries.end());
  std::string out;
  for (size_t i = 0; i < entries.size(); ++i) out += (i > 0 ? ", " : "") + entries[i];
  return out + "}";
}

bool beginsRow(const std::string& line) {
  return line.size() > 2 && (line[0] == '+' || line[0] == '-') && (line[1] == 'I' || line[1] == 'U' || line[1] == 'D') && line[2] == '[';
}

/// Rows in canonical form. A value may hold line feeds, so a line that does not begin a row belongs to the one before.
std::vector<std::string> canonicalRows(const std::vector<std::string>& lines) {
  std::vector<std::string> rows;
  for (const std::string& line : lines) {
    if (rows.empty() || beginsRow(line)) rows.push_back(line);
    else rows.back() += "\n" + line;
  }
  for (std::string& row : rows) row = canonicalRow(row);
  return rows;
}

std::string difference(const std::vector<std::string>& expected, const std::vector<std::string>& actual) {
  std::string text;
  const size_t lines = std::max(expected.size(), actual.size());
  size_t shown = 0;
  for (size_t i = 0; i < lines && shown < 12; ++i) {
    const std::string* want = i < expected.size() ? &expected[i] : nullptr;
    const std::string* got = i < actual.size() ? &actual[i] : nullptr;
    if (want && got && *want == *got) continue;
    if (want) text += "    expected " + *want + "\n";
    if (got) text += "    found    " + *got + "\n";
    ++shown;
  }
  if (shown == 12) text += "    …\n";
  return text;
}

/// The same of rows whose order does not count, both sorted: what is missing, then what is too much.
std::string differenceOfSets(const std::vector<std::string>& expected, const std::vector<std::string>& actual) {
  std::vector<std::string> missing;
  std::vector<std::string> unexpected;
  std::set_difference(expected.begin(), expected.end(), actual.begin(), actual.end(), std::back_inserter(missing));
  std::set_difference(actual.begin(), actual.end(), expected.begin(), expected.end(), std::back_inserter(unexpected));
  return difference(missing, unexpected);
}

CheckResult wrong(std::string text) { return {Verdict::WRONG, std::move(text)}; }

CheckResult checkError(const TestCase& expected, const Answer& answer) {
  if (!answer.failed) return wrong("    expected " + std::string(expectKindText(expected.kind)) + "\n    found    an answer of " +
                                   std::to_string(answer.rows.size()) + " rows\n");
  if (answer.error_phase == expected.kind || (answer.not_supported && expected.kind == ExpectKind::ERROR_PLAN)) return {};
  return {answer.not_supported ? Verdict::UNSUPPORTED : Verdict::WRONG,
          "    expected " + std::string(expectKindText(expected.kind)) + "\n    found    " +
              std::string(expectKindText(answer.error_phase)) + ": " + answer.message + "\n"};
}

}  // namespace

std::string canonicalRow(const std::string& given) {
  // Recorded answers have lost the difference between a carriage return and a line feed.
  std::string row = given;
  std::replace(row.begin(), row.end(), '\r', '\n');
  if (row.find('{') == std::string::npos) return row;
  std::string out;
  size_t at = 0;
  while (at < row.size()) {
    if (row[at] == '{') {
      ++at;
      out += "{" + sortedBraces(row, at);
    } else {
      out += row[at++];
    }
  }
  return out;
}

std::string canonicalSchema(const std::string& schema) {
  std::string text = schema;
  for (const std::string_view mark : {" *ROWTIME*", " *PROCTIME*"}) {
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) text.erase(at, mark.size());
  }
  return text;
}

std::vector<std::string> applyChangelog(const std::vector<std::string>& messages, std::string& problem) {
  std::map<std::string, int64_t> table;
  for (const std::string& message : messages) {
    const std::string row = message.size() > 2 ? message.substr(2) : message;
    const bool retract = message.rfind("-", 0) == 0;
    int64_t& count = table[row];
    if (retract && count == 0 && problem.empty()) problem = message + " retracts a row that is not there";
    count += retract ? -1 : 1;
  }
  std::vector<std::string> rows;
  for (const auto& [row, count] : table) {
    for (int64_t i = 0; i < count; ++i) rows.push_back("+I" + row);
  }
  return rows;
}

CheckResult checkAnswer(const TestCase& expected, const Answer& answer, bool table_only) {
  if (expected.kind >= ExpectKind::ERROR_PARSE) return checkError(expected, answer);
  if (answer.failed) {
    return {answer.not_supported ? Verdict::UNSUPPORTED : Verdict::WRONG,
            "    expected an answer\n    found    " + std::string(expectKindText(answer.error_phase)) + ": " + answer.message + "\n"};
  }
  const std::string want_schema = canonicalSchema(expected.schema);
  const std::string got_schema = canonicalSchema(answer.schema);
  if (want_schema != got_schema) return wrong("    expected schema " + want_schema + "\n    found schema    " + got_schema + "\n");
  if (expected.kind == ExpectKind::SCHEMA) return {};

  auto want = canonicalRows(expected.rows);
  auto got = canonicalRows(answer.rows);
  if (expected.kind == ExpectKind::ORDERED && !table_only) {
    return want == got ? CheckResult{} : wrong(difference(want, got));
  }
  std::string problem;
  auto got_table = applyChangelog(got, problem);
  if (expected.kind == ExpectKind::UNORDERED && !table_only) {
    std::sort(want.begin(), want.end());
    std::sort(got.begin(), got.end());
    if (want != got) return wrong(differenceOfSets(want, got));
    return problem.empty() ? CheckResult{} : wrong("    " + problem + "\n");
  }
  std::string ignored;
  auto want_table = applyChangelog(want, ignored);
  if (want_table != got_table) return wrong(differenceOfSets(want_table, got_table));
  return problem.empty() ? CheckResult{} : wrong("    " + problem + "\n");
}

}  // namespace thalweg::testing
