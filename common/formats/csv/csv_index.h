// CsvIndex: the places of special characters in a stretch of bytes, found 32 bytes at a time.
//
// Special are the field delimiter, line feed, carriage return, the quote and the escape character. Scans ahead in
// windows, so that a decoder that takes few rows at a time does not scan them again.
// Bytes up to 64 past the end are read, never reported. Threads: one owner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg::format {

class CsvIndex {
 public:
  /// `quote` and `escape` may be the delimiter again where there are none.
  CsvIndex(char delimiter, char quote, char escape) : delimiter_(delimiter), quote_(quote), escape_(escape) {}

  /// Starts over with bytes [begin, end) of `data`.
  void reset(const char* data, size_t begin, size_t end);
  /// Drops places before `position`, scanning on from there if the window ended earlier.
  void skipTo(size_t position);

  /// Whether another place is known; scans the next window if need be.
  bool more() { return next_ < count_ || scan(); }
  /// The next place. Only after more().
  size_t peek() const { return base_ + places_[next_]; }
  void advance() { ++next_; }

 private:
  bool scan();

  static constexpr size_t kWindowBytes = size_t{32} << 10;

  char delimiter_;
  char quote_;
  char escape_;
  const char* data_ = nullptr;
  size_t end_ = 0;
  size_t scanned_ = 0;              // bytes before this were scanned
  size_t base_ = 0;                 // places_ are relative to this
  std::vector<uint32_t> places_ = std::vector<uint32_t>(kWindowBytes + 64);
  size_t count_ = 0;
  size_t next_ = 0;
};

}  // namespace thalweg::format
