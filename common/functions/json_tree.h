// JsonTree: a JSON text as a tree, and its canonical text — what the JSON functions of SQL work on.
//
// As in Flink: members are written sorted by key (of equal keys the last counts), numbers in the form of BigDecimal
// (`1.50` stays, `1e3` becomes `1E+3`), text unescaped but for quotes, backslashes and control characters.
// Errors: parse() gives none for malformed text, and for nesting deeper than kDepthMax. Threads: values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

struct JsonTree {
  enum class Kind : uint8_t { NULL_VALUE, BOOLEAN, NUMBER, STRING, ARRAY, OBJECT };
  static constexpr int kDepthMax = 500;

  Kind kind = Kind::NULL_VALUE;
  bool boolean = false;
  std::string text = {};                     ///< STRING: unescaped; NUMBER: as BigDecimal writes it
  std::vector<JsonTree> elements = {};
  std::map<std::string, JsonTree> members = {};

  static std::optional<JsonTree> parse(std::string_view text);
  bool isScalar() const { return kind != Kind::ARRAY && kind != Kind::OBJECT; }
  void appendTo(std::string& out) const;
  std::string toString() const {
    std::string out;
    appendTo(out);
    return out;
  }
  bool operator==(const JsonTree&) const = default;
};

/// `"text"` with the escapes that JSON demands.
void appendJsonTreeText(std::string& out, std::string_view text);

/// A path of SQL/JSON: `lax $.a[0]`, `strict $["b c"][*].d`; strict unless said.
class JsonTreePath {
 public:
  /// None if the text is no path.
  static std::optional<JsonTreePath> parse(std::string_view text);
  bool isLax() const { return lax_; }
  /// What the path leads to; with wildcards any number of values. `missing`: a step found nothing to go to.
  std::vector<const JsonTree*> find(const JsonTree& root, bool& missing) const;
  bool hasWildcard() const;

 private:
  struct Step {
    enum class Kind : uint8_t { MEMBER, ELEMENT, ALL } kind;
    std::string name = {};
    size_t index = 0;
  };
  bool lax_ = false;
  std::vector<Step> steps_;
};

}  // namespace thalweg
