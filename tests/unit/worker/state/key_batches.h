// Key batches for the tests of keyed state, made without columns.
#pragma once

#include <string>
#include <vector>

#include "common/base/hash.h"
#include "common/runtime_api/state.h"

namespace thalweg::worker {

inline KeyBatch fixedKeys(const std::vector<uint64_t>& words) {
  KeyBatch keys;
  keys.size = words.size();
  keys.fixed = true;
  keys.words = words;
  for (const uint64_t word : words) {
    const uint64_t big_endian = __builtin_bswap64(word);
    keys.hashes.push_back(hashBytes({reinterpret_cast<const char*>(&big_endian), sizeof(big_endian)}));
  }
  return keys;
}

/// Borrows the texts.
inline KeyBatch textKeys(const std::vector<std::string>& texts) {
  KeyBatch keys;
  keys.size = texts.size();
  for (const std::string& text : texts) {
    keys.bytes.push_back(text);
    keys.hashes.push_back(hashBytes(text));
  }
  return keys;
}

/// A table of int64 payloads.
inline KeyedTableSpec numberTable(std::string name, bool fixed_keys) {
  KeyedTableSpec spec;
  spec.name = std::move(name);
  spec.payload_bytes = sizeof(int64_t);
  spec.fixed_keys = fixed_keys;
  return spec;
}

inline int64_t& numberAt(char* payload) { return *reinterpret_cast<int64_t*>(payload); }

}  // namespace thalweg::worker
