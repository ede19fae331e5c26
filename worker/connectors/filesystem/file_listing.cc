#include "worker/connectors/filesystem/file_listing.h"

namespace thalweg::worker {
namespace {

bool isHidden(std::string_view name) { return !name.empty() && (name[0] == '.' || name[0] == '_'); }

Status listBelow(FileSystem& files, const std::string& folder, const FolderTest& wanted, std::vector<FileInfo>& out) {
  ASSIGN_OR_RETURN(const auto entries, files.list(folder));
  for (const FileInfo& entry : entries) {
    if (isHidden(fileNameOf(entry.path))) continue;
    if (!entry.is_folder) {
      out.push_back(entry);
      continue;
    }
    if (wanted) {
      ASSIGN_OR_RETURN(const bool is_wanted, wanted(entry.path));
      if (!is_wanted) continue;
    }
    RETURN_IF_ERROR(listBelow(files, entry.path, wanted, out));
  }
  return {};
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

Result<std::vector<FileInfo>> listTableFiles(FileSystem& files, const std::string& root, const FolderTest& wanted) {
  ASSIGN_OR_RETURN(const FileInfo info, files.stat(root));
  std::vector<FileInfo> found;
  if (!info.is_folder) {
    found.push_back(info);
    return found;
  }
  RETURN_IF_ERROR(listBelow(files, root, wanted, found));
  return found;
}

std::string unescapePathName(std::string_view name) {
  std::string text;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '%' && i + 2 < name.size() && hexDigit(name[i + 1]) >= 0 && hexDigit(name[i + 2]) >= 0) {
      text += static_cast<char>(hexDigit(name[i + 1]) * 16 + hexDigit(name[i + 2]));
      i += 2;
    } else {
      text += name[i];
    }
  }
  return text;
}

std::map<std::string, std::string> partitionValuesOf(const std::string& root, const std::string& path) {
  std::map<std::string, std::string> values;
  std::string_view rest = std::string_view(path).substr(std::min(root.size(), path.size()));
  while (!rest.empty()) {
    if (rest[0] == '/') rest.remove_prefix(1);
    const size_t end = rest.find('/');
    if (end == std::string_view::npos) break;   // the file itself
    const std::string_view folder = rest.substr(0, end);
    if (const size_t equals = folder.find('='); equals != std::string_view::npos) {
      values[unescapePathName(folder.substr(0, equals))] = unescapePathName(folder.substr(equals + 1));
    }
    rest.remove_prefix(end);
  }
  return values;
}

}  // namespace thalweg::worker
