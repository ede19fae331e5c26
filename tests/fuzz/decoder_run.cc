#include "tests/fuzz/decoder_run.h"

#include <cstring>

#include "common/base/check.h"

namespace thalweg::fuzz {
namespace {

struct Summary {
  size_t rows = 0;
  size_t values = 0;       // that are not NULL
  std::string error;
  uint64_t skipped = 0;
  bool operator==(const Summary&) const = default;
};

void count(const Batch& batch, Summary& summary) {
  summary.rows += batch.rows();
  for (size_t column = 0; column < batch.columnCount(); ++column) {
    for (size_t row = 0; row < batch.rows(); ++row) summary.values += !batch.column(column)->valueAt(row).isNull();
  }
}

Summary decode(const DecoderSpec& spec, std::string_view text, size_t piece_bytes, size_t rows_max) {
  Summary summary;
  auto made = makeFormatDecoder(spec);
  if (!made.isOk()) return summary;
  FormatDecoder& decoder = **made;
  std::string kept;
  for (size_t at = 0;;) {
    const size_t size = std::min(piece_bytes, text.size() - at);
    kept.append(text.substr(at, size));
    at += size;
    MutableBufferPtr buffer = Buffer::allocate(kept.size() + kDecoderPaddingBytes);
    if (!kept.empty()) std::memcpy(buffer->mutableData(), kept.data(), kept.size());
    std::memset(buffer->mutableData() + kept.size(), '"', kDecoderPaddingBytes);
    decoder.feed(buffer, 0, kept.size(), at == text.size());
    for (;;) {
      const Status status = decoder.decode(rows_max);
      const size_t rows = decoder.rows();
      if (rows > 0) count(decoder.take(), summary);
      if (!status.isOk()) {
        summary.error = status.message();
        return summary;
      }
      if (rows == 0) break;
    }
    CHECK(decoder.position() <= kept.size());
    kept.erase(0, decoder.position());
    if (at == text.size()) break;
  }
  summary.skipped = decoder.skippedRecords();
  return summary;
}

}  // namespace

void runDecoder(const DecoderSpec& spec, std::string_view text) {
  const Summary whole = decode(spec, text, text.size() + 1, 8192);
  const Summary pieces = decode(spec, text, 13, 2);
  CHECK_MSG(whole == pieces, whole.error + " / " + pieces.error);
}

}  // namespace thalweg::fuzz
