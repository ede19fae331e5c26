// CaptureBuffer: entries of a table in the order in which a snapshot captured them, to become a run.
//
// Grows by pieces, so that adding never takes long. Threads: one owner at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "worker/state/run_writer.h"
#include "worker/state/slot_index.h"
#include "worker/state/table_snapshot.h"

namespace thalweg::worker {

class CaptureBuffer {
 public:
  /// No value: the key is gone. `ordinal`: as the table numbers its entries (its order of making).
  void add(StateNamespace ns, uint64_t hash, EntryIndex ordinal, std::string_view key, std::optional<std::string_view> value);
  size_t entries() const { return entries_; }
  bool empty() const { return entries_ == 0; }
  /// What its entries take of memory.
  size_t bytes() const { return bytes_; }

  /// In order; keys are distinct.
  Status writeTo(RunWriter& writer);
  /// All that have values, as bytes of a snapshot (table_snapshot.cc); `head` describes the table. Other threads may read.
  void appendTable(const TableSnapshot& head, uint32_t max_parallelism, std::string& out) const;

  /// Calls `visit(ns, hash, key)` for each, in no order.
  template <typename Visit>
  void forEach(Visit&& visit) const {
    for (const std::vector<Place>& part : places_) {
      for (const Place& place : part) visit(place.ns, place.hash, keyAt(place));
    }
  }

 private:
  static constexpr uint32_t kGone = UINT32_MAX;
  static constexpr size_t kFirstPieceBytes = size_t{16} << 10;
  static constexpr size_t kPieceBytes = size_t{512} << 10;

  /// Then key and value.
  struct Head {
    uint32_t key_bytes;
    uint32_t value_bytes;
    EntryIndex ordinal;
  };
  struct Place {
    StateNamespace ns;
    uint64_t hash;
    const char* at;
  };
  static const Head& headOf(const Place& place) { return *reinterpret_cast<const Head*>(place.at); }
  static std::string_view keyAt(const Place& place) { return {place.at + sizeof(Head), headOf(place).key_bytes}; }
  static std::optional<std::string_view> valueAt(const Place& place) {
    const Head& head = headOf(place);
    if (head.value_bytes == kGone) return std::nullopt;
    return std::string_view(place.at + sizeof(Head) + head.key_bytes, head.value_bytes);
  }
  char* take(size_t bytes);
  void note(const Place& place);

  std::vector<std::unique_ptr<char[]>> pieces_;
  char* free_ = nullptr;               // of the last piece
  size_t free_bytes_ = 0;
  std::vector<std::vector<Place>> places_;
  size_t entries_ = 0;
  size_t bytes_ = 0;
};

}  // namespace thalweg::worker
