// UrlParts: a URL taken apart as java.net.URL does it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace thalweg {

struct UrlParts {
  std::string protocol;
  std::string host;
  std::string path;
  std::optional<std::string> authority;
  std::optional<std::string> user_info;
  std::optional<std::string> query;
  std::optional<std::string> reference;

  /// None without a protocol that Java knows (http, https, ftp, file, jar, mailto) and with a faulty port.
  static std::optional<UrlParts> parse(std::string_view text);
  /// HOST, PATH, QUERY, REF, PROTOCOL, AUTHORITY, FILE or USERINFO.
  std::optional<std::string> part(std::string_view name) const;
  /// The value of a key in the query.
  std::optional<std::string> queryValue(std::string_view key) const;

 private:
  bool parseAuthority(std::string_view text);
};

}  // namespace thalweg
