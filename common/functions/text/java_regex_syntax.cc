// Translating Java's regular expressions into RE2's. One pass from left to right; what both read alike is copied.
//
// On the way it finds the longest plain text that stands outside of all groups and alternatives: every match
// contains it, so a search for it tells most texts without a match cheaply.
#include <vector>
#include <cctype>
#include <optional>

#include "common/functions/text/java_regex.h"
#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

constexpr std::string_view kLineEnds = R"(\n\r\x{85}\x{2028}\x{2029})";
constexpr std::string_view kSpaces = R"(\t\n\x0b\f\r\x20)";
constexpr std::string_view kVertical = R"(\n\x0b\f\r\x{85}\x{2028}\x{2029})";
constexpr std::string_view kHorizontal = R"(\x20\t\x{a0}\x{1680}\x{180e}\x{2000}-\x{200a}\x{202f}\x{205f}\x{3000})";

/// What stands between the braces of \p{…}, as the inside of a class; empty for names that RE2 knows itself.
std::string_view propertyClass(std::string_view name) {
  struct Entry {
    std::string_view name;
    std::string_view inside;
  };
  static constexpr Entry kEntries[] = {
      {"Lower", "a-z"},         {"Upper", "A-Z"},          {"ASCII", R"(\x00-\x7f)"},
      {"Alpha", "a-zA-Z"},      {"Digit", "0-9"},          {"Alnum", "a-zA-Z0-9"},
      {"Punct", "[:punct:]"},   {"Graph", "[:graph:]"},    {"Print", "[:print:]"},
      {"Blank", R"(\x20\t)"},   {"Cntrl", "[:cntrl:]"},    {"XDigit", "0-9a-fA-F"},
      {"Space", kSpaces},       {"javaLowerCase", R"(\p{Ll})"}, {"javaUpperCase", R"(\p{Lu})"},
      {"IsAlphabetic", R"(\p{L}\p{Nl})"}, {"IsLetter", R"(\p{L})"}, {"IsDigit", R"(\p{Nd})"},
      {"IsLowercase", R"(\p{Ll})"}, {"IsUppercase", R"(\p{Lu})"}, {"IsPunctuation", R"(\p{P})"},
      {"IsWhite_Space", R"(\t-\r\x20\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000})"}};
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.inside;
  }
  return {};
}

class Translator {
 public:
  explicit Translator(std::string_view pattern) : in_(pattern) {}

  Result<TranslatedRegex> run() {
    while (at_ < in_.size()) RETURN_IF_ERROR(one());
    if (!dotalls_.empty()) return broken("a group is not closed");
    endRun();
    if (alternatives_ || folded_) required_.clear();
    const auto before_max = required_.empty() ? std::nullopt : regexWidthMax(std::string_view(out_).substr(0, required_begin_));
    return TranslatedRegex{std::move(out_), std::move(required_), before_max};
  }

 private:
  static Status unsupported(std::string_view what) {
    return Status::notSupported("regular expressions with " + std::string(what) + " are not supported");
  }
  static Status broken(std::string_view what) { return Status::invalid("not a regular expression: " + std::string(what)); }

  bool peek(std::string_view text) const { return in_.substr(at_).starts_with(text); }
  bool take(std::string_view text) {
    if (!peek(text)) return false;
    at_ += text.size();
    return true;
  }

  // ---- required text

  void literal(char32_t code) {
    std::string text;
    appendCodePoint(text, code);
    if (run_.empty()) run_begin_ = out_.size();
    out_.append(RE2Quote(text));
    if (dotalls_.empty()) {
      run_.push_back(text);
    }
  }
  static std::string RE2Quote(std::string_view text) {
    std::string quoted;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x80 && std::isalnum(byte) == 0 && c != '_' && byte > 0x20 && byte != 0x7f) quoted.push_back('\\');
      if (c == '\0') quoted.append("\\x00");
      else quoted.push_back(c);
    }
    return quoted;
  }
  void endRun() {
    std::string text;
    for (const std::string& character : run_) text.append(character);
    if (text.size() > required_.size()) {
      required_ = std::move(text);
      required_begin_ = run_begin_;
    }
    run_.clear();
  }

  // ---- the walk

  Status one() {
    const char c = in_[at_];
    switch (c) {
      case '\\': return escape();
      case '[': endRun(); return characterClass();
      case '(': endRun(); return group();
      case ')':
        if (dotalls_.empty()) return broken("an unmatched )");
        dotall_ = dotalls_.back();
        dotalls_.pop_back();
        endRun();
        return copy();
      case '.':
        endRun();
        ++at_;
        out_.append(dotall_ ? "(?s:.)" : "[^" + std::string(kLineEnds) + "]");
        return {};
      case '|':
        if (dotalls_.empty()) alternatives_ = true;
        endRun();
        return copy();
      case '*': case '+': case '?': return quantifier();
      case '{': return braces();
      case '^': case '$': endRun(); return copy();
      default: literal(nextCodePoint(in_, at_)); return {};
    }
  }
  Status copy() {
    out_.push_back(in_[at_++]);
    return {};
  }

  // The quantified character need not occur.
  void dropQuantified() {
    if (!run_.empty()) run_.pop_back();
    endRun();
  }
  Status quantifier() {
    dropQuantified();
    RETURN_IF_ERROR(copy());
    return greed();
  }
  Status greed() {
    if (peek("+")) return unsupported("possessive quantifiers");
    if (peek("?")) return copy();
    return {};
  }
  Status braces() {
    size_t end = at_ + 1;
    while (end < in_.size() && (std::isdigit(static_cast<unsigned char>(in_[end])) || in_[end] == ',')) ++end;
    const std::string_view body = in_.substr(at_ + 1, end - at_ - 1);
    if (end >= in_.size() || in_[end] != '}' || body.empty() || body[0] == ',') return broken("{ begins no repetition");
    dropQuantified();
    out_.append(in_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    return greed();
  }

  Status group() {
    const bool outer = dotall_;
    if (take("(?")) {
      if (take("=")) return unsupported("look-ahead (?=");
      if (take("!")) return unsupported("look-ahead (?!");
      if (take("<=") || take("<!")) return unsupported("look-behind (?<");
      if (take(">")) return unsupported("atomic groups (?>");
      if (take("<")) {
        const size_t end = in_.find('>', at_);
        if (end == std::string_view::npos) return broken("a group's name is not closed");
        out_.append("(?P<").append(in_.substr(at_, end + 1 - at_));
        at_ = end + 1;
      } else {
        return flags();
      }
    } else {
      take("(");
      out_.push_back('(');
    }
    dotalls_.push_back(outer);
    return {};
  }

  /// Behind `(?`: flags, then `:` or `)`.
  Status flags() {
    const bool outer = dotall_;
    bool on = true;
    std::string kept;
    for (; at_ < in_.size() && in_[at_] != ':' && in_[at_] != ')'; ++at_) {
      const char flag = in_[at_];
      if (flag == '-') {
        on = false;
        kept.push_back(flag);
      } else if (flag == 's') {
        dotall_ = on;
      } else if (flag == 'i' || flag == 'm') {
        folded_ = folded_ || flag == 'i';
        kept.push_back(flag);
      } else if (flag != 'u' && flag != 'U' && flag != 'd') {
        return flag == 'x' ? unsupported("comments (?x)") : broken("an unknown flag");
      }
    }
    if (at_ == in_.size()) return broken("a group is not closed");
    if (kept.ends_with('-')) kept.pop_back();
    if (take(")")) {
      if (!kept.empty()) out_.append("(?" + kept + ")");
      return {};
    }
    take(":");
    out_.append("(?" + kept + ":");
    dotalls_.push_back(outer);
    return {};
  }

  /// A \ outside of classes.
  Status escape() {
    ++at_;
    if (at_ == in_.size()) return broken("a lone \\ at the end");
    const char c = in_[at_];
    if (take("Q")) return quoted();
    if (c >= '1' && c <= '9') return unsupported("backreferences");
    switch (c) {
      case 'k': return unsupported("backreferences");
      case 'G': case 'X': return unsupported("\\" + std::string(1, c));
      case 'b': case 'B': case 'A': case 'z': case 'd': case 'D': case 'w': case 'W':
        endRun();
        out_.push_back('\\');
        return copy();
      case 'Z': return put(R"((?:(?:\r\n|[\n\r\x{85}\x{2028}\x{2029}])?\z))");
      case 'R': return put(R"((?:\r\n|[)" + std::string(kVertical) + "])");
      case 's': return put("[" + std::string(kSpaces) + "]");
      case 'S': return put("[^" + std::string(kSpaces) + "]");
      case 'h': return put("[" + std::string(kHorizontal) + "]");
      case 'H': return put("[^" + std::string(kHorizontal) + "]");
      case 'v': return put("[" + std::string(kVertical) + "]");
      case 'V': return put("[^" + std::string(kVertical) + "]");
      case 'p': case 'P': endRun(); return property(false);
      default: break;
    }
    ASSIGN_OR_RETURN(const char32_t code, escapedCharacter());
    literal(code);
    return {};
  }
  Status put(std::string_view text) {
    endRun();
    ++at_;
    out_.append(text);
    return {};
  }
  Status quoted() {
    const size_t end = in_.find("\\E", at_);
    const size_t stop = end == std::string_view::npos ? in_.size() : end;
    while (at_ < stop) literal(nextCodePoint(in_, at_));
    at_ = end == std::string_view::npos ? in_.size() : end + 2;
    return {};
  }

  /// \pL, \p{Name}, \P{Name}; at the p.
  Status property(bool in_class) {
    const bool negated = in_[at_++] == 'P';
    std::string_view name;
    if (take("{")) {
      const size_t end = in_.find('}', at_);
      if (end == std::string_view::npos) return broken("\\p{ is not closed");
      name = in_.substr(at_, end - at_);
      at_ = end + 1;
    } else if (at_ < in_.size()) {
      name = in_.substr(at_++, 1);
    }
    const std::string_view inside = propertyClass(name);
    if (inside.empty()) {
      for (const std::string_view prefix : {"Is", "script=", "sc=", "general_category=", "gc="}) {
        if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
      }
      out_.append(negated ? "\\P{" : "\\p{").append(name).append("}");
    } else if (!in_class) {
      out_.append(negated ? "[^" : "[").append(inside).append("]");
    } else if (negated) {
      return unsupported("\\P{" + std::string(name) + "} inside of a class");
    } else {
      out_.append(inside);
    }
    return {};
  }

  /// An escape that stands for one character; at the letter behind the \.
  Result<char32_t> escapedCharacter() {
    const char c = in_[at_];
    switch (c) {
      case 't': ++at_; return U'\t';
      case 'n': ++at_; return U'\n';
      case 'r': ++at_; return U'\r';
      case 'f': ++at_; return U'\f';
      case 'a': ++at_; return U'\a';
      case 'e': ++at_; return char32_t{0x1b};
      case 'c':
        if (at_ + 1 >= in_.size()) return broken("\\c at the end");
        at_ += 2;
        return static_cast<char32_t>(in_[at_ - 1] ^ 64);
      case '0': ++at_; return number(8, 1, in_.substr(at_) >= "4" ? 2 : 3);
      case 'x': {
        ++at_;
        if (!take("{")) return number(16, 2, 2);
        ASSIGN_OR_RETURN(const char32_t code, number(16, 1, 6));
        if (!take("}")) return broken("\\x{ is not closed");
        return code;
      }
      case 'u': ++at_; return utf16();
      default: break;
    }
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return broken("unknown escape \\" + std::string(1, c));
    return nextCodePoint(in_, at_);
  }
  Result<char32_t> utf16() {
    ASSIGN_OR_RETURN(const char32_t high, number(16, 4, 4));
    if (high < 0xd800 || high > 0xdbff || !take("\\u")) return high;
    ASSIGN_OR_RETURN(const char32_t low, number(16, 4, 4));
    return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
  }
  Result<char32_t> number(char32_t base, size_t digits_min, size_t digits_max) {
    char32_t value = 0;
    size_t digits = 0;
    for (; digits < digits_max && at_ < in_.size(); ++digits, ++at_) {
      const int c = std::tolower(static_cast<unsigned char>(in_[at_]));
      const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
      if (digit >= static_cast<int>(base)) break;
      value = value * base + static_cast<char32_t>(digit);
    }
    if (digits < digits_min || value > 0x10ffff) return broken("a number is expected in an escape");
    return value;
  }

  // ---- classes

  Status characterClass() {
    ++at_;
    out_.push_back('[');
    if (take("^")) out_.push_back('^');
    RETURN_IF_ERROR(classBody());
    out_.push_back(']');
    return {};
  }
  /// Up to and with the closing bracket; a nested class adds to the outer one.
  Status classBody() {
    for (bool first = true; at_ < in_.size(); first = false) {
      const char c = in_[at_];
      if (c == ']' && !first) {
        ++at_;
        return {};
      }
      if (peek("&&")) return unsupported("class intersections &&");
      if (c == '[') {
        ++at_;
        if (peek("^")) return unsupported("negated classes inside of classes");
        RETURN_IF_ERROR(classBody());
      } else if (c == '\\') {
        RETURN_IF_ERROR(classEscape());
      } else if (c == '-') {
        RETURN_IF_ERROR(copy());
      } else {
        classLiteral(nextCodePoint(in_, at_));
      }
    }
    return broken("a class is not closed");
  }
  void classLiteral(char32_t code) {
    std::string text;
    appendCodePoint(text, code);
    out_.append(RE2Quote(text));
  }
  Status classEscape() {
    ++at_;
    if (at_ == in_.size()) return broken("a lone \\ at the end");
    const auto inside = [&](std::string_view text) {
      ++at_;
      out_.append(text);
      return Status();
    };
    switch (in_[at_]) {
      case 'd': case 'D': case 'w': case 'W': case 'S': out_.push_back('\\'); return copy();
      case 's': return inside(kSpaces);
      case 'h': return inside(kHorizontal);
      case 'v': return inside(kVertical);
      case 'p': case 'P': return property(true);
      case 'Q': return unsupported("\\Q inside of classes");
      default: break;
    }
    ASSIGN_OR_RETURN(const char32_t code, escapedCharacter());
    classLiteral(code);
    return {};
  }

  std::string_view in_;
  size_t at_ = 0;
  std::string out_;
  bool dotall_ = false;
  std::vector<bool> dotalls_;           // of the open groups' surroundings
  bool alternatives_ = false;
  bool folded_ = false;
  std::vector<std::string> run_;        // plain characters in a row, outside of groups
  size_t run_begin_ = 0;                // in out_
  std::string required_;
  size_t required_begin_ = 0;           // in out_
};

}  // namespace

Result<TranslatedRegex> translateJavaRegex(std::string_view pattern) { return Translator(pattern).run(); }

}  // namespace thalweg
