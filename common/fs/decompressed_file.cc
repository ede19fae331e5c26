#include "common/fs/decompressed_file.h"

#include <zlib.h>
#include <zstd.h>

#include <vector>

namespace thalweg {
namespace {

constexpr size_t kReadBytes = size_t{1} << 17;
/// A frame that wants a larger window than this (128 MiB) is refused by zstd itself.
constexpr int kZstdWindowLogMax = 27;

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

}  // namespace

Result<std::unique_ptr<DecompressedFile>> openDecompressed(FileSystem& files, const std::string& path) {
  for (const char* suffix : {".bz2", ".xz", ".lzma"}) {
    if (path.ends_with(suffix)) return Status::notSupported("file '" + path + "' is compressed in a way that is not read: .gz, .deflate and .zst are");
  }
  const bool zlib = path.ends_with(".gz") || path.ends_with(".gzip") || path.ends_with(".deflate");
  const bool zstd = path.ends_with(".zst") || path.ends_with(".zstd");
  if (!zlib && !zstd) return std::unique_ptr<DecompressedFile>();
  ASSIGN_OR_RETURN(auto file, files.openForReading(path));
  Input input(std::move(file), path);
  if (zlib) return std::unique_ptr<DecompressedFile>(std::make_unique<ZlibFile>(std::move(input)));
  return std::unique_ptr<DecompressedFile>(std::make_unique<ZstdFile>(std::move(input)));
}

}  // namespace thalweg
