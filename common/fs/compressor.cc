#include "common/fs/compressor.h"

#include <zlib.h>
#include <zstd.h>

namespace thalweg {
namespace {

constexpr size_t kStepBytes = size_t{64} << 10;
constexpr int kZstdLevel = 3;

Status noMemory() { return Status::io("there is no memory for compressing"); }

class GzipCompressor final : public Compressor {
 public:
  GzipCompressor() {
    constexpr int kGzipHead = 16;
    ready_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipHead, MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~GzipCompressor() override {
    if (ready_) deflateEnd(&stream_);
  }
  GzipCompressor(const GzipCompressor&) = delete;
  GzipCompressor& operator=(const GzipCompressor&) = delete;

  Status append(std::string_view bytes, std::string& out) override {
    if (bytes.empty()) return {};
    within_ = true;
    return step(bytes, Z_NO_FLUSH, out);
  }
  Status endPiece(std::string& out) override {
    if (!within_) return {};
    within_ = false;
    RETURN_IF_ERROR(step({}, Z_FINISH, out));
    return deflateReset(&stream_) == Z_OK ? Status() : noMemory();
  }
  std::string_view fileEnding() const override { return ".gz"; }

 private:
  Status step(std::string_view bytes, int flush, std::string& out) {
    if (!ready_) return noMemory();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      const size_t before = out.size();
      out.resize(before + kStepBytes);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
      stream_.avail_out = static_cast<uInt>(kStepBytes);
      const int result = deflate(&stream_, flush);
      out.resize(before + kStepBytes - stream_.avail_out);
      if (result == Z_STREAM_ERROR) return noMemory();
    } while (stream_.avail_out == 0);
    return {};
  }

  z_stream stream_{};
  bool ready_ = false;
  bool within_ = false;
};

class ZstdCompressor final : public Compressor {
 public:
  ZstdCompressor() : stream_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
    if (stream_) ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, kZstdLevel);
    if (stream_) ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

  Status append(std::string_view bytes, std::string& out) override {
    if (bytes.empty()) return {};
    within_ = true;
    return step(bytes, ZSTD_e_continue, out);
  }
  Status endPiece(std::string& out) override {
    if (!within_) return {};
    within_ = false;
    return step({}, ZSTD_e_end, out);
  }
  std::string_view fileEnding() const override { return ".zst"; }

 private:
  Status step(std::string_view bytes, ZSTD_EndDirective directive, std::string& out) {
    if (!stream_) return noMemory();
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (bool done = false; !done;) {
      const size_t before = out.size();
      out.resize(before + kStepBytes);
      ZSTD_outBuffer piece{out.data() + before, kStepBytes, 0};
      const size_t left = ZSTD_compressStream2(stream_.get(), &piece, &in, directive);
      out.resize(before + piece.pos);
      if (ZSTD_isError(left)) return Status::io(std::string("compressing failed: ") + ZSTD_getErrorName(left));
      done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
    return {};
  }

  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> stream_;
  bool within_ = false;
};

}  // namespace

Result<std::unique_ptr<Compressor>> makeCompressor(const std::string& name) {
  if (name == "none") return std::unique_ptr<Compressor>();
  if (name == "gzip") return std::unique_ptr<Compressor>(std::make_unique<GzipCompressor>());
  if (name == "zstd") return std::unique_ptr<Compressor>(std::make_unique<ZstdCompressor>());
  return Status::plan("expected none, gzip or zstd as compression, found '" + name + "'");
}

}  // namespace thalweg
