// Batches as bytes between processes: what enters an exchange frame or a result message, and comes out of it.
//
// Encoding copies nothing that is flat already: the pieces are a header of our own and the columns' buffers, each
// padded so that it stands 64-byte aligned in the frame. Dictionaries and text that pins much foreign memory are
// compacted first; constants stay constants.
// Decoding borrows from the frame, which the batch keeps alive. The bytes come from a stranger: every size, offset,
// string reference and nested length is checked, so that a batch that comes out is safe to process; a bad frame is
// IO_ERROR. What is sent is described in docs/protocol/exchange.md. Threads: pure functions.
#pragma once

#include <span>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"

namespace thalweg {

constexpr size_t kWireAlignment = 64;
/// The most that a decoder takes; senders split what is larger.
constexpr uint32_t kWireRowsMax = 1U << 24;

/// The bytes of `batch` as pieces to be written one after the other. Every piece is a
/// multiple of kWireAlignment long.
std::vector<BufferPtr> encodeBatch(const Batch& batch);
size_t piecesBytes(std::span<const BufferPtr> pieces);
/// One buffer of all pieces, aligned.
BufferPtr joinPieces(std::span<const BufferPtr> pieces);

/// The batch in frame[offset, end); `offset` is a multiple of kWireAlignment.
Result<Batch> decodeBatch(const BufferPtr& frame, size_t offset, std::span<const DataType> types);

}  // namespace thalweg
