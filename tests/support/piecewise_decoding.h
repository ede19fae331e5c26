// Feeds a decoder as readers do: piece by piece, what it left over first, with padding behind that must not be looked at.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "common/base/check.h"
#include "common/formats/format_decoder.h"

namespace thalweg::testing {

/// Calls `take_batch(Batch)` for every batch, of `rows_max` rows at the most; the failure that ended the decoding, if any.
template <typename TakeBatch>
Status decodeInPieces(FormatDecoder& decoder, std::string_view text, size_t piece_bytes, size_t rows_max, TakeBatch take_batch) {
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
      if (rows > 0) take_batch(decoder.take());
      if (!status.isOk()) return status;
      if (rows == 0) break;
    }
    CHECK(decoder.position() <= kept.size());
    kept.erase(0, decoder.position());
    if (at == text.size()) return {};
  }
}

}  // namespace thalweg::testing
