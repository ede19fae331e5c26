// Whether bytes are well-formed UTF-8, and the way from other charsets to it. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::format {

bool isUtf8(std::string_view bytes);
/// The length of `bytes` without a character that its end cuts off.
size_t wholeCharacters(std::string_view bytes);

enum class Charset : unsigned char { UTF_8, US_ASCII, ISO_8859_1, UTF_16, UTF_16BE, UTF_16LE, UNKNOWN };
/// By the names Java knows, in any case.
Charset charsetOf(std::string_view name);
/// Malformed input becomes U+FFFD, as Java decodes it.
std::string decodeCharset(std::string_view bytes, Charset charset);
/// Characters that the charset lacks become `?`.
std::string encodeCharset(std::string_view utf8, Charset charset);

}  // namespace thalweg::format
