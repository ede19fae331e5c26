// Compressor: bytes into compressed pieces, one behind the other, which readers take for one file (decompressed_file.h).
//
// A piece that was ended can be cut off behind it and written on: that is where checkpoints cut. Errors: IO_ERROR when
// there is no memory. Threads: one owner.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

class Compressor {
 public:
  virtual ~Compressor() = default;
  /// Adds what is ready of the compressed bytes to `out`.
  virtual Status append(std::string_view bytes, std::string& out) = 0;
  /// Adds the rest of the piece; what follows is a new one. Nothing, if nothing was appended.
  virtual Status endPiece(std::string& out) = 0;
  /// How names of such files end: `.gz`.
  virtual std::string_view fileEnding() const = 0;
};

/// `gzip` or `zstd`; null for `none`. PLAN_ERROR for others.
Result<std::unique_ptr<Compressor>> makeCompressor(const std::string& name);

}  // namespace thalweg
