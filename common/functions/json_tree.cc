#include "common/functions/json_tree.h"

#include <algorithm>
#include <charconv>

namespace thalweg {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }

void appendUtf8(std::string& out, uint32_t point) {
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xC0 | point >> 6);
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    out += static_cast<char>(0xE0 | point >> 12);
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | point >> 18);
    out += static_cast<char>(0x80 | (point >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (point & 0x3F));
  }
}

/// The digits of an integer or fraction with `scale` digits behind the point, as BigDecimal.toString writes them.
std::string decimalText(bool negative, std::string digits, int64_t scale) {
  const size_t lead = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  digits.erase(0, lead);
  const auto length = static_cast<int64_t>(digits.size());
  const int64_t adjusted = length - 1 - scale;
  std::string text;
  if (scale == 0) {
    text = digits;
  } else if (scale > 0 && adjusted >= -6) {
    if (length <= scale) digits.insert(0, static_cast<size_t>(scale - length + 1), '0');
    text = digits.substr(0, digits.size() - static_cast<size_t>(scale)) + "." + digits.substr(digits.size() - static_cast<size_t>(scale));
  } else {
    text = digits.substr(0, 1);
    if (digits.size() > 1) text += "." + digits.substr(1);
    if (adjusted != 0) text += std::string("E") + (adjusted > 0 ? "+" : "") + std::to_string(adjusted);
  }
  return negative ? "-" + text : text;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool document(JsonTree& out) {
    skipBlanks();
    if (!value(out, 0)) return false;
    skipBlanks();
    return at_ == text_.size();
  }

 private:
  bool more() const { return at_ < text_.size(); }
  void skipBlanks() {
    while (more() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }
  bool take(char c) {
    if (!more() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool value(JsonTree& out, int depth) {
    if (!more() || depth > JsonTree::kDepthMax) return false;
    switch (text_[at_]) {
      case '{': return object(out, depth);
      case '[': return array(out, depth);
      case '"': out.kind = JsonTree::Kind::STRING; return string(out.text);
      case 't': out.kind = JsonTree::Kind::BOOLEAN; out.boolean = true; return word("true");
      case 'f': out.kind = JsonTree::Kind::BOOLEAN; return word("false");
      case 'n': return word("null");
      default: return number(out);
    }
  }

  bool object(JsonTree& out, int depth) {
    out.kind = JsonTree::Kind::OBJECT;
    ++at_;
    skipBlanks();
    if (take('}')) return true;
    while (true) {
      std::string key;
      skipBlanks();
      if (!more() || text_[at_] != '"' || !string(key)) return false;
      skipBlanks();
      if (!take(':')) return false;
      skipBlanks();
      JsonTree member;
      if (!value(member, depth + 1)) return false;
      out.members[std::move(key)] = std::move(member);
      skipBlanks();
      if (take('}')) return true;
      if (!take(',')) return false;
    }
  }

  bool array(JsonTree& out, int depth) {
    out.kind = JsonTree::Kind::ARRAY;
    ++at_;
    skipBlanks();
    if (take(']')) return true;
    while (true) {
      skipBlanks();
      out.elements.emplace_back();
      if (!value(out.elements.back(), depth + 1)) return false;
      skipBlanks();
      if (take(']')) return true;
      if (!take(',')) return false;
    }
  }

  bool hex4(uint32_t& point) {
    if (at_ + 4 > text_.size()) return false;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + at_ + 4, point, 16);
    at_ += 4;
    return error == std::errc() && end == text_.data() + at_;
  }

  bool string(std::string& out) {
    ++at_;
    while (more()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
        continue;
      }
      if (!more()) return false;
      switch (text_[at_++]) {
        case '"': out += '"'; break;
        case '\\': out += '\\'; break;
        case '/': out += '/'; break;
        case 'b': out += '\b'; break;
        case 'f': out += '\f'; break;
        case 'n': out += '\n'; break;
        case 'r': out += '\r'; break;
        case 't': out += '\t'; break;
        case 'u': {
          uint32_t point = 0;
          if (!hex4(point)) return false;
          uint32_t low = 0;
          if (point >= 0xD800 && point < 0xDC00 && word("\\u")) {
            if (!hex4(low)) return false;
            point = low >= 0xDC00 && low < 0xE000 ? 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00) : '?';
          }
          appendUtf8(out, point >= 0xD800 && point < 0xE000 ? '?' : point);
          break;
        }
        default: return false;
      }
    }
    return false;
  }

  bool number(JsonTree& out) {
    const bool negative = take('-');
    std::string digits;
    int64_t scale = 0;
    if (!more() || !isDigit(text_[at_])) return false;
    if (text_[at_] == '0' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1])) return false;
    while (more() && isDigit(text_[at_])) digits += text_[at_++];
    if (take('.')) {
      if (!more() || !isDigit(text_[at_])) return false;
      while (more() && isDigit(text_[at_])) {
        digits += text_[at_++];
        ++scale;
      }
    }
    if (more() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      const bool minus = take('-');
      if (!minus) take('+');
      int64_t exponent = 0;
      if (!more() || !isDigit(text_[at_])) return false;
      while (more() && isDigit(text_[at_])) exponent = std::min<int64_t>(exponent * 10 + (text_[at_++] - '0'), 1000000000);
      scale -= minus ? -exponent : exponent;
    }
    out.kind = JsonTree::Kind::NUMBER;
    out.text = decimalText(negative, std::move(digits), scale);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

std::optional<JsonTree> JsonTree::parse(std::string_view text) {
  JsonTree root;
  if (!Parser(text).document(root)) return std::nullopt;
  return root;
}

void appendJsonTreeText(std::string& out, std::string_view text) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  out += '"';
  for (const char c : text) {
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\\u00";
          out += kHex[c >> 4];
          out += kHex[c & 15];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

void JsonTree::appendTo(std::string& out) const {
  switch (kind) {
    case Kind::NULL_VALUE: out += "null"; return;
    case Kind::BOOLEAN: out += boolean ? "true" : "false"; return;
    case Kind::NUMBER: out += text; return;
    case Kind::STRING: appendJsonTreeText(out, text); return;
    case Kind::ARRAY:
      out += '[';
      for (size_t i = 0; i < elements.size(); ++i) {
        if (i > 0) out += ',';
        elements[i].appendTo(out);
      }
      out += ']';
      return;
    case Kind::OBJECT: {
      out += '{';
      bool first = true;
      for (const auto& [key, member] : members) {
        if (!first) out += ',';
        first = false;
        appendJsonTreeText(out, key);
        out += ':';
        member.appendTo(out);
      }
      out += '}';
    }
  }
}

std::optional<JsonTreePath> JsonTreePath::parse(std::string_view text) {
  JsonTreePath path;
  size_t at = text.find_first_not_of(' ');
  if (at == std::string_view::npos) return std::nullopt;
  const auto startsWith = [&](std::string_view word) { return text.substr(at, word.size()) == word; };
  if (startsWith("lax ") || startsWith("strict ")) {
    path.lax_ = startsWith("lax ");
    at = text.find_first_not_of(' ', text.find(' ', at));
  }
  if (at == std::string_view::npos || text[at] != '$') return std::nullopt;
  ++at;
  while (at < text.size()) {
    if (text[at] == '.') {
      if (++at < text.size() && text[at] == '*') {
        path.steps_.push_back({Step::Kind::ALL});
        ++at;
        continue;
      }
      const size_t end = std::min(text.find_first_of(".[", at), text.size());
      if (end == at) return std::nullopt;
      path.steps_.push_back({Step::Kind::MEMBER, std::string(text.substr(at, end - at))});
      at = end;
    } else if (text[at] == '[') {
      const size_t end = text.find(']', at);
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view inside = text.substr(at + 1, end - at - 1);
      if (inside == "*") {
        path.steps_.push_back({Step::Kind::ALL});
      } else if (inside.size() >= 2 && (inside[0] == '"' || inside[0] == '\'') && inside.back() == inside[0]) {
        path.steps_.push_back({Step::Kind::MEMBER, std::string(inside.substr(1, inside.size() - 2))});
      } else {
        size_t index = 0;
        const auto [stop, error] = std::from_chars(inside.data(), inside.data() + inside.size(), index);
        if (error != std::errc() || stop != inside.data() + inside.size()) return std::nullopt;
        path.steps_.push_back({Step::Kind::ELEMENT, {}, index});
      }
      at = end + 1;
    } else if (text[at] == ' ') {
      ++at;
    } else {
      return std::nullopt;
    }
  }
  return path;
}

bool JsonTreePath::hasWildcard() const {
  return std::any_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.kind == Step::Kind::ALL; });
}

std::vector<const JsonTree*> JsonTreePath::find(const JsonTree& root, bool& missing) const {
  std::vector<const JsonTree*> found = {&root};
  missing = false;
  bool spread = false;    // behind a wildcard a missing member is left out
  for (const Step& step : steps_) {
    std::vector<const JsonTree*> next;
    for (const JsonTree* json : found) {
      if (step.kind == Step::Kind::ALL) {
        for (const JsonTree& element : json->elements) next.push_back(&element);
        for (const auto& [key, member] : json->members) next.push_back(&member);
      } else if (step.kind == Step::Kind::MEMBER) {
        const auto at = json->members.find(step.name);
        if (at != json->members.end()) next.push_back(&at->second);
        else if (!spread) missing = true;
      } else if (step.index < json->elements.size()) {
        next.push_back(&json->elements[step.index]);
      } else if (!spread) {
        missing = true;
      }
    }
    spread = spread || step.kind == Step::Kind::ALL;
    found = std::move(next);
  }
  return found;
}

}  // namespace thalweg
