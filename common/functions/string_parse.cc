// Text with a structure: SPLIT, STR_TO_MAP, URL_ENCODE, URL_DECODE, PARSE_URL, INET_ATON, INET_NTOA.
#include <re2/re2.h>

#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

/// Pieces between delimiters. An empty delimiter cuts between Java's characters: a code point beyond the first
/// plane falls into two halves, which show as `?`.
std::vector<Value> pieces(std::string_view text, std::string_view delimiter) {
  std::vector<Value> parts;
  if (text.empty()) return parts;
  if (delimiter.empty()) {
    for (size_t at = 0; at < text.size();) {
      const auto lead = static_cast<unsigned char>(text[at]);
      const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
      if (length == 4) {
        parts.push_back(Value::string("?"));
        parts.push_back(Value::string("?"));
      } else {
        parts.push_back(Value::string(std::string(text.substr(at, length))));
      }
      at += length;
    }
    return parts;
  }
  size_t begin = 0;
  for (size_t at = text.find(delimiter); at != std::string_view::npos; at = text.find(delimiter, begin)) {
    parts.push_back(Value::string(std::string(text.substr(begin, at - begin))));
    begin = at + delimiter.size();
  }
  parts.push_back(Value::string(std::string(text.substr(begin))));
  return parts;
}

Result<Value> split(EvalContext&, std::span<const Value> v) { return Value::list(pieces(v[0].asString(), v[1].asString())); }

/// The text cut at matches of a pattern, empty pieces at the end left out (Java's String.split), at most `limit` pieces.
std::vector<std::string> splitByPattern(std::string_view text, const RE2& pattern, size_t limit) {
  std::vector<std::string> parts;
  size_t begin = 0;
  size_t at = 0;
  re2::StringPiece match;
  const re2::StringPiece whole(text.data(), text.size());
  while ((limit == 0 || parts.size() + 1 < limit) && at <= text.size() && pattern.Match(whole, at, text.size(), RE2::UNANCHORED, &match, 1)) {
    const auto place = static_cast<size_t>(match.data() - text.data());
    if (match.empty()) break;
    parts.emplace_back(text.substr(begin, place - begin));
    begin = at = place + match.size();
  }
  parts.emplace_back(text.substr(begin));
  while (limit == 0 && parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return parts;
}

Result<Value> textToMap(EvalContext&, std::span<const Value> v) {
  const RE2 between_entries(v.size() > 1 ? v[1].asString() : ",", RE2::Quiet);
  const RE2 between_parts(v.size() > 2 ? v[2].asString() : "=", RE2::Quiet);
  if (!between_entries.ok() || !between_parts.ok()) return Status::runtime("a delimiter of STR_TO_MAP is no valid pattern");
  std::vector<std::pair<Value, Value>> entries;
  for (const std::string& entry : splitByPattern(v[0].asString(), between_entries, 0)) {
    const auto parts = splitByPattern(entry, between_parts, 2);
    const Value key = Value::string(parts[0]);
    const Value value = parts.size() > 1 ? Value::string(parts[1]) : Value();
    const auto at = std::find_if(entries.begin(), entries.end(), [&](const auto& e) { return e.first == key; });
    if (at == entries.end()) entries.emplace_back(key, value);
    else at->second = value;
  }
  return Value::map(std::move(entries));
}

bool isUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '*' || c == '_';
}

void urlEncode(std::string_view text, std::string& out) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  for (const char c : text) {
    if (isUnreserved(c)) out += c;
    else if (c == ' ') out += '+';
    else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool urlDecode(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') out += ' ';
    else if (text[i] != '%') out += text[i];
    else {
      if (i + 2 >= text.size() || hexDigit(text[i + 1]) < 0 || hexDigit(text[i + 2]) < 0) return false;
      out += static_cast<char>(hexDigit(text[i + 1]) * 16 + hexDigit(text[i + 2]));
      i += 2;
    }
  }
  return true;
}

/// The parts of a URL as java.net.URL finds them; views into the text.
struct UrlParts {
  std::string_view protocol, authority, host, path, query, ref, user, file;
  bool has_query = false, has_ref = false, has_user = false;
};

bool knownProtocol(std::string_view protocol) {
  static constexpr std::string_view kKnown[] = {"http", "https", "ftp", "file", "jar", "mailto"};
  return std::find(std::begin(kKnown), std::end(kKnown), protocol) != std::end(kKnown);
}

bool parseUrl(std::string_view text, UrlParts& parts) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || !knownProtocol(text.substr(0, colon))) return false;
  parts.protocol = text.substr(0, colon);
  std::string_view rest = text.substr(colon + 1);
  if (const size_t hash = rest.find('#'); hash != std::string_view::npos) {
    parts.ref = rest.substr(hash + 1);
    parts.has_ref = true;
    rest = rest.substr(0, hash);
  }
  if (rest.substr(0, 2) == "//") {
    rest.remove_prefix(2);
    const size_t end = std::min(rest.find_first_of("/?"), rest.size());
    parts.authority = rest.substr(0, end);
    rest.remove_prefix(end);
    std::string_view host = parts.authority;
    if (const size_t at = host.rfind('@'); at != std::string_view::npos) {
      parts.user = host.substr(0, at);
      parts.has_user = true;
      host.remove_prefix(at + 1);
    }
    if (const size_t port = host.rfind(':'); port != std::string_view::npos && host.find(']', port) == std::string_view::npos) host = host.substr(0, port);
    parts.host = host;
  }
  parts.file = rest;
  if (const size_t mark = rest.find('?'); mark != std::string_view::npos) {
    parts.query = rest.substr(mark + 1);
    parts.has_query = true;
    rest = rest.substr(0, mark);
  }
  parts.path = rest;
  return true;
}

std::optional<std::string_view> urlPart(std::string_view text, std::string_view name) {
  UrlParts parts;
  if (!parseUrl(text, parts)) return std::nullopt;
  if (name == "PROTOCOL") return parts.protocol;
  if (name == "HOST") return parts.host;
  if (name == "PATH") return parts.path;
  if (name == "FILE") return parts.file;
  if (name == "AUTHORITY") return parts.authority;
  if (name == "QUERY" && parts.has_query) return parts.query;
  if (name == "REF" && parts.has_ref) return parts.ref;
  if (name == "USERINFO" && parts.has_user) return parts.user;
  return std::nullopt;
}

/// The first value of `key` in a query string.
std::optional<std::string_view> queryValue(std::string_view query, std::string_view key) {
  while (true) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    if (pair.size() > key.size() && pair.substr(0, key.size()) == key && pair[key.size()] == '=') return pair.substr(key.size() + 1);
    if (end == query.size()) return std::nullopt;
    query.remove_prefix(end + 1);
  }
}

/// Dotted numbers: the last one fills the rest of the 32 bits, as inet_aton has it.
std::optional<int64_t> addressNumber(std::string_view text) {
  std::vector<int64_t> parts;
  size_t begin = 0;
  while (true) {
    const size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (part.empty() || part.size() > 10 || !std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; })) return std::nullopt;
    parts.push_back(std::stoll(std::string(part)));
    if (end == text.size()) break;
    begin = end + 1;
  }
  if (parts.size() > 4) return std::nullopt;
  int64_t number = 0;
  for (size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] > 255) return std::nullopt;
    number |= parts[i] << (8 * (3 - i));
  }
  if (parts.back() >= int64_t{1} << (8 * (5 - parts.size()))) return std::nullopt;
  return number | parts.back();
}

bool addressText(int64_t number, std::string& out) {
  if (number < 0 || number > 0xFFFFFFFFLL) return false;
  for (int shift = 24; shift >= 0; shift -= 8) out += std::to_string((number >> shift) & 255) + (shift > 0 ? "." : "");
  return true;
}

}  // namespace

void addStringParseFunctions(ScalarList& list) {
  const DataType text = DataType::string();
  list.push_back({.name = "SPLIT", .category = "string", .signature = "SPLIT(text, delimiter)",
                  .description = "The pieces between the delimiters as an array; an empty delimiter gives single characters.",
                  .example = "SPLIT('a,b', ',')[2] = 'b'", .min_arguments = 2, .max_arguments = 2,
                  .resolve = signature({param::text("text"), param::text("delimiter")}, returns(DataType::array(text))),
                  .make = valueKernelMaker(split)});
  list.push_back({.name = "STR_TO_MAP", .category = "string", .signature = "STR_TO_MAP(text[, entry delimiter, key delimiter])",
                  .description = "A map from text such as 'a=1,b=2'; the delimiters are patterns.",
                  .example = "STR_TO_MAP('a=1,b=2')['b'] = '2'", .min_arguments = 1, .max_arguments = 3,
                  .resolve = signature({param::text("text"), param::optional(param::text("entry delimiter")), param::optional(param::text("key delimiter"))},
                                       returns(DataType::map(text, text))),
                  .make = valueKernelMaker(textToMap), .can_fail = true});
  list.push_back({.name = "URL_ENCODE", .category = "string", .signature = "URL_ENCODE(text)",
                  .description = "The text in the form of application/x-www-form-urlencoded, in UTF-8.", .example = "URL_ENCODE('a b') = 'a+b'",
                  .min_arguments = 1, .max_arguments = 1, .resolve = signature({param::text("text")}, returns(text)),
                  .make = kernelMaker<std::string(std::string_view)>([](std::string_view value, std::string& out) { urlEncode(value, out); })});
  list.push_back({.name = "URL_DECODE", .category = "string", .signature = "URL_DECODE(text)",
                  .description = "The text that URL_ENCODE made the argument of; NULL if it is malformed.", .example = "URL_DECODE('a+b') = 'a b'",
                  .min_arguments = 1, .max_arguments = 1, .resolve = signature({param::text("text")}, returnsNullable(text)),
                  .make = kernelMaker<std::string(std::string_view)>([](std::string_view value, std::string& out) { return urlDecode(value, out); })});
  list.push_back({.name = "PARSE_URL", .category = "string", .signature = "PARSE_URL(url, part[, key])",
                  .description = "A part of a URL: PROTOCOL, HOST, PATH, QUERY, REF, AUTHORITY, FILE or USERINFO; with a key, that key's value in the query.",
                  .example = "PARSE_URL('http://a.org/x?k=1', 'QUERY', 'k') = '1'", .min_arguments = 2, .max_arguments = 3,
                  .resolve = signature({param::text("url"), param::text("part"), param::optional(param::text("key"))}, returnsNullable(text)),
                  .make = [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    if (call.arguments.size() == 2) return functionKernel<std::string(std::string_view, std::string_view)>(call.result_type, urlPart);
                    return functionKernel<std::string(std::string_view, std::string_view, std::string_view)>(
                        call.result_type, [](std::string_view url, std::string_view part, std::string_view key) -> std::optional<std::string_view> {
                          if (part != "QUERY") return std::nullopt;
                          const auto query = urlPart(url, part);
                          return query ? queryValue(*query, key) : std::nullopt;
                        });
                  }});
  list.push_back({.name = "INET_ATON", .category = "string", .signature = "INET_ATON(text)",
                  .description = "The number of an IPv4 address; NULL if it is none.", .example = "INET_ATON('0.0.1.0') = 256",
                  .min_arguments = 1, .max_arguments = 1, .resolve = signature({param::text("text")}, returnsNullable(DataType::bigint())),
                  .make = kernelMaker<int64_t(std::string_view)>(addressNumber)});
  list.push_back({.name = "INET_NTOA", .category = "string", .signature = "INET_NTOA(number)",
                  .description = "The IPv4 address of a number; NULL if it is out of range.", .example = "INET_NTOA(256) = '0.0.1.0'",
                  .min_arguments = 1, .max_arguments = 1, .resolve = signature({param::bigint("number")}, returnsNullable(text)),
                  .make = kernelMaker<std::string(int64_t)>(addressText)});
}

}  // namespace thalweg
