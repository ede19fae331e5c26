// TestFile: a `.test` file as data — the scenario's files, set-up statements, queries and expected answers.
//
// Format: docs/reference/test-format.md. Lines that start with `--- ` open a section; everything before the first one is
// comment. Errors: INVALID_ARGUMENT with file and line for a section that is unknown or out of place.
#pragma once

#include <string>
#include <vector>

#include "common/base/status.h"

namespace thalweg::testing {

enum class ExpectKind : uint8_t { ORDERED, UNORDERED, TABLE, SCHEMA, ERROR_PARSE, ERROR_PLAN, ERROR_RUNTIME };

std::string_view expectKindText(ExpectKind kind);   ///< as it stands in the file

struct InputFile {
  std::string name;      ///< relative to the case's own folder
  std::string content;
};

/// One query with everything that precedes it.
struct TestCase {
  std::string query;
  int query_line = 0;
  bool batch = false;
  size_t setup_count = 0;             ///< how many of TestFile::setup run before it
  size_t file_count = 0;              ///< how many of TestFile::files exist for it
  ExpectKind kind = ExpectKind::ORDERED;
  std::string schema;                 ///< first line of the answer; empty for errors
  std::vector<std::string> rows;
  size_t expect_begin = 0;            ///< lines of the answer in TestFile::lines, for --record
  size_t expect_end = 0;
};

struct TestFile {
  std::string path;
  std::vector<std::string> lines;
  std::vector<InputFile> files;
  std::vector<std::string> setup;     ///< SQL text of each `--- sql` section, as written
  std::vector<TestCase> cases;
};

Result<TestFile> parseTestFile(const std::string& path, const std::string& text);

}  // namespace thalweg::testing
