#include "common/plan/catalog/declaration_text.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "common/sql/unparser.h"

namespace thalweg {
namespace {

/// Functions that Flink finds by name like a user's, and so prints as identifiers.
bool isFoundByName(std::string_view name) {
  constexpr std::array<std::string_view, 14> kNames = {
      "TO_TIMESTAMP_LTZ", "SOURCE_WATERMARK", "CURRENT_WATERMARK", "TYPEOF", "SPLIT", "REGEXP_COUNT", "REGEXP_INSTR",
      "REGEXP_SUBSTR", "REGEXP_EXTRACT_ALL", "JSON_QUOTE", "JSON_UNQUOTE", "URL_ENCODE", "URL_DECODE", "PRINTF"};
  if (name.starts_with("ARRAY_") || name.starts_with("MAP_")) return true;
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool isNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string declarationText(const sql::Expr& expr) {
  std::string text = sql::unparse(expr);
  std::string out;
  char quote = 0;
  for (size_t i = 0; i < text.size();) {
    char c = text[i];
    if (quote || c == '\'' || c == '`') {
      if (!quote) quote = c;
      else if (c == quote) quote = 0;
      out += c;
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && isNameCharacter(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    std::string word = text.substr(i, end - i);
    bool call = end < text.size() && text[end] == '(';
    out += call && isFoundByName(word) ? "`" + word + "`" : word;
    i = end;
  }
  return out;
}

}  // namespace thalweg
