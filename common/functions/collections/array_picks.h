// ArrayPicks: array results made by picking elements of the arguments, without copying them.
//
// The elements of all arguments stand in one column (`pool`); a result row is a run of picks from it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"
#include "common/functions/collections/nested_columns.h"

namespace thalweg {

/// Elements from several columns in one, with the offset at which each column's elements begin.
class ElementPool {
 public:
  ElementPool(const DataType& element, std::vector<VectorPtr> columns) {
    size_t size = 0;
    for (const VectorPtr& column : columns) {
      offsets_.push_back(size);
      size += column->size();
    }
    elements_ = columns.size() == 1 ? columns[0] : concat(element, columns);
  }
  const VectorPtr& elements() const { return elements_; }
  size_t offset(size_t column) const { return offsets_[column]; }

 private:
  VectorPtr elements_;
  std::vector<size_t> offsets_;
};

/// The arrays of a call whose arguments are all arrays of one kind: their elements in one pool, and where each row's stand.
class ArrayOperands {
 public:
  ArrayOperands(const DataType& element, std::span<const VectorPtr> arguments)
      : arrays_(readersOf(arguments)), pool_(element, elementsOf(arrays_)) {}
  const VectorPtr& elements() const { return pool_.elements(); }
  size_t size() const { return arrays_.size(); }
  bool anyNull(size_t row) const {
    return std::ranges::any_of(arrays_, [row](const NestedReader& array) { return array.isNull(row); });
  }
  /// In the pool.
  size_t begin(size_t array, size_t row) const { return pool_.offset(array) + arrays_[array].begin(row); }
  size_t length(size_t array, size_t row) const { return arrays_[array].length(row); }

 private:
  static std::vector<NestedReader> readersOf(std::span<const VectorPtr> arguments) {
    std::vector<NestedReader> arrays;
    for (const VectorPtr& argument : arguments) arrays.emplace_back(*argument);
    return arrays;
  }
  static std::vector<VectorPtr> elementsOf(const std::vector<NestedReader>& arrays) {
    std::vector<VectorPtr> columns;
    for (const NestedReader& array : arrays) columns.push_back(array.child(0));
    return columns;
  }

  std::vector<NestedReader> arrays_;
  ElementPool pool_;
};

class ArrayPicks {
 public:
  ArrayPicks(DataType type, size_t rows) : lists_(std::move(type), rows) {}
  void pick(size_t element) { picks_.push_back(static_cast<RowIndex>(element)); }
  void pickRange(size_t begin, size_t count) {
    for (size_t i = 0; i < count; ++i) pick(begin + i);
  }
  void endRow() { lists_.endRow(picks_.size()); }
  void endNull() { lists_.endNull(picks_.size()); }
  VectorPtr finish(const VectorPtr& pool) { return lists_.finish({pickedRows(pool, picks_)}); }

  /// The rows `picks` of a column.
  static VectorPtr pickedRows(const VectorPtr& column, std::span<const RowIndex> picks) {
    if (picks.empty()) return column->slice(0, 0);
    return Vector::dictionary(
        column, Buffer::copyOf({reinterpret_cast<const uint8_t*>(picks.data()), picks.size() * sizeof(RowIndex)}), picks.size());
  }

 private:
  ListOffsets lists_;
  std::vector<RowIndex> picks_;
};

}  // namespace thalweg
