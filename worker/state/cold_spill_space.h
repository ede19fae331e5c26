// ColdSpillSpace: the spill space of a job in this process — files in the folder of its ColdTier, which also judges whether
// memory is short.
//
// A file is batches as they stand on the wire (common/columnar/batch_wire.h), one behind the other.
// Threads: the space any, a file one at a time. Lifetime: shares the tier; files keep its folder.
#pragma once

#include <atomic>
#include <memory>

#include "common/runtime_api/spill_space.h"
#include "worker/state/cold_tier.h"

namespace thalweg::worker {

class ColdSpillSpace final : public SpillSpace {
 public:
  explicit ColdSpillSpace(std::shared_ptr<ColdTier> tier) : tier_(std::move(tier)) {}

  bool isShort(size_t held_bytes) override;
  Result<std::unique_ptr<SpillFile>> createFile() override;

 private:
  Pressure pressure();

  const std::shared_ptr<ColdTier> tier_;
  std::atomic<uint32_t> asked_{0};
  std::atomic<Pressure> known_{Pressure::NONE};      // of the last look at the process
};

}  // namespace thalweg::worker
