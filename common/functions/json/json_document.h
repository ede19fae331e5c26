// JsonDocument: JSON text parsed into a flat table of nodes that point back into the text.
//
// Numbers keep their digits and objects their duplicate keys, which the JSON functions show. Strict JSON, nesting
// bounded by kDepthMax; but, as Flink's parser does, what follows the first value is not looked at. Children follow their parent; `next` leads past a whole subtree, so siblings are walked by it.
// An object's children are key, value, key, value, …
// Threads: one owner; memory is reused from parse to parse. Lifetime: borrows the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg {

/// Appends a decimal number (`-1.50`, `1e3`) as BigDecimal.toString writes it: `1.50`, `1E+3`; any number of digits.
void appendBigDecimal(std::string& out, std::string_view number);

enum class JsonKind : uint8_t { NULL_VALUE, TRUE, FALSE, NUMBER, STRING, ARRAY, OBJECT };

class JsonDocument {
 public:
  static constexpr int kDepthMax = 1000;
  using Index = uint32_t;

  struct Node {
    JsonKind kind;
    bool escaped = false;         ///< STRING: holds a backslash
    uint32_t begin = 0;           ///< of the token (a string's without its quotes)
    uint32_t end = 0;
    Index next = 0;               ///< the node after this one's subtree
  };

  /// False if the text does not begin with a JSON value.
  bool parse(std::string_view text);

  static constexpr Index root() { return 0; }
  const Node& node(Index i) const { return nodes_[i]; }
  JsonKind kind(Index i) const { return nodes_[i].kind; }
  bool isScalar(Index i) const { return kind(i) != JsonKind::ARRAY && kind(i) != JsonKind::OBJECT; }
  /// First child; of an array or object that has no children this is node(i).next.
  static Index firstChild(Index i) { return i + 1; }
  Index next(Index i) const { return nodes_[i].next; }
  /// A token as it stands in the text.
  std::string_view token(Index i) const { return text_.substr(nodes_[i].begin, nodes_[i].end - nodes_[i].begin); }
  /// The piece of the text that a value is; of a STRING with its quotes.
  std::string_view source(Index i) const {
    const uint32_t quote = kind(i) == JsonKind::STRING ? 1 : 0;
    return text_.substr(nodes_[i].begin - quote, nodes_[i].end - nodes_[i].begin + 2 * quote);
  }
  /// Appends the characters that a STRING stands for.
  void appendString(std::string& out, Index i) const;
  bool stringEquals(Index i, std::string_view text) const;
  /// The value of a key (the last of equal ones), or `none`.
  static constexpr Index kNone = ~Index{0};
  Index find(Index object, std::string_view key) const;

  /// Appends compact JSON: no blanks, keys in order of their bytes, the last of equal keys, numbers as Java's
  /// BigDecimal prints them.
  void appendCompact(std::string& out, Index i) const;
  /// Appends the digits of a NUMBER as above.
  void appendNumber(std::string& out, Index i) const { appendBigDecimal(out, token(i)); }

 private:
  bool value(int depth);
  bool object(int depth);
  bool array(int depth);
  bool string();
  bool number();
  bool word(std::string_view expected, JsonKind kind);
  void blanks();
  Index push(JsonKind kind, size_t begin);
  void close(Index i, size_t end);
  void appendObject(std::string& out, Index i) const;

  std::string_view text_;
  size_t at_ = 0;
  std::vector<Node> nodes_;
};

/// Appends `text` as a JSON string with its quotes, as Jackson writes it.
void appendJsonString(std::string& out, std::string_view text);
/// Appends what a JSON string's inside stands for; faulty escapes are kept as they are.
void appendJsonUnescaped(std::string& out, std::string_view inside);

}  // namespace thalweg
