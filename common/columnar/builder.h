// Builders: how FLAT vectors come to be.
//
//   FlatBuilder<T>   fixed-width values (T as in ColumnReader; bool stores bytes) written by position or appended
//   StringBuilder    text and bytes
//   ColumnBuilder    any type, by Value or by copying rows of other vectors; what operators use for output
//                    whose types they do not know; dispatches once per column, not per row, in its bulk calls
//
// Threads: one owner. A builder is spent after finish().
#pragma once

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
  /// Takes over the nulls of another FLAT vector of the same size without copying.
  void shareValidity(BufferPtr validity) { shared_validity_ = std::move(validity); }
  size_t size() const { return size_; }

  VectorPtr finish() {
    Vector::Flat parts{.type = type_, .size = size_, .validity = validity_ ? BufferPtr(validity_) : shared_validity_, .data = buffer_};
    return Vector::flat(std::move(parts));
  }

 private:
  void makeValidity() {
    validity_ = Buffer::allocate(bitmapBytes(size_));
    std::memset(validity_->mutableData(), 0xff, bitmapBytes(size_));
  }

  DataType type_;
  size_t size_;
  MutableBufferPtr buffer_;
  Stored* data_;
  MutableBufferPtr validity_;
  BufferPtr shared_validity_;
};

/// Text and bytes, appended in order; long text is copied into growing string buffers of its own, or refers to
/// buffers that were adopted from an input vector.
class StringBuilder {
 public:
  StringBuilder(DataType type, size_t size_hint);

  void append(std::string_view text) {
    if (text.size() <= StringRef::kInlineMax) push(StringRef::inlined(text));
    else appendLong(text);
  }
  void appendNull();
  /// Room for text of up to `max_bytes` to be written in place, then fixed by commit(actual length).
  char* reserve(size_t max_bytes);
  void commit(size_t bytes);
  /// Makes the string buffers of `vector` (its flat base) usable by appendRef; returns a token for it.
  size_t adopt(const Vector& vector);
  /// Appends `ref` that stands in the vector adopted under `token`, sharing its bytes; `text` may be any
  /// sub-range of that vector's buffers.
  void appendShared(std::string_view text, const StringRef& source, size_t token);
  size_t size() const { return size_; }

  VectorPtr finish();

 private:
  void push(StringRef ref) {
    if (size_ == capacity_) grow();
    refs_[size_++] = ref;
  }
  void grow();
  void appendLong(std::string_view text);
  char* space(size_t bytes);

  DataType type_;
  size_t size_ = 0;
  size_t capacity_;
  MutableBufferPtr ref_buffer_;
  StringRef* refs_;
  bool has_nulls_ = false;
  std::vector<uint64_t> validity_;      // bits of rows known so far; kept only once a null was seen
  std::vector<BufferPtr> strings_;
  std::vector<size_t> adopted_;         // token -> first buffer index
  MutableBufferPtr open_;               // the string buffer being filled, also last in strings_ order
  size_t open_index_ = 0;
  size_t open_used_ = 0;
};

/// Appends rows of any type.
class ColumnBuilder {
 public:
  static std::unique_ptr<ColumnBuilder> make(const DataType& type, size_t size_hint);
  virtual ~ColumnBuilder() = default;

  virtual void appendNull() = 0;
  virtual void appendValue(const Value& value) = 0;
  /// Copies rows of `source`, which has the same physical type; strings are copied (nothing foreign is pinned).
  virtual void appendRows(const Vector& source, std::span<const RowIndex> rows) = 0;
  void appendRow(const Vector& source, size_t row) {
    const auto index = static_cast<RowIndex>(row);
    appendRows(source, {&index, 1});
  }
  /// Appends all rows of `source`.
  virtual void appendAll(const Vector& source) = 0;
  virtual size_t size() const = 0;
  virtual VectorPtr finish() = 0;
};

/// A vector of `values`.
VectorPtr makeVector(const DataType& type, std::span<const Value> values);

}  // namespace thalweg
