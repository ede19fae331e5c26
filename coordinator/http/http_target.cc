#include <algorithm>

#include "coordinator/http/http_server.h"

namespace thalweg::coordinator {
namespace {

int digitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Result<std::string> decoded(std::string_view text, bool plus_is_space) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      const int high = i + 2 <= text.size() - 1 ? digitOf(text[i + 1]) : -1;
      const int low = i + 2 <= text.size() - 1 ? digitOf(text[i + 2]) : -1;
      if (high < 0 || low < 0) return Status::invalid("expected two hexadecimal digits behind '%'");
      plain += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      plain += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

}  // namespace

Result<HttpRequest> parseTarget(const std::string& method, const std::string& target) {
  if (target.empty() || target[0] != '/') return Status::invalid("expected a path that begins with '/'");
  HttpRequest request;
  request.method = method;
  const size_t question = target.find('?');
  ASSIGN_OR_RETURN(request.path, decoded(std::string_view(target).substr(0, question), false));
  if (question == std::string::npos) return request;
  std::string_view rest = std::string_view(target).substr(question + 1);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t equals = std::min(pair.find('='), pair.size());
    ASSIGN_OR_RETURN(const std::string key, decoded(pair.substr(0, equals), true));
    ASSIGN_OR_RETURN(request.query[key], decoded(pair.substr(std::min(equals + 1, pair.size())), true));
  }
  return request;
}

}  // namespace thalweg::coordinator
