// TO_BASE64, FROM_BASE64, ENCODE, DECODE, and the tests of UTF-8.
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/text_codec.h"

namespace thalweg {
namespace {

Status fromBase64(std::string_view text, std::string& out) {
  std::string bytes;
  if (!decodeBase64(bytes, text)) {
    return Status::runtime("FROM_BASE64 expects Base64 text, found '" + std::string(text.substr(0, 64)) + "'");
  }
  appendValidUtf8(out, bytes);
  return {};
}

Status unknownCharset(std::string_view name) {
  return Status::runtime("unknown character set '" + std::string(name) +
                         "'; known are US-ASCII, ISO-8859-1, UTF-8, UTF-16BE, UTF-16LE and UTF-16");
}

Status decode(std::string_view bytes, std::string_view name, std::string& out) {
  const std::optional<Charset> charset = charsetOf(name);
  if (!charset) return unknownCharset(name);
  decodeText(out, bytes, *charset);
  return {};
}

Status encode(std::string_view text, std::string_view name, std::string& out) {
  const std::optional<Charset> charset = charsetOf(name);
  if (!charset) return unknownCharset(name);
  encodeText(out, text, *charset);
  return {};
}

}  // namespace

void addEncodeFunctions(ScalarList& list) {
  list.push_back({.name = "TO_BASE64",
                  .category = "string",
                  .signature = "TO_BASE64(text | bytes)",
                  .description = "The bytes (of a text, its UTF-8) in Base64.",
                  .example = "TO_BASE64('hello') = 'aGVsbG8='",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::textOrBinary("value")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view)>(
                      [](std::string_view bytes, std::string& out) { appendBase64(out, bytes); }),
                  .strict = true});
  list.push_back({.name = "FROM_BASE64",
                  .category = "string",
                  .signature = "FROM_BASE64(text)",
                  .description = "The text that was written in Base64. Fails for other text.",
                  .example = "FROM_BASE64('aGVsbG8=') = 'hello'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::textOrBinary("text")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view)>(fromBase64),
                  .strict = true,
                  .can_fail = true});
  list.push_back({.name = "ENCODE",
                  .category = "string",
                  .signature = "ENCODE(text, charset)",
                  .description = "The bytes of a text in a character set: US-ASCII, ISO-8859-1, UTF-8, UTF-16BE, UTF-16LE or "
                                 "UTF-16.",
                  .example = "ENCODE('ö', 'UTF-8') = x'c3b6'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::text("text"), param::text("charset")}, returns(DataType::bytes())),
                  .make = kernelMaker<std::string(std::string_view, std::string_view)>(encode),
                  .strict = true,
                  .can_fail = true});
  list.push_back({.name = "DECODE",
                  .category = "string",
                  .signature = "DECODE(bytes, charset)",
                  .description = "The text that bytes in a character set stand for.",
                  .example = "DECODE(x'c3b6', 'UTF-8') = 'ö'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::binary("bytes"), param::text("charset")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view, std::string_view)>(decode),
                  .strict = true,
                  .can_fail = true});
  list.push_back({.name = "IS_VALID_UTF8",
                  .category = "conversion",
                  .signature = "IS_VALID_UTF8(bytes)",
                  .description = "Whether bytes are well-formed UTF-8.",
                  .example = "IS_VALID_UTF8(x'c3b6')",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::binary("bytes")}, returns(DataType::boolean())),
                  .make = kernelMaker<bool(std::string_view)>(isValidUtf8),
                  .strict = true});
  list.push_back({.name = "MAKE_VALID_UTF8",
                  .category = "conversion",
                  .signature = "MAKE_VALID_UTF8(bytes)",
                  .description = "The text that bytes in UTF-8 stand for, with U+FFFD in place of what is not well-formed.",
                  .example = "MAKE_VALID_UTF8(x'41') = 'A'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::binary("bytes")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view)>(
                      [](std::string_view bytes, std::string& out) { appendValidUtf8(out, bytes); }),
                  .strict = true});
}

}  // namespace thalweg
