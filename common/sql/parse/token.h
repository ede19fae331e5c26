// Tokens of SQL text. A token borrows the text that was cut. Lifetime: as long as that text.
#pragma once

#include <cstddef>
#include <string_view>

#include "common/base/status.h"

namespace thalweg::sql {

enum class TokenKind {
  END,                ///< behind the last token
  WORD,               ///< a name or keyword without quotes
  QUOTED_IDENTIFIER,  ///< `..`, raw text with the back-ticks
  INTEGER,            ///< 12
  DECIMAL,            ///< 1.5, .5, 5.
  APPROXIMATE,        ///< 1e3
  STRING,             ///< '..'
  ESCAPED_STRING,     ///< E'..'
  UNICODE_STRING,     ///< U&'..'
  CHARSET_STRING,     ///< _UTF8'..' or N'..'
  BINARY,             ///< X'..'
  SYMBOL,             ///< operators and punctuation
  HINT_START,         ///< /*+
  HINT_END,           ///< the */ of a hint
};

struct Token {
  TokenKind kind = TokenKind::END;
  bool reserved = false;   ///< a WORD that is no name
  std::string_view text;   ///< as written
  std::size_t offset = 0;  ///< of `text` in the source
  SourcePosition position;

  bool isSymbol(std::string_view symbol) const { return kind == TokenKind::SYMBOL && text == symbol; }
};

}  // namespace thalweg::sql
