// ColumnReader<T>: reads the rows of a vector of any encoding with one code path.
//
// T is the physical C++ type: bool (BOOL), int8_t … int64_t, int128, float, double, std::string_view (STRING),
// TimestampValue (TIMESTAMP_NANOS). TimestampReader reads every precision as TimestampValue.
// Made per batch, not per row. Lifetime: borrows the vector.
#pragma once

#include <type_traits>

#include "common/base/check.h"
#include "common/columnar/vector.h"

namespace thalweg {

/// Maps an outer row to the row of the flat vector below, and tells nulls; shared by all readers.
class RowMapping {
 public:
  explicit RowMapping(const Vector& vector)
      : outer_validity_(vector.validity()),
        flat_(vector.isFlat() ? &vector : vector.base().get()),
        indices_(vector.indices()),
        mask_(vector.isConstant() ? 0 : ~size_t{0}) {
    if (vector.isFlat()) {
      inner_validity_ = outer_validity_;
      outer_validity_ = nullptr;
    } else {
      inner_validity_ = flat_->validity();
    }
    all_null_ = flat_->physicalType() == PhysicalType::NONE;
  }

  size_t operator()(size_t row) const { return indices_ ? indices_[row] : (row & mask_); }
  bool isNull(size_t row) const {
    if (!mayHaveNulls()) return false;
    if (all_null_) return true;
    if (outer_validity_ && !bitIsSet(outer_validity_, row)) return true;
    return inner_validity_ && !bitIsSet(inner_validity_, (*this)(row));
  }
  bool mayHaveNulls() const { return outer_validity_ != nullptr || inner_validity_ != nullptr || all_null_; }
  /// True when row i of the column is row i of the flat data.
  bool isIdentity() const { return indices_ == nullptr && mask_ != 0; }
  bool isConstant() const { return mask_ == 0; }
  const Vector& flat() const { return *flat_; }
  /// Bitmap over the outer rows (null for FLAT), and bitmap over the rows of the flat data; null: no nulls there.
  const uint64_t* outerValidity() const { return outer_validity_; }
  const uint64_t* innerValidity() const { return inner_validity_; }
  const RowIndex* indices() const { return indices_; }
  /// True when every row is NULL because the column has no data at all.
  bool isAllNull() const { return all_null_; }
  /// Calls body(row_at) with the cheapest function from a row to its row in the flat data, so that the choice of
  /// encoding stands outside of the loop.
  template <typename Body>
  void withRowAt(Body&& body) const {
    if (indices_ != nullptr) body([indices = indices_](size_t row) { return static_cast<size_t>(indices[row]); });
    else if (mask_ == 0) body([](size_t) { return size_t{0}; });
    else body([](size_t row) { return row; });
  }

 private:
  const uint64_t* outer_validity_;
  const uint64_t* inner_validity_ = nullptr;
  const Vector* flat_;
  const RowIndex* indices_;
  size_t mask_;
  bool all_null_ = false;
};

template <typename T>
class ColumnReader {
 public:
  using Stored = std::conditional_t<std::is_same_v<T, std::string_view>, StringRef,
                                    std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>>;

  explicit ColumnReader(const Vector& vector)
      : rows_(vector),
        data_(rows_.flat().dataBuffer() ? rows_.flat().data<Stored>() : nullptr),
        bases_(rows_.flat().stringBases()) {}

  bool isNull(size_t row) const { return rows_.isNull(row); }
  bool mayHaveNulls() const { return rows_.mayHaveNulls(); }
  bool isIdentity() const { return rows_.isIdentity(); }
  bool isConstant() const { return rows_.isConstant(); }
  /// The value; meaningless (but safe) for null rows of a vector that has data.
  T operator[](size_t row) const {
    if constexpr (std::is_same_v<T, std::string_view>) {
      return data_[rows_(row)].view(bases_);
    } else if constexpr (std::is_same_v<T, bool>) {
      return data_[rows_(row)] != 0;
    } else {
      return data_[rows_(row)];
    }
  }
  /// The stored form (StringRef, byte), for copying without resolving.
  const Stored& stored(size_t row) const { return data_[rows_(row)]; }
  /// Flat values, valid when isIdentity(): for tight loops.
  const Stored* raw() const { return data_; }
  const RowMapping& mapping() const { return rows_; }

 private:
  RowMapping rows_;
  const Stored* data_;
  const uint8_t* const* bases_;
};

/// Reads TIMESTAMP and TIMESTAMP_LTZ columns of any precision.
class TimestampReader {
 public:
  explicit TimestampReader(const Vector& vector) : rows_(vector), precision_(vector.type().precision()) {
    const Vector& flat = rows_.flat();
    if (flat.dataBuffer() == nullptr) return;
    if (precision_ > 6) nanos_ = flat.data<TimestampValue>();
    else numbers_ = flat.data<int64_t>();
  }
  bool isNull(size_t row) const { return rows_.isNull(row); }
  TimestampValue operator[](size_t row) const {
    const size_t at = rows_(row);
    if (precision_ <= 3) return {numbers_[at], 0, 0};
    if (precision_ > 6) return nanos_[at];
    int64_t millis = numbers_[at] / 1000;
    int64_t micros = numbers_[at] % 1000;
    if (micros < 0) { micros += 1000; --millis; }
    return {millis, static_cast<int32_t>(micros * 1000), 0};
  }
  /// Milliseconds since the epoch, finer digits cut (towards minus infinity).
  int64_t millis(size_t row) const { return precision_ <= 3 ? numbers_[rows_(row)] : (*this)[row].millis; }

 private:
  RowMapping rows_;
  int precision_;
  const int64_t* numbers_ = nullptr;
  const TimestampValue* nanos_ = nullptr;
};

/// Offsets and children of LIST and MAP columns, children of ROW columns.
class NestedReader {
 public:
  explicit NestedReader(const Vector& vector) : rows_(vector) {
    const Vector& flat = rows_.flat();
    if (flat.dataBuffer()) offsets_ = flat.data<int32_t>();
  }
  bool isNull(size_t row) const { return rows_.isNull(row); }
  /// First element's position in the child, and the count (LIST, MAP).
  size_t begin(size_t row) const { return static_cast<size_t>(offsets_[rows_(row)]); }
  size_t length(size_t row) const {
    const size_t at = rows_(row);
    return static_cast<size_t>(offsets_[at + 1] - offsets_[at]);
  }
  /// Row of the children that belongs to this row (ROW).
  size_t position(size_t row) const { return rows_(row); }
  const VectorPtr& child(size_t i) const { return rows_.flat().child(i); }

 private:
  RowMapping rows_;
  const int32_t* offsets_ = nullptr;
};

}  // namespace thalweg
