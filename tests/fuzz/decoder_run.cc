#include "tests/fuzz/decoder_run.h"

#include "common/base/check.h"
#include "tests/support/piecewise_decoding.h"

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
  const Status status = testing::decodeInPieces(decoder, text, piece_bytes, rows_max, [&](const Batch& batch) { count(batch, summary); });
  if (!status.isOk()) {
    summary.error = status.message();
    return summary;
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
