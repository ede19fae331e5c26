// Keyed state: the tables an operator keeps per key, behind an interface that hides where the entries live.
//
// An operator opens its tables in open(), by name, through KeyedStateStore. A table maps (namespace, key) to an
// entry of `payload_bytes` raw bytes that the operator lays out as it likes; entries that own memory give hooks to
// destroy, serialise and rebuild them. Lookups take a whole batch of keys at once (KeyBatch), which is what lets a
// cold tier fetch all misses with one sorted read. Namespaces tell windows apart: the window's end, or 0.
//
// POINTERS returned by find/upsert stay valid until the next call of erase*, or the end of the operator's current
// call (process, resume, onWakeup …), whichever comes first: the store may move or evict entries between calls.
// DIRTY: entries obtained by upsert() count as changed; those by find() must be markDirty()ed before they are changed.
// SNAPSHOT and RESTORE are the store's: entries are captured by key group; operators do nothing.
// ORDER: forEach visits a namespace in no order, forEachOrdered in key order (merged with the cold tier).
// TTL: entries not touched for ttl_ms (if set) are gone; expired entries are never returned.
// Threads: as the operator.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "common/base/status.h"
#include "common/columnar/key_codec.h"

namespace thalweg {

/// Tells apart tables inside a table: a window's end (ms), or 0.
using StateNamespace = int64_t;

struct KeyedTableSpec {
  std::string name;                                     ///< stable: part of savepoints
  size_t payload_bytes = 0;                             ///< multiple of 8
  bool fixed_keys = false;                              ///< keys are KeyBatch::words
  int64_t ttl_ms = 0;                                   ///< 0: never expires
  int layout_version = 1;                               ///< of the payload; refused on restore when unknown
  std::function<void(char*)> init;                      ///< fresh entry (memory is zeroed before)
  std::function<void(char*)> destroy;                   ///< null when payloads own nothing
  std::function<void(const char*, std::string&)> serialize;         ///< null: raw bytes
  std::function<Status(std::string_view, char*)> deserialize;       ///< null: raw bytes
};

class KeyedTable {
 public:
  virtual ~KeyedTable() = default;

  /// payloads[i] = entry of key i (null when there is none).
  virtual Status find(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads) = 0;
  /// payloads[i] = entry of key i, made by `init` if missing; created[i] = 1 for the first row of a new key
  /// (`created` may be empty). Equal keys in one batch share one entry.
  virtual Status upsert(StateNamespace ns, const KeyBatch& keys, std::span<char*> payloads, std::span<uint8_t> created) = 0;
  /// The same for some rows of `keys`: payloads[i] and created[i] belong to key rows[i]. For operators that sort the
  /// rows of a batch into several namespaces.
  virtual Status findRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads) = 0;
  virtual Status upsertRows(StateNamespace ns, const KeyBatch& keys, std::span<const RowIndex> rows, std::span<char*> payloads,
                            std::span<uint8_t> created) = 0;
  virtual void markDirty(char* payload) = 0;
  /// Removes the entry of key `row` of `keys`, if there.
  virtual Status erase(StateNamespace ns, const KeyBatch& keys, size_t row) = 0;
  /// Removes a whole namespace at once (a closed window).
  virtual Status eraseNamespace(StateNamespace ns) = 0;
  /// The namespaces that have entries, ascending.
  virtual std::vector<StateNamespace> namespaces() const = 0;

  /// Visits entries as (encoded key bytes, payload); for fixed keys the 8 big-endian bytes. Return false to stop.
  using Visitor = std::function<bool(std::string_view key, char* payload)>;
  virtual Status forEach(StateNamespace ns, const Visitor& visit) = 0;
  virtual Status forEachOrdered(StateNamespace ns, const Visitor& visit) = 0;
  /// A cursor over a namespace that survives between calls (window firing in slices): hands out up to `limit`
  /// entries per call, empty at the end; entries must not be erased meanwhile except by eraseNamespace at the end.
  class Cursor {
   public:
    virtual ~Cursor() = default;
    virtual Status next(size_t limit, std::vector<std::pair<std::string_view, char*>>& entries) = 0;
  };
  virtual std::unique_ptr<Cursor> scan(StateNamespace ns) = 0;

  virtual size_t size() const = 0;          ///< entries over all namespaces
  virtual size_t memoryBytes() const = 0;
};

class KeyedStateStore {
 public:
  virtual ~KeyedStateStore() = default;
  /// Opens (and, if the attempt was restored, already filled) the table `spec.name`. In open() only.
  virtual Result<KeyedTable*> openTable(KeyedTableSpec spec) = 0;
};

/// A table whose payload is a C++ object. T is default constructible and has
///   void serialize(std::string& out) const;  static Status deserialize(std::string_view bytes, T& into);
template <typename T>
KeyedTableSpec objectTableSpec(std::string name, bool fixed_keys) {
  KeyedTableSpec spec;
  spec.name = std::move(name);
  spec.payload_bytes = sizeof(T*);
  spec.fixed_keys = fixed_keys;
  spec.init = [](char* at) { *reinterpret_cast<T**>(at) = new T(); };
  spec.destroy = [](char* at) { delete *reinterpret_cast<T**>(at); };
  spec.serialize = [](const char* at, std::string& out) { (*reinterpret_cast<T* const*>(at))->serialize(out); };
  spec.deserialize = [](std::string_view bytes, char* at) {
    auto object = std::make_unique<T>();
    RETURN_IF_ERROR(T::deserialize(bytes, *object));
    *reinterpret_cast<T**>(at) = object.release();
    return Status::ok();
  };
  return spec;
}
template <typename T>
T& objectAt(char* payload) { return **reinterpret_cast<T**>(payload); }

}  // namespace thalweg
