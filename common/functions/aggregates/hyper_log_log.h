// HyperLogLog: how many distinct hashes were added, within about 0.8 %, in at most 16 KiB.
//
// Up to kExactMax hashes are kept as they are, so small counts are exact; then 2^14 one-byte registers take over.
// Estimates are Ertl's improved ones ("New cardinality estimation algorithms for HyperLogLog sketches", 2017), which
// need no bias tables and are good from 0 to 2^64. Merging gives the same as adding all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/functions/aggregates/state_bytes.h"

namespace thalweg {

class HyperLogLog {
 public:
  static constexpr int kIndexBits = 14;
  static constexpr size_t kExactMax = 1024;

  void add(uint64_t hash);
  void mergeFrom(const HyperLogLog& other);
  int64_t estimate() const;

  void save(StateWriter& out) const;
  bool load(StateReader& in);

 private:
  static constexpr size_t kRegisters = size_t{1} << kIndexBits;
  void addToRegisters(uint64_t hash);
  void growIfFull();

  std::vector<uint64_t> exact_;         // sorted and distinct, but for the tail behind sorted_
  size_t sorted_ = 0;
  std::vector<uint8_t> registers_;      // empty while exact
  void sortTail();
};

}  // namespace thalweg
