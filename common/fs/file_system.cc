#include "common/fs/file_system.h"

#include <algorithm>

namespace thalweg {
namespace {

bool isSchemeChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/// The part before `:`, if `url` begins with a scheme and a slash follows.
std::string_view schemeOf(std::string_view url) {
  const size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 >= url.size() || url[colon + 1] != '/') return {};
  const std::string_view scheme = url.substr(0, colon);
  return std::all_of(scheme.begin(), scheme.end(), isSchemeChar) ? scheme : std::string_view();
}

}  // namespace

Status FileSystem::link(const std::string& from, const std::string&) { return Status::notSupported("cannot link to '" + from + "' here"); }

Result<std::string> pathOfUrl(std::string_view url) {
  std::string_view path = url;
  if (const std::string_view scheme = schemeOf(url); !scheme.empty()) {
    if (scheme != "file") {
      return Status::notSupported("the file system '" + std::string(scheme) + ":' of '" + std::string(url) +
                                  "'; only local files are supported");
    }
    path.remove_prefix(scheme.size() + 1);
    if (path.starts_with("//")) {
      path.remove_prefix(2);
      const size_t slash = path.find('/');
      if (slash != 0 && path.substr(0, slash) != "localhost") {
        return Status::notSupported("the host in '" + std::string(url) + "'; write file:///path for local files");
      }
      path.remove_prefix(slash);
    }
  }
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path.empty()) return Status::invalid("expected a path, found an empty text");
  return std::string(path);
}

std::string joinPath(std::string_view folder, std::string_view name) {
  std::string path(folder);
  if (!path.ends_with('/')) path += '/';
  return path.append(name);
}

std::string_view fileNameOf(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string folderOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(path.substr(0, std::max(slash, size_t{1})));
}

}  // namespace thalweg
