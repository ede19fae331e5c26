// Builders: how FLAT vectors come to be.
//
//   FlatBuilder<T>   fixed-width values (T as in ColumnReader; bool stores bytes) written by position or appended
//   StringBuilder    text and bytes
//   ColumnBuilder    any type, by Value or by copying rows of other vectors; what operators use for output
//                    whose types they do not know; dispatches once per column, not per row, in its bulk calls
//
// Threads: one owner. A builder is spent after finish().
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "common/columnar/column_reader.h"
#include "common/columnar/vector.h"

namespace thalweg {

/// `size` rows of T allocated at once and written by position; every position must be written or set null.
template <typename T>
class FlatBuilder {
 public:
  using Stored = typename ColumnReader<T>::Stored;
  static_assert(!std::is_same_v<T, std::string_view>);

  FlatBuilder(DataType type, size_t size)
      : type_(std::move(type)), size_(size), buffer_(Buffer::allocate(size * sizeof(Stored))), data_(buffer_->template mutableAs<Stored>()) {}

  void set(size_t row, T value) { data_[row] = static_cast<Stored>(value); }
  void setNull(size_t row) {
    data_[row] = Stored{};
    if (!validity_) makeValidity();
    clearBit(validity_->mutableAs<uint64_t>(), row);
  }
  Stored* raw() { return data_; }
  /// A bitmap with all rows valid, to be cleared by the caller; made on first use.
  uint64_t* validity() {
    if (!validity_) makeValidity();
    return validity_->mutableAs<uint64_t>();
  }
  /// Takes over a validity bitmap of the same size (rowValidity()) without copying; null: no nulls. To be called
  /// before any setNull().
  void shareValidity(BufferPtr validity) {
    CHECK(validity_ == nullptr);
    shared_validity_ = std::move(validity);
  }
  size_t size() const { return size_; }

  VectorPtr finish() {
    Vector::Flat parts{.type = type_, .size = size_, .validity = validity_ ? BufferPtr(validity_) : shared_validity_, .data = buffer_};
    return Vector::flat(std::move(parts));
  }

 private:
  void makeValidity() {
    validity_ = Buffer::allocate(bitmapBytes(size_));
    if (shared_validity_) std::memcpy(validity_->mutableData(), shared_validity_->data(), bitmapBytes(size_));
    else std::memset(validity_->mutableData(), 0xff, bitmapBytes(size_));
  }

  DataType type_;
  size_t size_;
  MutableBufferPtr buffer_;
  Stored* data_;
  MutableBufferPtr validity_;
  BufferPtr shared_validity_;
};

/// Validity bits of rows as they are appended; no bitmap is made before the first null.
class ValidityBuilder {
 public:
  void appendValid(size_t count) { size_ += count; if (!words_.empty()) extend(); }
  void appendNull() { appendNulls(1); }
  void appendNulls(size_t count);
  /// Appends the validity of rows row_at(0) … row_at(count-1) of the column behind `rows`.
  template <typename RowAt>
  void appendMapped(const RowMapping& rows, size_t count, RowAt row_at);
  size_t size() const { return size_; }
  /// The bitmap, or null if no row is NULL.
  BufferPtr finish();

 private:
  void extend();
  /// Clears the bits from `at` on whose bits in `nulls` are set.
  void clearBits(size_t at, uint64_t nulls);

  size_t size_ = 0;
  std::vector<uint64_t> words_;         // empty until a null was seen; bits past size_ are set
};

template <typename RowAt>
void ValidityBuilder::appendMapped(const RowMapping& rows, size_t count, RowAt row_at) {
  const size_t begin = size_;
  appendValid(count);
  if (!rows.mayHaveNulls()) return;
  for (size_t at = 0; at < count; at += 64) {
    const size_t block = std::min(count - at, size_t{64});
    uint64_t nulls = 0;
    for (size_t i = 0; i < block; ++i) nulls |= uint64_t{rows.isNull(row_at(at + i))} << i;
    if (nulls != 0) clearBits(begin + at, nulls);
  }
}

/// Text and bytes, appended in order; long text is copied into growing string buffers of its own, or refers to
/// buffers that were adopted from an input vector.
class StringBuilder {
 public:
  StringBuilder(DataType type, size_t size_hint);

  void append(std::string_view text) {
    if (text.size() > StringRef::kInlineMax) return appendLong(text);
    push(StringRef::inlined(text));
    validity_.appendValid(1);
  }
  void appendNull() { appendNulls(1); }
  /// Room for text of up to `max_bytes` to be written in place, then appended by commit(actual length); no other
  /// call stands between the two.
  char* reserve(size_t max_bytes);
  void commit(size_t bytes);
  /// Promises `bytes` of long text to come, so that it stands in one buffer.
  void reserveLong(size_t bytes);
  /// Makes the string buffers of `vector` (its flat base) usable by appendRef; returns a token for it.
  size_t adopt(const Vector& vector);
  /// Appends `ref` that stands in the vector adopted under `token`, sharing its bytes; `text` may be any
  /// sub-range of that vector's buffers.
  void appendShared(std::string_view text, const StringRef& source, size_t token);
  /// Appends rows of a column of text or bytes, copying long text into this builder's buffers.
  void appendRows(const Vector& source, std::span<const RowIndex> rows);
  void appendRange(const Vector& source, size_t begin, size_t count);
  /// The same, but sharing the string buffers of `source`.
  void shareRows(const Vector& source, std::span<const RowIndex> rows);
  void shareRange(const Vector& source, size_t begin, size_t count);
  void appendNulls(size_t count);
  size_t size() const { return size_; }

  VectorPtr finish();

 private:
  void push(StringRef ref) {
    if (size_ == capacity_) grow(size_ + 1);
    refs_[size_++] = ref;
  }
  void grow(size_t capacity_min);
  void appendLong(std::string_view text);
  /// A place for `bytes` in the open string buffer, a new one if need be; open_used_ is for the caller to move.
  char* space(size_t bytes);
  void openBuffer(size_t bytes);
  template <typename RowAt>
  void copy(const Vector& source, size_t count, RowAt row_at);
  template <typename RowAt>
  void share(const Vector& source, size_t count, RowAt row_at);

  DataType type_;
  size_t size_ = 0;
  size_t capacity_;
  MutableBufferPtr ref_buffer_;
  StringRef* refs_;
  ValidityBuilder validity_;
  std::vector<BufferPtr> strings_;
  std::vector<size_t> adopted_;         // token -> first buffer index
  MutableBufferPtr open_;               // the string buffer being filled, strings_[open_index_]
  size_t open_index_ = 0;
  size_t open_used_ = 0;
};

/// Appends rows of any type.
class ColumnBuilder {
 public:
  static std::unique_ptr<ColumnBuilder> make(const DataType& type, size_t size_hint);
  virtual ~ColumnBuilder() = default;

  void appendNull() { appendNulls(1); }
  virtual void appendNulls(size_t count) = 0;
  virtual void appendValue(const Value& value) = 0;
  /// Copies rows of `source`, which has the same physical type (or none: all NULL); strings are copied, so that
  /// nothing foreign is pinned.
  virtual void appendRows(const Vector& source, std::span<const RowIndex> rows) = 0;
  void appendRow(const Vector& source, size_t row) {
    const auto index = static_cast<RowIndex>(row);
    appendRows(source, {&index, 1});
  }
  /// Copies rows [begin, begin+count) of `source`.
  virtual void appendRange(const Vector& source, size_t begin, size_t count) = 0;
  void appendAll(const Vector& source) { appendRange(source, 0, source.size()); }
  virtual size_t size() const = 0;
  virtual VectorPtr finish() = 0;
};

/// A vector of `values`.
VectorPtr makeVector(const DataType& type, std::span<const Value> values);

}  // namespace thalweg
