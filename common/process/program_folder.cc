#include "common/process/program_folder.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

namespace thalweg {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDigestDigits = 64;
constexpr const char* kPartSuffix = ".part-";
constexpr const char* kHexDigits = "0123456789abcdef";

/// Digests come over the network and become file names.
bool isDigest(const std::string& text) { return text.size() == kDigestDigits && text.find_first_not_of(kHexDigits) == std::string::npos; }
bool isUpload(const std::string& text) { return !text.empty() && text.size() <= 32 && text.find_first_not_of(kHexDigits) == std::string::npos; }

Status failure(const std::string& what, const std::string& path) { return Status::io("cannot " + what + " " + path + ": " + std::strerror(errno)); }

Status writeAt(const std::string& path, uint64_t offset, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | (offset == 0 ? O_TRUNC : 0), 0700);
  if (file < 0) return failure("write", path);
  struct stat found {};
  Status status;
  if (fstat(file, &found) != 0 || static_cast<uint64_t>(found.st_size) != offset) status = Status::invalid("pieces of a program come in order");
  for (size_t written = 0; status.isOk() && written < bytes.size();) {
    const ssize_t count = pwrite(file, bytes.data() + written, bytes.size() - written, static_cast<off_t>(offset + written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) status = failure("write", path);
    else written += static_cast<size_t>(count);
  }
  close(file);
  return status;
}

Status makeDurable(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return failure("open", path);
  const bool well = fsync(file) == 0;
  const Status status = well ? Status() : failure("write", path);
  close(file);
  return status;
}

}  // namespace

Result<std::string> digestOfFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return failure("read", path);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  if (!context || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) return Status::internal("SHA-256 is not there");
  std::string piece(ProgramFolder::kPieceBytes, '\0');
  while (stream.read(piece.data(), static_cast<std::streamsize>(piece.size())) || stream.gcount() > 0) {
    EVP_DigestUpdate(context.get(), piece.data(), static_cast<size_t>(stream.gcount()));
  }
  if (stream.bad()) return failure("read", path);
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  if (EVP_DigestFinal_ex(context.get(), digest, &size) != 1) return Status::internal("SHA-256 failed");
  std::string text;
  for (unsigned i = 0; i < size; ++i) {
    text += kHexDigits[digest[i] >> 4];
    text += kHexDigits[digest[i] & 15];
  }
  return text;
}

Status ProgramFolder::open() {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return Status::io("cannot make " + folder_ + ": " + error.message());
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    if (entry.path().filename().string().find(kPartSuffix) != std::string::npos) fs::remove(entry.path(), error);
  }
  return {};
}

bool ProgramFolder::has(const std::string& digest) const { return isDigest(digest) && access(pathOf(digest).c_str(), F_OK) == 0; }

Status ProgramFolder::append(const std::string& digest, const std::string& upload, uint64_t offset, std::string_view bytes, uint64_t size) {
  if (!isDigest(digest) || !isUpload(upload)) return Status::invalid("expected the SHA-256 of a program and a name of its upload, as hexadecimal digits");
  if (size == 0 || size > kProgramBytesMax) {
    return Status::exhausted("a program may have " + std::to_string(kProgramBytesMax) + " bytes, this one has " + std::to_string(size) + "; strip it of debug information");
  }
  if (bytes.empty() || bytes.size() > kPieceBytes || offset > size || bytes.size() > size - offset) return Status::invalid("a piece of a program does not fit it");
  const std::string part = pathOf(digest) + kPartSuffix + upload;
  Status status = writeAt(part, offset, bytes);
  if (status.isOk() && offset + bytes.size() == size) status = complete(digest, part);
  if (!status.isOk()) std::remove(part.c_str());
  return status;
}

Status ProgramFolder::complete(const std::string& digest, const std::string& part) {
  ASSIGN_OR_RETURN(const std::string found, digestOfFile(part));
  if (found != digest) return Status::invalid("the bytes of a program do not have the digest that was announced; it changed while it was read, or on its way");
  RETURN_IF_ERROR(makeDurable(part));
  if (std::rename(part.c_str(), pathOf(digest).c_str()) != 0) return failure("rename", part);
  return makeDurable(folder_);
}

Result<std::string> ProgramFolder::read(const std::string& digest, uint64_t offset) const {
  if (!has(digest)) return Status::notFound("there is no program " + digest);
  std::ifstream stream(pathOf(digest), std::ios::binary);
  std::string bytes(kPieceBytes, '\0');
  stream.seekg(static_cast<std::streamoff>(offset));
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (stream.bad()) return failure("read", pathOf(digest));
  bytes.resize(static_cast<size_t>(std::max<std::streamsize>(0, stream.gcount())));
  return bytes;
}

void ProgramFolder::touch(const std::string& digest) const {
  if (has(digest)) utimensat(AT_FDCWD, pathOf(digest).c_str(), nullptr, 0);
}

void ProgramFolder::removeAllBut(const std::set<std::string>& kept, size_t unused_max) const {
  std::error_code error;
  std::vector<std::pair<fs::file_time_type, fs::path>> unused;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (!isDigest(name) || kept.contains(name)) continue;
    const auto time = entry.last_write_time(error);
    unused.emplace_back(time, entry.path());
  }
  std::sort(unused.rbegin(), unused.rend());
  for (size_t i = unused_max; i < unused.size(); ++i) fs::remove(unused[i].second, error);
}

}  // namespace thalweg
