#include "common/fs/durable_folders.h"

namespace thalweg {

Status createFoldersDurably(FileSystem& files, const std::string& folder) {
  if (files.stat(folder).isOk()) return {};
  std::vector<std::string> parents = {folderOf(folder)};
  while (!files.stat(parents.back()).isOk() && parents.back() != "/") parents.push_back(folderOf(parents.back()));
  RETURN_IF_ERROR(files.createFolders(folder));
  for (const std::string& parent : parents) RETURN_IF_ERROR(files.syncFolder(parent));
  return {};
}

}  // namespace thalweg
