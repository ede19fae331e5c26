#include "common/functions/text/similar_pattern.h"

#include <cctype>
#include <string>

#include "common/functions/text/unicode.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

void appendPlain(std::string& out, std::string_view character) {
  if (character.size() == 1 && std::ispunct(static_cast<unsigned char>(character[0])) != 0) out.push_back('\\');
  out.append(character);
}

Status faulty(std::string_view pattern, std::string_view why) {
  return Status::plan("'" + std::string(pattern) + "' is no SIMILAR TO pattern: " + std::string(why));
}

/// `[:ALPHA:]` at the start of `rest`, as RE2 has it; empty if it is none.
std::string_view namedClass(std::string_view rest, size_t& bytes) {
  struct Entry {
    std::string_view name;
    std::string_view inside;
  };
  static constexpr Entry kEntries[] = {{"ALPHA", R"(\p{L})"},       {"UPPER", R"(\p{Lu})"},   {"LOWER", R"(\p{Ll})"},
                                       {"DIGIT", R"(\d)"},           {"ALNUM", R"(\p{L}\p{Nd})"}, {"SPACE", R"(\x20)"},
                                       {"WHITESPACE", R"(\s\x0b)"}};
  if (!rest.starts_with("[:")) return {};
  const size_t end = rest.find(":]");
  if (end == std::string_view::npos) return {};
  std::string name(rest.substr(2, end - 2));
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const Entry& entry : kEntries) {
    if (entry.name != name) continue;
    bytes = end + 2;
    return entry.inside;
  }
  return {};
}

}  // namespace

Result<JavaRegex> compileSimilarPattern(std::string_view pattern, std::optional<std::string_view> escape) {
  if (escape && escape->empty()) escape.reset();
  if (escape && codePointCount(*escape) != 1) {
    return Status::plan("the escape of SIMILAR TO must be one character, but is '" + std::string(*escape) + "'");
  }
  std::string out = "(?s:";
  bool in_class = false;
  for (size_t at = 0; at < pattern.size();) {
    const std::string_view character = pattern.substr(at, characterBytes(pattern, at));
    const char c = character.size() == 1 ? character[0] : '\0';
    size_t named_bytes = 0;
    if (escape && character == *escape) {
      at += character.size();
      if (at == pattern.size()) return faulty(pattern, "nothing follows the escape");
      const std::string_view next = pattern.substr(at, characterBytes(pattern, at));
      appendPlain(out, next);
      at += next.size();
      continue;
    }
    if (in_class) {
      if (const std::string_view inside = namedClass(pattern.substr(at), named_bytes); !inside.empty()) {
        out.append(inside);
        at += named_bytes;
        continue;
      }
      if (c == ']') in_class = false;
      if (c == ']' || c == '-' || (c == '^' && out.ends_with('['))) out.push_back(c);
      else appendPlain(out, character);
    } else if (c == '[') {
      in_class = true;
      out.push_back(c);
    } else if (c == '%') {
      out.append(".*");
    } else if (c == '_') {
      out.push_back('.');
    } else if (c != '\0' && std::string_view("|*+?{}()").find(c) != std::string_view::npos) {
      out.append(c == '(' ? "(?:" : std::string(1, c));
    } else {
      appendPlain(out, character);
    }
    at += character.size();
  }
  if (in_class) return faulty(pattern, "a [ is not closed");
  auto compiled = JavaRegex::compileRe2(out + ")");
  if (!compiled.isOk()) return Status::runtime("'" + std::string(pattern) + "' is no SIMILAR TO pattern: " + compiled.status().message());
  return compiled;
}

}  // namespace thalweg
