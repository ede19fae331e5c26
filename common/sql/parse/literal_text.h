// The values behind quoted tokens: quotes undone, escapes resolved, in UTF-8.
//
// All failures are PARSE_ERRORs at the token. Threads: no state.
#pragma once

#include <string>
#include <string_view>

#include "common/base/status.h"
#include "common/sql/parse/token.h"

namespace thalweg::sql {

inline constexpr std::size_t kIdentifierLengthMax = 256;  ///< code points

/// A name without its back-ticks, or a word as it is; refuses empty and overlong ones.
Result<std::string> decodeIdentifier(const Token& token);

/// The value of a STRING, ESCAPED_STRING or CHARSET_STRING.
Result<std::string> decodeString(const Token& token);

/// The value of a UNICODE_STRING, or of a STRING that continues one: `escape` hhhh is a UTF-16 unit,
/// `escape` + hhhhhh a code point, `escape` twice is itself.
Result<std::string> decodeUnicodeString(const Token& token, char escape);

/// The upper-case digits of a BINARY, or of a STRING that continues one.
Result<std::string> decodeHex(const Token& token);

/// `UTF8` of _utf8'..', ISO-8859-1 of N'..'; refuses unknown ones.
Result<std::string> charsetOf(const Token& token);

}  // namespace thalweg::sql
