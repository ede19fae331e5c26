#include "common/fs/decompressed_file.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

namespace thalweg {
namespace {

constexpr size_t kReadBytes = size_t{1} << 17;
/// A frame that wants a larger window than this (128 MiB) is refused by zstd itself.
constexpr int kZstdWindowLogMax = 27;
constexpr uint64_t kXzMemoryBytesMax = uint64_t{256} << 20;

/// The compressed bytes, a piece at a time.
class Input {
 public:
  Input(std::unique_ptr<ReadableFile> file, std::string path) : file_(std::move(file)), path_(std::move(path)) {}

  /// What was read and not yet used; reads on when that is nothing. Empty at the end of the file.
  Result<std::span<uint8_t>> rest() {
    if (at_ == end_) {
      ASSIGN_OR_RETURN(end_, file_->readAt(offset_, bytes_));
      offset_ += static_cast<int64_t>(end_);
      at_ = 0;
    }
    return std::span<uint8_t>(bytes_).subspan(at_, end_ - at_);
  }
  void use(size_t bytes) { at_ += bytes; }
  Status damaged(const std::string& how) const { return Status::io("file '" + path_ + "' cannot be decompressed: " + how); }

 private:
  std::unique_ptr<ReadableFile> file_;
  std::string path_;
  std::vector<uint8_t> bytes_ = std::vector<uint8_t>(kReadBytes);
  int64_t offset_ = 0;
  size_t at_ = 0;
  size_t end_ = 0;
};

/// gzip and zlib, told apart by their heads.
class ZlibFile final : public DecompressedFile {
 public:
  explicit ZlibFile(Input input) : input_(std::move(input)) { ready_ = inflateInit2(&stream_, MAX_WBITS + 32) == Z_OK; }
  ~ZlibFile() override {
    if (ready_) inflateEnd(&stream_);
  }
  ZlibFile(const ZlibFile&) = delete;
  ZlibFile& operator=(const ZlibFile&) = delete;

  Result<size_t> read(std::span<uint8_t> target) override {
    if (!ready_) return input_.damaged("there is no memory for it");
    stream_.next_out = target.data();
    stream_.avail_out = static_cast<uInt>(target.size());
    while (stream_.avail_out == target.size()) {
      ASSIGN_OR_RETURN(const std::span<uint8_t> bytes, input_.rest());
      if (bytes.empty()) {
        if (within_) return input_.damaged("it ends too early");
        break;
      }
      if (!within_ && inflateReset(&stream_) != Z_OK) return input_.damaged("a piece of it cannot be begun");
      within_ = true;
      stream_.next_in = bytes.data();
      stream_.avail_in = static_cast<uInt>(bytes.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      input_.use(bytes.size() - stream_.avail_in);
      if (result == Z_STREAM_END) within_ = false;
      else if (result != Z_OK && result != Z_BUF_ERROR) return input_.damaged(stream_.msg != nullptr ? stream_.msg : "its data are damaged");
    }
    return target.size() - stream_.avail_out;
  }

 private:
  Input input_;
  z_stream stream_{};
  bool ready_ = false;
  bool within_ = false;          ///< a piece has begun and not ended
};

class ZstdFile final : public DecompressedFile {
 public:
  explicit ZstdFile(Input input) : input_(std::move(input)), stream_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    if (stream_) ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, kZstdWindowLogMax);
  }

  Result<size_t> read(std::span<uint8_t> target) override {
    if (!stream_) return input_.damaged("there is no memory for it");
    ZSTD_outBuffer out{target.data(), target.size(), 0};
    while (out.pos == 0) {
      ASSIGN_OR_RETURN(const std::span<uint8_t> bytes, input_.rest());
      if (bytes.empty() && !within_) break;
      ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
      const size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
      input_.use(in.pos);
      if (ZSTD_isError(result)) return input_.damaged(ZSTD_getErrorName(result));
      if (bytes.empty() && out.pos == 0) return input_.damaged("it ends too early");
      within_ = result != 0;
    }
    return out.pos;
  }

 private:
  Input input_;
  std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> stream_;
  bool within_ = false;          ///< a frame has begun and not ended
};

class Bzip2File final : public DecompressedFile {
 public:
  explicit Bzip2File(Input input) : input_(std::move(input)) {}
  ~Bzip2File() override { end(); }
  Bzip2File(const Bzip2File&) = delete;
  Bzip2File& operator=(const Bzip2File&) = delete;

  Result<size_t> read(std::span<uint8_t> target) override {
    stream_.next_out = reinterpret_cast<char*>(target.data());
    stream_.avail_out = static_cast<unsigned>(target.size());
    while (stream_.avail_out == target.size()) {
      ASSIGN_OR_RETURN(const std::span<uint8_t> bytes, input_.rest());
      if (bytes.empty()) {
        if (within_) return input_.damaged("it ends too early");
        break;
      }
      if (!within_ && BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) return input_.damaged("there is no memory for it");
      within_ = true;
      stream_.next_in = reinterpret_cast<char*>(bytes.data());
      stream_.avail_in = static_cast<unsigned>(bytes.size());
      const int result = BZ2_bzDecompress(&stream_);
      input_.use(bytes.size() - stream_.avail_in);
      if (result == BZ_STREAM_END) end();
      else if (result != BZ_OK) return input_.damaged("its data are damaged");
    }
    return target.size() - stream_.avail_out;
  }

 private:
  void end() {
    if (within_) BZ2_bzDecompressEnd(&stream_);
    within_ = false;
  }

  Input input_;
  bz_stream stream_{};
  bool within_ = false;          ///< a piece has begun and not ended
};

class XzFile final : public DecompressedFile {
 public:
  explicit XzFile(Input input) : input_(std::move(input)) { ready_ = lzma_stream_decoder(&stream_, kXzMemoryBytesMax, LZMA_CONCATENATED) == LZMA_OK; }
  ~XzFile() override { lzma_end(&stream_); }
  XzFile(const XzFile&) = delete;
  XzFile& operator=(const XzFile&) = delete;

  Result<size_t> read(std::span<uint8_t> target) override {
    if (!ready_) return input_.damaged("there is no memory for it");
    stream_.next_out = target.data();
    stream_.avail_out = target.size();
    while (!ended_ && stream_.avail_out == target.size()) {
      ASSIGN_OR_RETURN(const std::span<uint8_t> bytes, input_.rest());
      if (bytes.empty() && !begun_) break;
      begun_ = true;
      stream_.next_in = bytes.data();
      stream_.avail_in = bytes.size();
      const lzma_ret result = lzma_code(&stream_, bytes.empty() ? LZMA_FINISH : LZMA_RUN);
      input_.use(bytes.size() - stream_.avail_in);
      if (result == LZMA_STREAM_END) ended_ = true;
      else if (result == LZMA_MEMLIMIT_ERROR) return input_.damaged("it wants more than 256 MiB of memory");
      else if (bytes.empty() && result == LZMA_BUF_ERROR) return input_.damaged("it ends too early");
      else if (result != LZMA_OK) return input_.damaged("its data are damaged");
    }
    return target.size() - stream_.avail_out;
  }

 private:
  Input input_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ready_ = false;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace

Compression compressionOf(std::string_view path) {
  const auto endsWith = [&](std::initializer_list<std::string_view> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
  };
  if (endsWith({".gz", ".gzip", ".deflate"})) return Compression::ZLIB;
  if (endsWith({".zst", ".zstd"})) return Compression::ZSTD;
  if (endsWith({".bz2"})) return Compression::BZIP2;
  return endsWith({".xz"}) ? Compression::XZ : Compression::NONE;
}

Result<std::unique_ptr<DecompressedFile>> openDecompressed(FileSystem& files, const std::string& path) {
  const Compression compression = compressionOf(path);
  if (compression == Compression::NONE) return std::unique_ptr<DecompressedFile>();
  ASSIGN_OR_RETURN(auto file, files.openForReading(path));
  Input input(std::move(file), path);
  switch (compression) {
    case Compression::ZSTD: return std::unique_ptr<DecompressedFile>(std::make_unique<ZstdFile>(std::move(input)));
    case Compression::BZIP2: return std::unique_ptr<DecompressedFile>(std::make_unique<Bzip2File>(std::move(input)));
    case Compression::XZ: return std::unique_ptr<DecompressedFile>(std::make_unique<XzFile>(std::move(input)));
    default: return std::unique_ptr<DecompressedFile>(std::make_unique<ZlibFile>(std::move(input)));
  }
}

}  // namespace thalweg
