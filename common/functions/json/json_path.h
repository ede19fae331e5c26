// JsonPath: a compiled SQL/JSON path, `[lax|strict] $.a['b'][0]…`, with the extensions of the Jayway library that
// Flink evaluates paths with.
//
// Steps: .name  ..name  .*  ['name', "name"]  [n]  [-n]  [n, m]  [from:to]  [*]  [?(@.a > 1 && @.b)]
// A path is definite when it can only select one value. Strict is the default mode: a missing member is an error
// there and nothing in lax mode. Indefinite paths select a list, perhaps empty, in both modes.
// Threads: immutable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/functions/json/json_document.h"

namespace thalweg {

struct JsonFilter;

class JsonPath {
 public:
  enum class Mode { LAX, STRICT };

  struct Step {
    enum Kind { MEMBER, WILDCARD, INDEXES, SLICE, FILTER };
    Kind kind = WILDCARD;
    bool recursive = false;                       ///< `..`: at this value and everywhere below
    std::string name = {};                        ///< MEMBER
    std::vector<int64_t> indexes = {};            ///< INDEXES; negative ones count from the end
    std::optional<int64_t> from = {};             ///< SLICE
    std::optional<int64_t> to = {};
    std::shared_ptr<const JsonFilter> filter = {};
  };
  using Steps = std::vector<Step>;

  /// INVALID_ARGUMENT for what is no path.
  static Result<JsonPath> compile(std::string_view text);

  Mode mode() const { return mode_; }
  bool isDefinite() const { return definite_; }
  /// Appends the values selected. False when a definite path (or the definite head of one) leads nowhere.
  bool select(const JsonDocument& document, std::vector<JsonDocument::Index>& found) const {
    return follow(document, JsonDocument::root(), steps_, found);
  }
  static bool follow(const JsonDocument& document, JsonDocument::Index from, const Steps& steps,
                     std::vector<JsonDocument::Index>& found);

 private:
  Mode mode_ = Mode::STRICT;
  bool definite_ = true;
  Steps steps_;
};

/// The condition of `[?(…)]`: some of the alternatives, all of whose terms hold.
struct JsonFilter {
  enum class Comparison { EXISTS, EQUAL, UNEQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL };
  /// A path from the candidate (`@`) or from the root (`$`), or a literal.
  struct Operand {
    enum Kind { CANDIDATE, ROOT, LITERAL };
    Kind kind = LITERAL;
    JsonPath::Steps steps = {};
    JsonKind literal = JsonKind::NULL_VALUE;
    double number = 0;
    std::string text = {};
  };
  struct Term {
    bool negated = false;
    Operand left;
    Comparison comparison = Comparison::EXISTS;
    Operand right = {};
  };
  std::vector<std::vector<Term>> alternatives;

  bool accepts(const JsonDocument& document, JsonDocument::Index candidate) const;
};

}  // namespace thalweg
