// How many bytes a part of a regular expression can match at most: a small parser that knows what stands in front of the
// plain text of usual expressions, and gives up at all else.
#include <algorithm>
#include <cctype>

#include "common/functions/text/java_regex.h"

namespace thalweg {
namespace {

constexpr size_t kCharacterBytesMax = 4;

class WidthParser {
 public:
  explicit WidthParser(std::string_view pattern) : in_(pattern) {}

  std::optional<size_t> run() {
    const auto width = alternatives();
    return at_ == in_.size() ? width : std::nullopt;
  }

 private:
  /// Up to the end or a closing bracket.
  std::optional<size_t> alternatives() {
    size_t widest = 0;
    size_t width = 0;
    while (at_ < in_.size() && in_[at_] != ')') {
      if (in_[at_] == '|') {
        ++at_;
        widest = std::max(widest, width);
        width = 0;
        continue;
      }
      const auto part = atom();
      if (!part || !skipOptional()) return std::nullopt;
      width += *part;
    }
    return std::max(widest, width);
  }

  /// `?` behind a part changes nothing of its greatest width; other repetitions are not looked at.
  bool skipOptional() {
    if (at_ < in_.size() && in_[at_] == '?') ++at_;
    return at_ == in_.size() || std::string_view("*+?{").find(in_[at_]) == std::string_view::npos;
  }

  std::optional<size_t> atom() {
    const char c = in_[at_++];
    switch (c) {
      case '^': return 0;
      case '.': return kCharacterBytesMax;
      case '(': return group();
      case '[': return characterClass();
      case '\\':
        if (at_ == in_.size() || std::isalnum(static_cast<unsigned char>(in_[at_])) != 0) return std::nullopt;
        ++at_;
        return 1;
      default: break;
    }
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ' ';
    return plain ? std::optional<size_t>(1) : std::nullopt;
  }

  std::optional<size_t> group() {
    if (in_.substr(at_).starts_with("?:")) at_ += 2;
    else if (at_ < in_.size() && in_[at_] == '?') return std::nullopt;
    const auto width = alternatives();
    if (at_ == in_.size()) return std::nullopt;
    ++at_;
    return width;
  }

  /// One without another inside.
  std::optional<size_t> characterClass() {
    for (bool first = true; at_ < in_.size(); ++at_, first = false) {
      if (in_[at_] == ']' && !first) {
        ++at_;
        return kCharacterBytesMax;
      }
      if (in_[at_] == '[') return std::nullopt;
      if (in_[at_] == '\\') ++at_;              // whatever it stands for, it is one character
    }
    return std::nullopt;
  }

  std::string_view in_;
  size_t at_ = 0;
};

}  // namespace

std::optional<size_t> regexWidthMax(std::string_view pattern) { return WidthParser(pattern).run(); }

}  // namespace thalweg
