// RowCodec: whole rows as self-contained bytes, for state (join sides, Top-N, deduplication) and for sorting.
//
// Format (versioned, docs/protocol/state.md): null bitmap, fixed-width slots, then variable-length parts; nested
// values recursively. Two rows with equal values have equal bytes (strings compacted, -0.0 kept, NaN canonical,
// MULTISETs sorted), so bytes can be compared to find a row to retract. A MAP keeps the order of its entries, so
// maps that were put together in another order differ, as in Flink.
// Absent fields of ROW columns are encoded as NULL. The bytes depend neither on nullability nor on names.
// Threads: encode is const after construction.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/batch.h"
#include "common/columnar/builder.h"

namespace thalweg {

class RowCodec {
 public:
  explicit RowCodec(std::vector<DataType> types);
  ~RowCodec();
  RowCodec(RowCodec&&) noexcept;
  const std::vector<DataType>& types() const { return types_; }

  /// Encodes all rows of `columns` (types as given), appended to `arena`; ends[i] is the end of row i in arena.
  void encode(std::span<const VectorPtr> columns, size_t rows, std::string& arena, std::vector<size_t>& ends) const;
  /// Encodes one row, replacing `out`.
  void encodeRow(std::span<const VectorPtr> columns, size_t row, std::string& out) const;
  /// Appends the row to builders, one per column. The bytes come from encode() of an equal codec (CHECKed sizes);
  /// bytes from outside (files, network) go through validate() first.
  void decode(std::string_view row, std::span<const std::unique_ptr<ColumnBuilder>> builders) const;
  /// Decodes many rows into columns.
  std::vector<VectorPtr> decodeAll(std::span<const std::string_view> rows) const;
  /// Whether the bytes are a well-formed row of these types.
  bool validate(std::string_view row) const;

 private:
  struct Impl;
  std::vector<DataType> types_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace thalweg
