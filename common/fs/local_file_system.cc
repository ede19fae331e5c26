#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/fs/file_system.h"

namespace thalweg {
namespace {

Status failure(std::string_view action, const std::string& path) {
  const int error = errno;
  std::string message = "cannot " + std::string(action) + " '" + path + "': " + std::strerror(error);
  return error == ENOENT ? Status::notFound(std::move(message)) : Status::io(std::move(message));
}

/// An open descriptor, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

class LocalReadableFile : public ReadableFile {
 public:
  LocalReadableFile(std::string path, int descriptor, int64_t size) : path_(std::move(path)), file_(descriptor), size_(size) {}

  int64_t sizeBytes() const override { return size_; }

  Result<size_t> readAt(int64_t offset, std::span<uint8_t> target) override {
    size_t done = 0;
    while (done < target.size()) {
      const ssize_t got = ::pread(file_.number(), target.data() + done, target.size() - done, offset + static_cast<int64_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return failure("read", path_);
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    return done;
  }

 private:
  std::string path_;
  Descriptor file_;
  int64_t size_;
};

class LocalWritableFile : public WritableFile {
 public:
  LocalWritableFile(std::string path, int descriptor) : path_(std::move(path)), file_(descriptor) {}

  Status append(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return failure("write to", path_);
      bytes.remove_prefix(static_cast<size_t>(written));
    }
    return {};
  }
  Status sync() override { return ::fsync(file_.number()) == 0 ? Status() : failure("sync", path_); }
  Status close() override { return ::close(file_.release()) == 0 ? Status() : failure("close", path_); }

 private:
  std::string path_;
  Descriptor file_;
};

FileInfo infoOf(std::string path, const struct stat& status) {
  FileInfo info;
  info.path = std::move(path);
  info.is_folder = S_ISDIR(status.st_mode);
  info.size_bytes = info.is_folder ? 0 : status.st_size;
  info.modified_ms = static_cast<int64_t>(status.st_mtim.tv_sec) * 1000 + status.st_mtim.tv_nsec / 1'000'000;
  return info;
}

class LocalFileSystem : public FileSystem {
 public:
  Result<FileInfo> stat(const std::string& path) override {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return failure("find", path);
    return infoOf(path, status);
  }

  Result<std::vector<FileInfo>> list(const std::string& folder) override {
    DIR* opened = ::opendir(folder.c_str());
    if (opened == nullptr) return failure("list", folder);
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(opened)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    ::closedir(opened);
    std::sort(names.begin(), names.end());
    std::vector<FileInfo> entries;
    for (const std::string& name : names) {
      Result<FileInfo> entry = stat(joinPath(folder, name));
      if (entry.isOk()) entries.push_back(*std::move(entry));
      else if (entry.status().code() != StatusCode::NOT_FOUND) return entry.status();  // else: gone since it was listed
    }
    return entries;
  }

  Result<std::unique_ptr<ReadableFile>> openForReading(const std::string& path) override {
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return failure("open", path);
    if (!S_ISREG(status.st_mode)) return Status::io("cannot read '" + path + "': it is not a plain file");
    return std::unique_ptr<ReadableFile>(std::make_unique<LocalReadableFile>(path, file.release(), status.st_size));
  }

  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return failure("create", path);
    return std::unique_ptr<WritableFile>(std::make_unique<LocalWritableFile>(path, file));
  }

  Result<std::unique_ptr<WritableFile>> reopen(const std::string& path, int64_t size_bytes) override {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    struct stat status {};
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return failure("open", path);
    if (status.st_size < size_bytes) {
      return Status::io("cannot write on in '" + path + "': expected at least " + std::to_string(size_bytes) + " bytes, found " +
                        std::to_string(status.st_size));
    }
    if (::ftruncate(file.number(), size_bytes) != 0) return failure("cut", path);
    return std::unique_ptr<WritableFile>(std::make_unique<LocalWritableFile>(path, file.release()));
  }

  Status createFolders(const std::string& folder) override {
    if (::mkdir(folder.c_str(), 0777) == 0) return {};
    if (errno == ENOENT && folder != folderOf(folder)) {
      RETURN_IF_ERROR(createFolders(folderOf(folder)));
      if (::mkdir(folder.c_str(), 0777) == 0) return {};
    }
    if (errno != EEXIST) return failure("create folder", folder);
    struct stat status {};
    if (::stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return {};
    return Status::io("cannot create folder '" + folder + "': a file of that name stands there");
  }

  Status rename(const std::string& from, const std::string& to) override {
    return ::rename(from.c_str(), to.c_str()) == 0 ? Status() : failure("rename to '" + to + "'", from);
  }

  Status link(const std::string& from, const std::string& to) override {
    return ::link(from.c_str(), to.c_str()) == 0 ? Status() : failure("link to", from);
  }

  Status remove(const std::string& path) override { return std::remove(path.c_str()) == 0 ? Status() : failure("remove", path); }

  Status syncFolder(const std::string& folder) override {
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.number() < 0 || ::fsync(file.number()) != 0) return failure("sync folder", folder);
    return {};
  }
};

}  // namespace

FileSystem& localFileSystem() {
  static LocalFileSystem instance;
  return instance;
}

}  // namespace thalweg
