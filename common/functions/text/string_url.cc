// URLs and addresses: PARSE_URL, URL_ENCODE, URL_DECODE, INET_ATON, INET_NTOA.
#include <cctype>
#include <charconv>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/text_codec.h"
#include "common/functions/text/url_parts.h"

namespace thalweg {
namespace {

void urlEncode(std::string_view text, std::string& out) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && (std::isalnum(byte) != 0 || c == '.' || c == '-' || c == '*' || c == '_')) {
      out.push_back(c);
    } else if (c == ' ') {
      out.push_back('+');
    } else {
      out.push_back('%');
      out.push_back(kDigits[byte >> 4]);
      out.push_back(kDigits[byte & 15]);
    }
  }
}

bool urlDecode(std::string_view text, std::string& out) {
  std::string bytes;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+') {
      bytes.push_back(' ');
    } else if (text[at] == '%') {
      unsigned value = 0;
      const char* digits = text.data() + at + 1;
      if (text.size() - at < 3) return false;
      const auto [end, error] = std::from_chars(digits, digits + 2, value, 16);
      if (error != std::errc() || end != digits + 2) return false;
      bytes.push_back(static_cast<char>(value));
      at += 2;
    } else {
      bytes.push_back(text[at]);
    }
  }
  appendValidUtf8(out, bytes);
  return true;
}

std::optional<std::string> partOfUrl(std::string_view text, std::string_view name) {
  const std::optional<UrlParts> url = UrlParts::parse(text);
  return url ? url->part(name) : std::nullopt;
}
std::optional<std::string> valueOfUrl(std::string_view text, std::string_view name, std::string_view key) {
  if (name != "QUERY") return std::nullopt;
  const std::optional<UrlParts> url = UrlParts::parse(text);
  return url ? url->queryValue(key) : std::nullopt;
}

/// `a.b.c.d` of decimal numbers up to 255; of fewer, the last stands for the lowest byte.
std::optional<int64_t> addressToNumber(std::string_view text) {
  int64_t parts[4];
  size_t count = 0;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('.', begin), text.size());
    int64_t part = 0;
    if (count == 4 || end == begin || end - begin > 9) return std::nullopt;
    for (size_t at = begin; at < end; ++at) {
      if (text[at] < '0' || text[at] > '9') return std::nullopt;
      part = part * 10 + (text[at] - '0');
    }
    if (part > 255) return std::nullopt;
    parts[count++] = part;
    begin = end + 1;
  }
  int64_t number = parts[count - 1];
  for (size_t i = 0; i + 1 < count; ++i) number |= parts[i] << (24 - 8 * i);
  return number;
}

bool numberToAddress(int64_t number, std::string& out) {
  if (number < 0 || number > 0xffffffffLL) return false;
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.append(std::to_string(number >> shift & 255));
    if (shift > 0) out.push_back('.');
  }
  return true;
}

Result<std::unique_ptr<ScalarKernel>> makeParseUrl(const FunctionCall& call) {
  if (call.arguments.size() == 2) {
    return functionKernel<std::string(std::string_view, std::string_view)>(call.result_type, partOfUrl);
  }
  return functionKernel<std::string(std::string_view, std::string_view, std::string_view)>(call.result_type, valueOfUrl);
}

}  // namespace

void addStringUrlFunctions(ScalarList& list) {
  const Resolve one_text = signature({param::text("text")}, returnsNullable(DataType::string()));
  list.push_back({.name = "PARSE_URL",
                  .category = "string",
                  .signature = "PARSE_URL(url, part[, key])",
                  .description = "A part of a URL: 'HOST', 'PATH', 'QUERY', 'REF', 'PROTOCOL', 'AUTHORITY', 'FILE' or 'USERINFO'; "
                                 "with a key, that key's value in the query.",
                  .example = "PARSE_URL('http://example.org/p?q=1', 'HOST') = 'example.org'",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = signature({param::text("url"), param::text("part"), param::optional(param::text("key"))},
                                       returnsNullable(DataType::string())),
                  .make = makeParseUrl,
                  .strict = true});
  list.push_back({.name = "URL_ENCODE",
                  .category = "string",
                  .signature = "URL_ENCODE(text)",
                  .description = "The text in the form of URL-encoded form data, by its UTF-8.",
                  .example = "URL_ENCODE('a b&c') = 'a+b%26c'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = one_text,
                  .make = kernelMaker<std::string(std::string_view)>(urlEncode),
                  .strict = true});
  list.push_back({.name = "URL_DECODE",
                  .category = "string",
                  .signature = "URL_DECODE(text)",
                  .description = "The text that was URL-encoded; NULL if it is faulty.",
                  .example = "URL_DECODE('a+b%26c') = 'a b&c'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = one_text,
                  .make = kernelMaker<std::string(std::string_view)>(urlDecode),
                  .strict = true});
  list.push_back({.name = "INET_ATON",
                  .category = "string",
                  .signature = "INET_ATON(text)",
                  .description = "The number of an IPv4 address; NULL if it is none.",
                  .example = "INET_ATON('10.0.0.1') = 167772161",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returnsNullable(DataType::bigint())),
                  .make = kernelMaker<int64_t(std::string_view)>(addressToNumber),
                  .strict = true});
  list.push_back({.name = "INET_NTOA",
                  .category = "string",
                  .signature = "INET_NTOA(number)",
                  .description = "The IPv4 address of a number; NULL outside of 0 to 4294967295.",
                  .example = "INET_NTOA(167772161) = '10.0.0.1'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::bigint("number")}, returnsNullable(DataType::string())),
                  .make = kernelMaker<std::string(AnyInteger)>(numberToAddress),
                  .strict = true});
}

}  // namespace thalweg
