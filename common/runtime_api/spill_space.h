// SpillSpace: where operators of a batch job put rows that memory has no room for.
//
//   SpillSpace* space = spillSpaceOf(context);                    // null: everything stays in memory
//   if (space != nullptr && space->isShort(held_bytes)) {
//     ASSIGN_OR_RETURN(std::unique_ptr<SpillFile> file, space->createFile());
//     RETURN_IF_ERROR(file->append(batch));                       // … and later file->read(0)
//   }
//
// Keyed state leaves memory by itself (worker/state); this is for what operators and channels hold as batches.
// Nothing here is durable: a file goes with its object. Errors: IO_ERROR naming the file.
// Threads: a space any; a file one at a time. Lifetime: the space outlives the operator's close().
#pragma once

#include <cstdint>
#include <memory>

#include "common/runtime_api/operator.h"

namespace thalweg {

/// Batches in a file. What is in it takes some dozen bytes of memory a batch.
class SpillFile {
 public:
  virtual ~SpillFile() = default;
  /// All batches of a file have the same columns.
  virtual Status append(const Batch& batch) = 0;
  virtual size_t batches() const = 0;
  /// Batch `number` as it was appended, from 0 on; further ones may be appended afterwards.
  virtual Result<Batch> read(size_t number) = 0;
};

class SpillSpace {
 public:
  virtual ~SpillSpace() = default;
  /// Whether a holder of so many bytes is to let go of them now: memory is short and they are a good part of it, or they
  /// alone are too much. To be asked for every batch that is added.
  virtual bool isShort(size_t held_bytes) = 0;
  virtual Result<std::unique_ptr<SpillFile>> createFile() = 0;
};

/// What an OperatorContext is besides, where there is such a space.
class SpillSpaceOwner {
 public:
  virtual ~SpillSpaceOwner() = default;
  virtual SpillSpace* spillSpace() = 0;
};

inline SpillSpace* spillSpaceOf(OperatorContext& context) {
  auto* owner = dynamic_cast<SpillSpaceOwner*>(&context);
  return owner == nullptr ? nullptr : owner->spillSpace();
}

}  // namespace thalweg
