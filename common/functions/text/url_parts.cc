#include "common/functions/text/url_parts.h"

#include <algorithm>
#include <cctype>

namespace thalweg {
namespace {

constexpr std::string_view kProtocols[] = {"http", "https", "ftp", "file", "jar", "mailto"};

/// `.` and `..` between slashes are resolved.
std::string resolveDots(std::string path) {
  constexpr size_t kNone = std::string::npos;
  for (size_t at = path.find("/./"); at != kNone; at = path.find("/./")) path.erase(at, 2);
  for (size_t at = path.find("/../"); at != kNone;) {
    const size_t parent = at > 0 ? path.rfind('/', at - 1) : kNone;
    if (parent != kNone && path.find("/../", parent) != 0) {
      path.erase(parent, at + 3 - parent);
      at = path.find("/../");
    } else {
      at = path.find("/../", at + 3);
    }
  }
  while (path.ends_with("/..")) {
    const size_t at = path.find("/..");
    const size_t parent = at > 0 ? path.rfind('/', at - 1) : kNone;
    if (parent == kNone) break;
    path.resize(parent + 1);
  }
  if (path.starts_with("./") && path.size() > 2) path.erase(0, 2);
  if (path.ends_with("/.")) path.pop_back();
  return path;
}

bool isPort(std::string_view text) {
  constexpr size_t kDigitsMax = 9;
  return text.size() <= kDigitsMax && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::optional<UrlParts> UrlParts::parse(std::string_view text) {
  const auto blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  UrlParts url;
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.find('/') < colon) return std::nullopt;
  url.protocol = text.substr(0, colon);
  for (char& c : url.protocol) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (std::ranges::find(kProtocols, url.protocol) == std::end(kProtocols)) return std::nullopt;
  text.remove_prefix(colon + 1);
  if (const size_t at = text.find('#'); at != std::string_view::npos) {
    url.reference = text.substr(at + 1);
    text = text.substr(0, at);
  }
  if (const size_t at = text.find('?'); at != std::string_view::npos) {
    url.query = text.substr(at + 1);
    text = text.substr(0, at);
  }
  if (text.starts_with("//") && !text.starts_with("////")) {
    text.remove_prefix(2);
    const size_t end = std::min(text.find('/'), text.size());
    if (!url.parseAuthority(text.substr(0, end))) return std::nullopt;
    text.remove_prefix(end);
  }
  url.path = resolveDots(std::string(text));
  return url;
}

bool UrlParts::parseAuthority(std::string_view text) {
  authority = text;
  std::string_view name = text;
  if (const size_t at = text.find('@'); at != std::string_view::npos) {
    if (text.rfind('@') != at) return true;  // neither user nor host is clear
    user_info = text.substr(0, at);
    name = text.substr(at + 1);
  }
  size_t end = name.find(':');
  if (name.starts_with('[')) {
    const size_t bracket = name.find(']');
    if (bracket == std::string_view::npos || bracket < 3) return false;
    end = bracket + 1 < name.size() ? bracket + 1 : std::string_view::npos;
    if (end != std::string_view::npos && name[end] != ':') return false;
  }
  host = name.substr(0, end);
  return end == std::string_view::npos || isPort(name.substr(end + 1));
}

std::optional<std::string> UrlParts::part(std::string_view name) const {
  if (name == "HOST") return host;
  if (name == "PATH") return path;
  if (name == "QUERY") return query;
  if (name == "REF") return reference;
  if (name == "PROTOCOL") return protocol;
  if (name == "AUTHORITY") return authority;
  if (name == "USERINFO") return user_info;
  if (name == "FILE") return query ? path + "?" + *query : path;
  return std::nullopt;
}

std::optional<std::string> UrlParts::queryValue(std::string_view key) const {
  if (!query) return std::nullopt;
  std::string_view rest = *query;
  while (true) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view entry = rest.substr(0, end);
    if (entry.size() > key.size() && entry.starts_with(key) && entry[key.size()] == '=') {
      return std::string(entry.substr(key.size() + 1));
    }
    if (end == rest.size()) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
}

}  // namespace thalweg
