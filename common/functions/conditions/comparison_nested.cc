// Equality of nested values: equal or not, whatever is inside. Two NULL elements or fields are the same, as they are
// for joins and groups. (`=` of ROW constructors is taken apart before it comes here, common/expr/lowering.h.)
#include <algorithm>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"
#include "common/functions/conditions/comparison.h"
#include "common/functions/strict_nulls.h"

namespace thalweg {

namespace {

/// Compares rows of a left column with rows of a right one.
class ColumnEquality {
 public:
  static std::unique_ptr<ColumnEquality> make(const Vector& left, const Vector& right);
  virtual ~ColumnEquality() = default;

  /// Two NULLs are the same.
  bool isSame(size_t left, size_t right) const {
    if (left_.isNull(left) || right_.isNull(right)) return left_.isNull(left) && right_.isNull(right);
    return isSameValue(left, right);
  }

 protected:
  ColumnEquality(const Vector& left, const Vector& right) : left_(left), right_(right) {}
  virtual bool isSameValue(size_t left, size_t right) const = 0;

  RowMapping left_;
  RowMapping right_;
};

template <typename T>
class PlainEquality final : public ColumnEquality {
 public:
  PlainEquality(const Vector& left, const Vector& right) : ColumnEquality(left, right), a_(left), b_(right) {}

 private:
  bool isSameValue(size_t left, size_t right) const override { return a_[left] == b_[right]; }
  ColumnReader<T> a_;
  ColumnReader<T> b_;
};

class ListEquality final : public ColumnEquality {
 public:
  ListEquality(const Vector& left, const Vector& right)
      : ColumnEquality(left, right), a_(left), b_(right), elements_(make(*a_.child(0), *b_.child(0))) {}

 private:
  bool isSameValue(size_t left, size_t right) const override {
    const size_t length = a_.length(left);
    if (length != b_.length(right)) return false;
    for (size_t i = 0; i < length; ++i) {
      if (!elements_->isSame(a_.begin(left) + i, b_.begin(right) + i)) return false;
    }
    return true;
  }
  NestedReader a_;
  NestedReader b_;
  std::unique_ptr<ColumnEquality> elements_;
};

class MapEquality final : public ColumnEquality {
 public:
  MapEquality(const Vector& left, const Vector& right)
      : ColumnEquality(left, right),
        a_(left),
        b_(right),
        keys_(make(*a_.child(0), *b_.child(0))),
        values_(make(*a_.child(1), *b_.child(1))) {}

 private:
  bool isSameValue(size_t left, size_t right) const override {
    const size_t length = a_.length(left);
    if (length != b_.length(right)) return false;
    for (size_t i = 0; i < length; ++i) {
      if (!hasEntry(a_.begin(left) + i, right)) return false;
    }
    return true;
  }
  bool hasEntry(size_t entry, size_t right) const {
    for (size_t i = b_.begin(right); i < b_.begin(right) + b_.length(right); ++i) {
      if (keys_->isSame(entry, i)) return values_->isSame(entry, i);
    }
    return false;
  }
  NestedReader a_;
  NestedReader b_;
  std::unique_ptr<ColumnEquality> keys_;
  std::unique_ptr<ColumnEquality> values_;
};

class RowEquality final : public ColumnEquality {
 public:
  RowEquality(const Vector& left, const Vector& right) : ColumnEquality(left, right), a_(left), b_(right) {
    const size_t fields = left_.flat().children().size();
    for (size_t i = 0; i < fields; ++i) fields_.push_back(make(*a_.child(i), *b_.child(i)));
  }

 private:
  bool isSameValue(size_t left, size_t right) const override {
    const size_t i = a_.position(left);
    const size_t j = b_.position(right);
    return std::ranges::all_of(fields_, [&](const auto& field) { return field->isSame(i, j); });
  }
  NestedReader a_;
  NestedReader b_;
  std::vector<std::unique_ptr<ColumnEquality>> fields_;
};

/// Columns of bare NULLs.
class NullEquality final : public ColumnEquality {
 public:
  NullEquality(const Vector& left, const Vector& right) : ColumnEquality(left, right) {}

 private:
  bool isSameValue(size_t, size_t) const override { return false; }
};

std::unique_ptr<ColumnEquality> ColumnEquality::make(const Vector& left, const Vector& right) {
  if (left.physicalType() != right.physicalType()) return std::make_unique<NullEquality>(left, right);
  switch (left.physicalType()) {
    case PhysicalType::NONE: return std::make_unique<NullEquality>(left, right);
    case PhysicalType::BOOL: return std::make_unique<PlainEquality<bool>>(left, right);
    case PhysicalType::INT8: return std::make_unique<PlainEquality<int8_t>>(left, right);
    case PhysicalType::INT16: return std::make_unique<PlainEquality<int16_t>>(left, right);
    case PhysicalType::INT32: return std::make_unique<PlainEquality<int32_t>>(left, right);
    case PhysicalType::INT64: return std::make_unique<PlainEquality<int64_t>>(left, right);
    case PhysicalType::INT128: return std::make_unique<PlainEquality<int128>>(left, right);
    case PhysicalType::FLOAT32: return std::make_unique<PlainEquality<float>>(left, right);
    case PhysicalType::FLOAT64: return std::make_unique<PlainEquality<double>>(left, right);
    case PhysicalType::STRING: return std::make_unique<PlainEquality<std::string_view>>(left, right);
    case PhysicalType::TIMESTAMP_NANOS: return std::make_unique<PlainEquality<TimestampValue>>(left, right);
    case PhysicalType::LIST: return std::make_unique<ListEquality>(left, right);
    case PhysicalType::MAP: return std::make_unique<MapEquality>(left, right);
    case PhysicalType::ROW: return std::make_unique<RowEquality>(left, right);
  }
  return nullptr;
}

class NestedEqualityKernel final : public ScalarKernel {
 public:
  NestedEqualityKernel(bool negated, DataType result_type) : negated_(negated), result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const std::unique_ptr<ColumnEquality> equality = ColumnEquality::make(*arguments[0], *arguments[1]);
    FlatBuilder<bool> builder(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) builder.set(row, equality->isSame(row, row) != negated_);
    return mergeArgumentNulls(builder.finish(), arguments);
  }

 private:
  bool negated_;
  DataType result_type_;
};

}  // namespace

std::unique_ptr<ScalarKernel> makeNestedEqualityKernel(bool negated, const DataType& result_type) {
  return std::make_unique<NestedEqualityKernel>(negated, result_type);
}

}  // namespace thalweg
