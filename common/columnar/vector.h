// Vector: one column of a batch, immutable, in one of three encodings.
//
//   FLAT        a value per row in the layout of DataType::physicalType() (Arrow's, but BOOL is a byte a row)
//   CONSTANT    every row is row 0 of `base`
//   DICTIONARY  row i is row indices[i] of `base`
// The base of a CONSTANT or DICTIONARY is always FLAT: one level deep, whatever the factories were given.
//
// A selection is not a thing of its own: a filtered batch is a batch whose columns are dictionaries sharing one
// index buffer, so no kernel ever sees rows that were filtered out (docs/decisions/0001). Kernels read any
// encoding through ColumnReader (column_reader.h) and write FLAT (or CONSTANT) through builders (builder.h).
//
// Null rows: bit i of `validity` (least significant first) is 0 when row i is NULL; no validity buffer means no
// nulls. A DICTIONARY may carry validity of its own, on top of its base's. Data of null rows is zeroed or
// arbitrary but initialised; StringRefs of null rows are always empty.
// Nested: LIST has int32 offsets (rows+1) in `data` and one child; MAP the same with two children of equal
// size (keys, values); ROW has one child per field, each as long as the row vector; a row's own NULL does not
// imply NULL in the children (rowField() applies it). Offsets need not start at 0. Children may be of any
// encoding. A child may be null (absent) only in ROW vectors whose reader was told that the
// field is not needed (nested projection).
// Threads: immutable. Lifetime: shared; slices and dictionaries keep their base alive.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "common/base/buffer.h"
#include "common/columnar/bitmap.h"
#include "common/columnar/string_ref.h"
#include "common/types/data_type.h"
#include "common/types/value.h"

namespace thalweg {

enum class VectorEncoding : uint8_t { FLAT, CONSTANT, DICTIONARY };

class Vector;
using VectorPtr = std::shared_ptr<const Vector>;

/// Row numbers inside one batch.
using RowIndex = uint32_t;

class Vector : public std::enable_shared_from_this<Vector> {
 public:
  /// Parts of a FLAT vector; what a physical type does not use stays empty.
  struct Flat {
    DataType type;
    size_t size = 0;
    BufferPtr validity = nullptr;
    BufferPtr data = nullptr;                   ///< fixed-width values, StringRefs, or list/map offsets
    std::vector<BufferPtr> strings = {};        ///< what long StringRefs point into
    std::vector<VectorPtr> children = {};
  };

  static VectorPtr flat(Flat parts);
  /// `size` rows, all equal to row 0 of `base` (which has at least one row and may be of any encoding).
  static VectorPtr constant(VectorPtr base, size_t size);
  /// `size` copies of `value`.
  static VectorPtr constant(const DataType& type, const Value& value, size_t size);
  /// All NULL.
  static VectorPtr nulls(const DataType& type, size_t size);
  /// Rows indices[0..size) of `base`; indices stand in `indices` as RowIndex. A dictionary or constant base is
  /// folded, so the result stays one level deep. `validity` (may be null) adds nulls on top.
  static VectorPtr dictionary(VectorPtr base, BufferPtr indices, size_t size, BufferPtr validity = nullptr);

  const DataType& type() const { return type_; }
  PhysicalType physicalType() const { return physical_; }
  size_t size() const { return size_; }
  VectorEncoding encoding() const { return encoding_; }
  bool isFlat() const { return encoding_ == VectorEncoding::FLAT; }
  bool isConstant() const { return encoding_ == VectorEncoding::CONSTANT; }

  /// Validity bitmap of this level (not of the base); null when this level adds no nulls.
  const uint64_t* validity() const { return validity_ ? validity_->as<uint64_t>() : nullptr; }
  const BufferPtr& validityBuffer() const { return validity_; }

  // FLAT only.
  template <typename T>
  const T* data() const { return data_->as<T>(); }
  const BufferPtr& dataBuffer() const { return data_; }
  const std::vector<BufferPtr>& stringBuffers() const { return strings_; }
  /// Start addresses of the string buffers, for StringRef::view.
  const uint8_t* const* stringBases() const { return string_bases_.data(); }
  const std::vector<VectorPtr>& children() const { return children_; }
  const VectorPtr& child(size_t i) const { return children_[i]; }

  // CONSTANT and DICTIONARY.
  const VectorPtr& base() const { return base_; }
  const RowIndex* indices() const { return indices_ ? indices_->as<RowIndex>() : nullptr; }
  const BufferPtr& indicesBuffer() const { return indices_; }

  /// True if some row may be NULL (exact for FLAT with validity only in the sense of "a bitmap exists").
  bool mayHaveNulls() const;
  bool isNull(size_t row) const;
  /// Slow: one row as a Value.
  Value valueAt(size_t row) const;

  /// Rows [offset, offset+length) without copying values where the encoding allows it.
  VectorPtr slice(size_t offset, size_t length) const;
  /// The same rows FLAT, strings still in the old string buffers.
  VectorPtr flatten() const;
  /// The same rows FLAT with strings copied into one buffer of their own, so that nothing foreign is pinned.
  VectorPtr compact() const;
  /// The same column under another type of equal physical type (nullability, names, length). A column of the
  /// NULL type takes any type.
  VectorPtr withType(const DataType& type) const;
  /// Bytes that this vector keeps alive, parts shared with others counted in full, parts shared within it once.
  /// Of a slice only the bytes in view are seen, though it keeps the whole buffer alive.
  size_t retainedBytes() const;
  /// Adds every buffer that this vector holds, repeated or not.
  void collectBuffers(std::vector<const Buffer*>& buffers) const;

  Vector(const Vector&) = default;  // for make_shared inside; use the factories
  Vector(Vector&&) = default;

 private:
  Vector() = default;
  VectorPtr sliceFlat(size_t offset, size_t length) const;

  DataType type_;
  PhysicalType physical_ = PhysicalType::NONE;
  VectorEncoding encoding_ = VectorEncoding::FLAT;
  size_t size_ = 0;
  BufferPtr validity_;
  BufferPtr data_;
  BufferPtr indices_;
  std::vector<BufferPtr> strings_;
  std::vector<const uint8_t*> string_bases_;
  std::vector<VectorPtr> children_;
  VectorPtr base_;
};

/// Rows `indices` of `base` (of any encoding) gathered into a FLAT vector; strings still refer to the old buffers.
VectorPtr gather(const Vector& base, std::span<const RowIndex> indices);
/// One FLAT vector of all rows of `parts`, in order; all have the same type. Strings are compacted.
VectorPtr concat(const DataType& type, std::span<const VectorPtr> parts);
/// Field `i` of a ROW column (of any encoding) as a column of the same rows, NULL where the row is NULL; null
/// when the field is absent.
VectorPtr rowField(const Vector& rows, size_t i);
/// The validity of every row of `vector` as one bitmap, base included; null when no row is NULL. Shared, not
/// copied, for FLAT vectors.
BufferPtr rowValidity(const Vector& vector);
/// Sizes of `buffers`, each buffer counted once.
size_t totalBytes(std::vector<const Buffer*> buffers);
/// Types of the children of a LIST, MAP or ROW column: a MULTISET has its element and INT NOT NULL counts.
std::vector<DataType> childTypes(const DataType& type);

}  // namespace thalweg
