#include "tests/support/forgetful_file_system.h"

#include <algorithm>
#include <cstring>

namespace thalweg::testing {

class ForgetfulFile final : public ReadableFile, public WritableFile {
 public:
  ForgetfulFile(ForgetfulFileSystem& files, std::shared_ptr<ForgetfulFileSystem::Node> node) : files_(files), node_(std::move(node)) {}

  int64_t sizeBytes() const override { return static_cast<int64_t>(node_->content.size()); }
  Result<size_t> readAt(int64_t offset, std::span<uint8_t> target) override {
    const size_t begin = std::min(static_cast<size_t>(offset), node_->content.size());
    const size_t bytes = std::min(target.size(), node_->content.size() - begin);
    std::memcpy(target.data(), node_->content.data() + begin, bytes);
    return bytes;
  }
  Status append(std::string_view bytes) override {
    RETURN_IF_ERROR(files_.change());
    node_->content += bytes;
    return {};
  }
  Status sync() override {
    RETURN_IF_ERROR(files_.change());
    node_->synced = node_->content;
    return {};
  }
  Status close() override { return {}; }

 private:
  ForgetfulFileSystem& files_;
  std::shared_ptr<ForgetfulFileSystem::Node> node_;
};

ForgetfulFileSystem::ForgetfulFileSystem() : root_(newFolder()) {}

std::shared_ptr<ForgetfulFileSystem::Node> ForgetfulFileSystem::newFolder() {
  auto folder = std::make_shared<Node>();
  folder->is_folder = true;
  return folder;
}

Status ForgetfulFileSystem::change() {
  ++changes_;
  return crash_at_ > 0 && changes_ >= crash_at_ ? Status::io("the machine has crashed") : Status();
}

std::shared_ptr<ForgetfulFileSystem::Node> ForgetfulFileSystem::find(const std::string& path) const {
  std::shared_ptr<Node> node = root_;
  for (size_t begin = 1; begin < path.size() && node;) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const auto found = node->names.find(path.substr(begin, end - begin));
    node = found == node->names.end() ? nullptr : found->second;
    begin = end + 1;
  }
  return node;
}

Result<std::shared_ptr<ForgetfulFileSystem::Node>> ForgetfulFileSystem::folderWith(const std::string& path) const {
  auto folder = find(folderOf(path));
  if (!folder || !folder->is_folder) return Status::notFound("there is no folder for '" + path + "'");
  return folder;
}

std::shared_ptr<ForgetfulFileSystem::Node> ForgetfulFileSystem::survivor(const Node& node, Survives survives) {
  auto left = std::make_shared<Node>();
  left->is_folder = node.is_folder;
  left->content = survives == Survives::EVERYTHING ? node.content : node.synced;
  left->synced = left->content;
  for (const auto& [name, below] : survives == Survives::SYNCED_ONLY ? node.synced_names : node.names) left->names[name] = survivor(*below, survives);
  left->synced_names = left->names;
  return left;
}

std::unique_ptr<ForgetfulFileSystem> ForgetfulFileSystem::afterCrash(Survives survives) const {
  auto after = std::make_unique<ForgetfulFileSystem>();
  after->root_ = survivor(*root_, survives);
  return after;
}

Result<FileInfo> ForgetfulFileSystem::stat(const std::string& path) {
  const auto node = find(path);
  if (!node) return Status::notFound("there is no '" + path + "'");
  return FileInfo{path, node->is_folder, static_cast<int64_t>(node->content.size()), 0};
}

Result<std::vector<FileInfo>> ForgetfulFileSystem::list(const std::string& folder) {
  const auto node = find(folder);
  if (!node) return Status::notFound("there is no '" + folder + "'");
  std::vector<FileInfo> found;
  for (const auto& [name, below] : node->names) found.push_back({joinPath(folder, name), below->is_folder, static_cast<int64_t>(below->content.size()), 0});
  return found;
}

Result<std::unique_ptr<ReadableFile>> ForgetfulFileSystem::openForReading(const std::string& path) {
  const auto node = find(path);
  if (!node) return Status::notFound("there is no '" + path + "'");
  return std::unique_ptr<ReadableFile>(std::make_unique<ForgetfulFile>(*this, node));
}

Result<std::unique_ptr<WritableFile>> ForgetfulFileSystem::create(const std::string& path) {
  RETURN_IF_ERROR(change());
  ASSIGN_OR_RETURN(const auto folder, folderWith(path));
  auto node = std::make_shared<Node>();
  folder->names[std::string(fileNameOf(path))] = node;
  return std::unique_ptr<WritableFile>(std::make_unique<ForgetfulFile>(*this, node));
}

Result<std::unique_ptr<WritableFile>> ForgetfulFileSystem::reopen(const std::string& path, int64_t size_bytes) {
  RETURN_IF_ERROR(change());
  const auto node = find(path);
  if (!node) return Status::notFound("there is no '" + path + "'");
  if (node->content.size() < static_cast<size_t>(size_bytes)) return Status::io("'" + path + "' is shorter");
  node->content.resize(static_cast<size_t>(size_bytes));
  return std::unique_ptr<WritableFile>(std::make_unique<ForgetfulFile>(*this, node));
}

Status ForgetfulFileSystem::createFolders(const std::string& folder) {
  if (find(folder)) return {};
  RETURN_IF_ERROR(createFolders(folderOf(folder)));
  RETURN_IF_ERROR(change());
  find(folderOf(folder))->names[std::string(fileNameOf(folder))] = newFolder();
  return {};
}

Status ForgetfulFileSystem::rename(const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(change());
  const auto node = find(from);
  if (!node) return Status::notFound("there is no '" + from + "'");
  ASSIGN_OR_RETURN(const auto target, folderWith(to));
  find(folderOf(from))->names.erase(std::string(fileNameOf(from)));
  target->names[std::string(fileNameOf(to))] = node;
  return {};
}

Status ForgetfulFileSystem::link(const std::string& from, const std::string& to) {
  RETURN_IF_ERROR(change());
  const auto node = find(from);
  if (!node) return Status::notFound("there is no '" + from + "'");
  ASSIGN_OR_RETURN(const auto target, folderWith(to));
  const bool is_new = target->names.emplace(std::string(fileNameOf(to)), node).second;
  return is_new ? Status() : Status::io("'" + to + "' exists");
}

Status ForgetfulFileSystem::remove(const std::string& path) {
  RETURN_IF_ERROR(change());
  const auto node = find(path);
  if (!node) return Status::notFound("there is no '" + path + "'");
  if (!node->names.empty()) return Status::io("'" + path + "' is not empty");
  find(folderOf(path))->names.erase(std::string(fileNameOf(path)));
  return {};
}

Status ForgetfulFileSystem::syncFolder(const std::string& folder) {
  RETURN_IF_ERROR(change());
  const auto node = find(folder);
  if (!node) return Status::notFound("there is no '" + folder + "'");
  node->synced_names = node->names;
  return {};
}

}  // namespace thalweg::testing
