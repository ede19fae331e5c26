// Compares an engine's answer with an expected one, as the kind of the expectation says.
#pragma once

#include <string>
#include <vector>

#include "client/testing/test_file.h"

namespace thalweg::testing {

/// What the engine answered: rows as `+I[1, abc]`, or an error with the phase it came in.
struct Answer {
  bool failed = false;
  ExpectKind error_phase = ExpectKind::ERROR_RUNTIME;
  bool not_supported = false;
  std::string message;
  std::string schema;
  std::vector<std::string> rows;
};

enum class Verdict : uint8_t {
  PASSED,
  WRONG,        ///< another answer, or an error where an answer was expected
  UNSUPPORTED,  ///< the engine said that it cannot do this
};

struct CheckResult {
  Verdict verdict = Verdict::PASSED;
  std::string difference;   ///< readable, several lines
};

/// `table_only`: only the table that results counts (other parallelism, mini-batch, batch mode).
CheckResult checkAnswer(const TestCase& expected, const Answer& answer, bool table_only);

/// The table after all messages of a changelog, sorted, as `+I[…]` rows. Fails when something is retracted that is not
/// there: `problem` then says which.
std::vector<std::string> applyChangelog(const std::vector<std::string>& messages, std::string& problem);

/// A row's text with the entries of maps and multisets in a fixed order.
std::string canonicalRow(const std::string& row);
/// A schema line without time-attribute marks.
std::string canonicalSchema(const std::string& schema);

}  // namespace thalweg::testing
