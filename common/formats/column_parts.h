// The parts that the columns of decoders are made of: validity, fixed-width values, text and list offsets, all written
// by row number.
//
// A row may be set again before the next one is begun: the last setting counts. That makes dropping a half-read record
// and "the last of two equal keys wins" free. finish(rows) hands out the first `rows` rows and starts anew.
// Threads: one owner.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "common/columnar/vector.h"

namespace thalweg::format {

/// Which rows are NULL. All are valid until one is not.
class NullMarks {
 public:
  void setValid(size_t row) {
    if (any_) [[unlikely]] mark(row, true);
  }
  void setValid(size_t row, size_t count) {
    for (size_t i = 0; any_ && i < count; ++i) mark(row + i, true);
  }
  void setNull(size_t row) { mark(row, false); }
  BufferPtr finish(size_t rows);

 private:
  void mark(size_t row, bool valid);

  bool any_ = false;
  std::vector<uint64_t> words_;
};

/// Growing space for values of T.
template <typename T>
class Values {
 public:
  /// Makes rows [0, rows) writable.
  void reserve(size_t rows) {
    if (rows > capacity_) grow(rows);
  }
  T& operator[](size_t row) { return data_[row]; }
  T* data() { return data_; }
  BufferPtr finish(size_t rows) {
    if (!buffer_) reserve(1);
    buffer_->truncate(rows * sizeof(T));
    BufferPtr finished = std::move(buffer_);
    buffer_ = nullptr;
    data_ = nullptr;
    capacity_ = 0;
    return finished;
  }

 private:
  void grow(size_t rows) {
    const size_t capacity = std::max(rows, capacity_ * 2);
    MutableBufferPtr larger = Buffer::allocate(capacity * sizeof(T));
    if (buffer_) std::memcpy(larger->mutableData(), data_, capacity_ * sizeof(T));
    buffer_ = std::move(larger);
    data_ = buffer_->template mutableAs<T>();
    capacity_ = capacity;
  }

  MutableBufferPtr buffer_;
  T* data_ = nullptr;
  size_t capacity_ = 0;
};

/// Where the text of a value stands in the fed buffer.
struct CellCut {
  uint32_t begin;
  uint32_t size;
};

/// Text by row: long text stays where it was read, in the fed buffer, or is copied into buffers of its own.
class TextValues {
 public:
  void reserve(size_t rows) { refs_.reserve(rows); }
  /// The buffer that setShared() texts stand in from now on.
  void useBuffer(const BufferPtr& buffer) {
    fed_ = buffer;
    fed_used_ = false;
  }
  void setEmpty(size_t row) { refs_[row] = StringRef(); }
  void setShared(size_t row, std::string_view text) {
    if (text.size() <= StringRef::kInlineMax) {
      refs_[row] = StringRef::inlined(text);
      return;
    }
    if (!fed_used_) adoptFed();
    const auto offset = static_cast<uint32_t>(text.data() - reinterpret_cast<const char*>(fed_->data()));
    refs_[row] = StringRef::referring(text, fed_index_, offset);
  }
  /// Rows [row, row + count) from cuts of the fed buffer, `stride` apart; up to 12 bytes behind a text are read.
  void setShared(size_t row, size_t count, const CellCut* cuts, size_t stride);
  void setCopied(size_t row, std::string_view text);
  /// The parts of a FLAT column of `rows` rows, type and validity left to the caller.
  Vector::Flat finish(size_t rows);

 private:
  void adoptFed();

  Values<StringRef> refs_;
  std::vector<BufferPtr> strings_;
  BufferPtr fed_;
  bool fed_used_ = false;
  uint32_t fed_index_ = 0;
  MutableBufferPtr own_;
  uint32_t own_index_ = 0;
  size_t own_used_ = 0;
};

/// Where the elements of each row's list end.
class ListEnds {
 public:
  void reserve(size_t rows) {
    offsets_.reserve(rows + 1);
    offsets_[0] = 0;
  }
  size_t begin(size_t row) { return static_cast<size_t>(offsets_[row]); }
  void setEnd(size_t row, size_t end) { offsets_[row + 1] = static_cast<int32_t>(end); }
  size_t end(size_t rows) { return rows == 0 ? 0 : static_cast<size_t>(offsets_[rows]); }
  BufferPtr finish(size_t rows) { return offsets_.finish(rows + 1); }

 private:
  Values<int32_t> offsets_;
};

}  // namespace thalweg::format
