#include "client/testing/test_runner.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

#include "client/testing/case_runner.h"

namespace thalweg::testing {
namespace {

namespace fs = std::filesystem;

Result<std::vector<std::string>> testFiles(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
        if (entry.path().extension() == ".test") files.push_back(entry.path().string());
      }
    } else if (fs::exists(path, error)) {
      files.push_back(path);
    } else {
      return Status::notFound("no such file or folder: " + path);
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<TestFile> readTestFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Status::io("cannot read " + path);
  std::ostringstream text;
  text << stream.rdbuf();
  return parseTestFile(path, text.str());
}

/// The answer as lines of an expect section.
std::vector<std::string> recordedLines(const Answer& answer) {
  std::vector<std::string> lines;
  if (answer.failed) {
    lines.push_back(answer.message);
    return lines;
  }
  lines.push_back(answer.schema);
  lines.insert(lines.end(), answer.rows.begin(), answer.rows.end());
  return lines;
}

/// Replaces the expect sections of `file`; answers are in the order of its cases.
Status record(TestFile file, const std::vector<Answer>& answers) {
  for (size_t i = file.cases.size(); i-- > 0;) {
    const TestCase& test = file.cases[i];
    const Answer& answer = answers[i];
    const auto kind = answer.failed ? answer.error_phase : test.kind >= ExpectKind::ERROR_PARSE ? ExpectKind::ORDERED : test.kind;
    auto lines = recordedLines(answer);
    if (!answer.failed && kind == ExpectKind::TABLE) {
      std::string ignored;
      lines = applyChangelog(answer.rows, ignored);
      lines.insert(lines.begin(), answer.schema);
    }
    file.lines[test.expect_begin - 1] = "--- expect " + std::string(expectKindText(kind));
    const auto begin = file.lines.begin() + static_cast<long>(test.expect_begin);
    file.lines.erase(begin, file.lines.begin() + static_cast<long>(test.expect_end));
    file.lines.insert(file.lines.begin() + static_cast<long>(test.expect_begin), lines.begin(), lines.end());
  }
  std::ofstream stream(file.path, std::ios::binary | std::ios::trunc);
  for (const std::string& line : file.lines) stream << line << '\n';
  stream.close();
  return stream ? Status() : Status::io("cannot write " + file.path);
}

bool isSelected(const TestFile& file, const TestCase& test, const std::string& filter) {
  return filter.empty() || test.query.find(filter) != std::string::npos || file.path.find(filter) != std::string::npos;
}

/// `folder/file.test:12`: how a query is named in the list of known failures.
std::string caseName(const TestFile& file, const TestCase& test) {
  const fs::path path(file.path);
  return (path.parent_path().filename() / path.filename()).string() + ":" + std::to_string(test.query_line);
}

/// The names in the lists; one that begins with `~` may pass as well as fail, and is kept with its mark.
Result<std::set<std::string>> readKnownFailures(const std::vector<std::string>& paths) {
  std::set<std::string> known;
  for (const std::string& path : paths) {
    std::ifstream stream(path);
    if (!stream) return Status::io("cannot read " + path);
    for (std::string line; std::getline(stream, line);) {
      if (!line.empty() && line[0] != '#') known.insert(line.substr(0, line.find(' ')));
    }
  }
  return known;
}

/// A streaming query that says nothing of batch mode: it records what streams refuse, or reads or writes a changelog.
bool isForStreamsOnly(const TestCase& test, const Answer& answer) {
  if (test.batch) return false;
  if (test.kind >= ExpectKind::ERROR_PARSE) return true;
  const auto says = [&](std::string_view text) { return answer.failed && answer.message.find(text) != std::string::npos; };
  return says("in batch mode") || says("ON CONFLICT is for queries that update rows");
}

class Runner {
 public:
  Runner(const TestOptions& options, std::ostream& out, std::set<std::string> known) : options_(options), out_(out), known_(std::move(known)) {}

  Status runFile(const std::string& path) {
    auto read = readTestFile(path);
    if (!read.isOk()) {                              // the other files are run all the same
      ++broken_files_;
      out_ << "BROKEN " << read.status().message() << '\n';
      return {};
    }
    const TestFile& file = *read;
    const bool table_only = comparesTablesOnly(options_);
    TestTotals& totals = totals_[fs::path(path).parent_path().filename().string()];
    std::vector<Answer> answers;
    for (const TestCase& test : file.cases) {
      if (!isSelected(file, test, options_.filter)) continue;
      Answer answer = runCase(file, test, options_);
      if (options_.in_batch && isForStreamsOnly(test, answer)) continue;
      const CheckResult result = checkAnswer(test, answer, table_only);
      if (result.verdict == Verdict::PASSED) ++totals.passed;
      else if (result.verdict == Verdict::UNSUPPORTED) ++totals.unsupported;
      else ++totals.wrong;
      note(file, test, result);
      if (options_.record) answers.push_back(std::move(answer));
    }
    if (options_.record && answers.size() == file.cases.size()) return record(file, answers);
    return {};
  }

  bool printTotals() {
    TestTotals all;
    out_ << std::left << std::setw(24) << "folder" << std::right << std::setw(9) << "passed" << std::setw(9) << "wrong" << std::setw(13)
         << "unsupported" << '\n';
    for (const auto& [folder, totals] : totals_) {
      line(folder, totals);
      all.passed += totals.passed;
      all.wrong += totals.wrong;
      all.unsupported += totals.unsupported;
    }
    line("total", all);
    const size_t failed = all.wrong + all.unsupported - known_failed_ + now_passing_ + broken_files_;
    if (!known_.empty()) {
      out_ << known_failed_ << " known failures";
      if (now_passing_ > 0) out_ << ", " << now_passing_ << " of the list now pass: take them off it";
      out_ << '\n';
    }
    if (broken_files_ > 0) out_ << broken_files_ << " files cannot be read as cases, and count as failed\n";
    if (all.total() == 0 && broken_files_ == 0) {
      out_ << "no query was found" << (options_.filter.empty() ? "" : " that fits the filter") << '\n';
      return false;
    }
    out_ << all.passed - now_passing_ << " passed, " << failed << " failed\n";
    return failed == 0;
  }

 private:
  void note(const TestFile& file, const TestCase& test, const CheckResult& result) {
    const bool varies = known_.count("~" + caseName(file, test)) > 0;
    const bool known = varies || known_.count(caseName(file, test)) > 0;
    if (result.verdict == Verdict::PASSED) {
      if (varies) return;
      const bool as_recorded = options_.batch_rows == 0 && !comparesTablesOnly(options_);
      if (!known || !as_recorded) return;
      ++now_passing_;
      out_ << "NOW PASSING " << caseName(file, test) << '\n';
      return;
    }
    if (known) ++known_failed_;
    if (!known && !options_.quiet && !options_.record) show(file, test, result);
  }

  void show(const TestFile& file, const TestCase& test, const CheckResult& result) {
    out_ << (result.verdict == Verdict::WRONG ? "WRONG " : "UNSUPPORTED ") << file.path << ":" << test.query_line << '\n';
    std::istringstream query(test.query);
    for (std::string text; std::getline(query, text);) out_ << "  | " << text << '\n';
    out_ << result.difference;
  }

  void line(const std::string& name, const TestTotals& totals) {
    out_ << std::left << std::setw(24) << name << std::right << std::setw(9) << totals.passed << std::setw(9) << totals.wrong << std::setw(13)
         << totals.unsupported << '\n';
  }

  const TestOptions& options_;
  std::ostream& out_;
  std::set<std::string> known_;
  size_t known_failed_ = 0;
  size_t now_passing_ = 0;
  size_t broken_files_ = 0;
  std::map<std::string, TestTotals> totals_;
};

}  // namespace

bool comparesTablesOnly(const TestOptions& options) {
  return options.parallelism > 1 || options.mini_batch || options.in_batch || options.spills || options.stop_after_rows > 0;
}

Result<bool> runTests(const TestOptions& options, std::ostream& out) {
  ASSIGN_OR_RETURN(const auto files, testFiles(options.paths));
  ASSIGN_OR_RETURN(auto known, readKnownFailures(options.known_failures));
  Runner runner(options, out, std::move(known));
  for (const std::string& file : files) RETURN_IF_ERROR(runner.runFile(file));
  return runner.printTotals();
}

}  // namespace thalweg::testing
