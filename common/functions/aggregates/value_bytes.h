// ValueBytes and ValueColumn: values of any type as bytes for accumulators, and back into a column.
//
// Text and bytes stand for themselves, everything else is a row of RowCodec; equal values have equal bytes.
// ValueBytes reads one argument column a batch at a time; ValueColumn builds a result column.
// Threads: one owner. Lifetime: bytes handed out live until the next bind() and as long as the bound column.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"
#include "common/columnar/row_codec.h"

namespace thalweg {

class ValueBytes {
 public:
  explicit ValueBytes(DataType type);
  const DataType& type() const { return type_; }

  void bind(const VectorPtr& column);
  bool isNull(size_t row) const { return nulls_->isNull(row); }
  /// The bytes of a row that is not NULL.
  std::string_view operator[](size_t row) const {
    if (text_) return (*text_)[row];
    const size_t begin = row == 0 ? 0 : ends_[row - 1];
    return std::string_view(arena_).substr(begin, ends_[row] - begin);
  }
  /// Whether bytes from outside can be such a value.
  bool validate(std::string_view bytes) const { return !codec_ || codec_->validate(bytes); }
  const RowCodec* codec() const { return codec_.get(); }

 private:
  DataType type_;
  std::shared_ptr<const RowCodec> codec_;               // null for text and bytes
  std::optional<RowMapping> nulls_;
  std::optional<ColumnReader<std::string_view>> text_;
  std::string arena_;
  std::vector<size_t> ends_;
};

class ValueColumn {
 public:
  /// A column of `type`, which has the physical type of `source`; borrows `source`.
  ValueColumn(const ValueBytes& source, const DataType& type, size_t size_hint);
  void append(std::string_view bytes);
  void appendNull();
  size_t size() const { return text_ ? text_->size() : builder_[0]->size(); }
  VectorPtr finish() { return text_ ? text_->finish() : builder_[0]->finish(); }

 private:
  const ValueBytes& source_;
  std::optional<StringBuilder> text_;
  std::unique_ptr<ColumnBuilder> builder_[1];
};

}  // namespace thalweg
