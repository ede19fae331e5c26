// Bytes to text and back: character sets, Base64, and UTF-8 that is not well-formed.
// Faulty input becomes U+FFFD in the places where Java's decoders put it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thalweg {

/// The character sets that ENCODE and DECODE know, by their names and aliases without regard to case.
enum class Charset { US_ASCII, ISO_8859_1, UTF_8, UTF_16BE, UTF_16LE, UTF_16 };
std::optional<Charset> charsetOf(std::string_view name);

/// Appends well-formed UTF-8 for bytes in a character set.
void decodeText(std::string& out, std::string_view bytes, Charset charset);
/// Appends the bytes of a text; `?` for what the character set lacks. UTF_16 is big endian behind a byte order mark.
void encodeText(std::string& out, std::string_view text, Charset charset);

bool isValidUtf8(std::string_view bytes);
/// decodeText(…, UTF_8).
void appendValidUtf8(std::string& out, std::string_view bytes);

void appendBase64(std::string& out, std::string_view bytes);
/// Standard alphabet, padding optional; false for other characters and lengths.
bool decodeBase64(std::string& out, std::string_view text);

}  // namespace thalweg
