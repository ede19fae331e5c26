// The concrete ColumnBuilders, one per shape of column. For the .cc files of this room only: RowCodec and
// KeyEncoder append decoded values to them directly; everyone else uses ColumnBuilder.
//
//   NoneBuilder        the NULL type
//   FixedBuilder<W>    fixed-width values as words of W (uint8_t … uint64_t, Wide for 16 bytes)
//   TextBuilder        text and bytes
//   ListBuilder        LIST and MAP
//   RowBuilder         ROW
#pragma once

#include "common/columnar/builder.h"

namespace thalweg {

/// A 16-byte value (INT128, TIMESTAMP_NANOS, StringRef) for copying.
struct alignas(16) Wide {
  uint64_t low;
  uint64_t high;
};

/// Whether strings are copied into buffers of the builder's own or the source's buffers are shared.
enum class StringMode : uint8_t { COPY, SHARE };

std::unique_ptr<ColumnBuilder> makeColumnBuilder(const DataType& type, size_t size_hint, StringMode mode);

/// Bytes of a row of a fixed-width type; 0 for other types.
size_t fixedWidth(PhysicalType type);
/// Writes `value` (not NULL) in the layout of a fixed-width `type`.
void storeValue(const DataType& type, const Value& value, void* target);

class NoneBuilder final : public ColumnBuilder {
 public:
  explicit NoneBuilder(DataType type) : type_(std::move(type)) {}
  void appendNulls(size_t count) override { size_ += count; }
  void appendValue(const Value&) override { ++size_; }
  void appendRows(const Vector&, std::span<const RowIndex> rows) override { size_ += rows.size(); }
  void appendRange(const Vector&, size_t, size_t count) override { size_ += count; }
  size_t size() const override { return size_; }
  VectorPtr finish() override { return Vector::flat({.type = type_, .size = size_}); }

 private:
  DataType type_;
  size_t size_ = 0;
};

template <typename W>
class FixedBuilder final : public ColumnBuilder {
 public:
  FixedBuilder(DataType type, size_t size_hint);
  void appendNulls(size_t count) override;
  void appendValue(const Value& value) override;
  void appendRows(const Vector& source, std::span<const RowIndex> rows) override;
  void appendRange(const Vector& source, size_t begin, size_t count) override;
  size_t size() const override { return size_; }
  VectorPtr finish() override;

  void append(W value) {
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = value;
    validity_.appendValid(1);
  }
  /// Room for `count` valid rows, to be written by the caller.
  W* appendRaw(size_t count) {
    W* target = claim(count);
    validity_.appendValid(count);
    return target;
  }

 private:
  void grow(size_t capacity_min);
  W* claim(size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    size_ += count;
    return data_ + (size_ - count);
  }

  DataType type_;
  size_t size_ = 0;
  size_t capacity_;
  MutableBufferPtr buffer_;
  W* data_;
  ValidityBuilder validity_;
};

class TextBuilder final : public ColumnBuilder {
 public:
  TextBuilder(DataType type, size_t size_hint, StringMode mode) : builder_(std::move(type), size_hint), mode_(mode) {}
  void appendNulls(size_t count) override { builder_.appendNulls(count); }
  void appendValue(const Value& value) override;
  void appendRows(const Vector& source, std::span<const RowIndex> rows) override;
  void appendRange(const Vector& source, size_t begin, size_t count) override;
  size_t size() const override { return builder_.size(); }
  VectorPtr finish() override { return builder_.finish(); }

  StringBuilder& text() { return builder_; }

 private:
  StringBuilder builder_;
  StringMode mode_;
};

class ListBuilder final : public ColumnBuilder {
 public:
  ListBuilder(DataType type, size_t size_hint, StringMode mode);
  void appendNulls(size_t count) override;
  void appendValue(const Value& value) override;
  void appendRows(const Vector& source, std::span<const RowIndex> rows) override;
  void appendRange(const Vector& source, size_t begin, size_t count) override;
  size_t size() const override { return offsets_.size() - 1; }
  VectorPtr finish() override;

  /// The children, to which a caller appends the elements of the next row before it calls endRow().
  ColumnBuilder& child(size_t i) { return *children_[i]; }
  void endRow();

 private:
  void endRowAt(size_t child_end);

  DataType type_;
  std::vector<int32_t> offsets_;
  std::vector<std::unique_ptr<ColumnBuilder>> children_;
  ValidityBuilder validity_;
  std::vector<RowIndex> picked_;        // scratch: element positions of one appendRows()
};

class RowBuilder final : public ColumnBuilder {
 public:
  RowBuilder(DataType type, size_t size_hint, StringMode mode);
  void appendNulls(size_t count) override;
  void appendValue(const Value& value) override;
  void appendRows(const Vector& source, std::span<const RowIndex> rows) override;
  void appendRange(const Vector& source, size_t begin, size_t count) override;
  size_t size() const override { return validity_.size(); }
  VectorPtr finish() override;

  ColumnBuilder& child(size_t i) { return *children_[i]; }
  /// Ends a row whose fields were appended to the children.
  void endRow() { validity_.appendValid(1); }

 private:
  DataType type_;
  std::vector<std::unique_ptr<ColumnBuilder>> children_;
  std::vector<bool> absent_;            // fields that were absent in some source, absent then in the result
  ValidityBuilder validity_;
  std::vector<RowIndex> picked_;
};

}  // namespace thalweg
