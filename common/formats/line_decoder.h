// LineDecoder: base of the decoders whose records are lines: it finds them, checks their text and keeps the place.
//
// A line ends with \n, or \r\n, which its content lacks; the last one may end with the file. Threads: one owner.
#pragma once

#include <string_view>

#include "common/formats/format_decoder.h"

namespace thalweg::format {

class LineDecoder : public FormatDecoder {
 public:
  void feed(BufferPtr buffer, size_t begin, size_t end, bool last) final;
  Status decode(size_t rows_max) final;
  size_t position() const final { return position_; }
  size_t errorOffset() const final { return position_; }
  uint64_t skippedRecords() const final { return skipped_; }

 protected:
  /// `utf8`: lines must be UTF-8. `ignore_errors`: lines that are not are left out.
  LineDecoder(bool utf8, bool ignore_errors) : utf8_(utf8), ignore_errors_(ignore_errors) {}

  virtual void prepare(const BufferPtr& buffer, size_t rows_max) = 0;
  /// Appends the rows of one line.
  virtual Status readLine(std::string_view line) = 0;
  /// Appends the rows of the lines that it can read together, from `begin` on, at most `rows_max`. How many bytes it took; 0
  /// if the next line is one for readLine(). Not called where lines may not be UTF-8.
  virtual size_t readLines(const char* data, size_t begin, size_t end, size_t rows_max) {
    (void)data, (void)begin, (void)end, (void)rows_max;
    return 0;
  }
  bool ignoresErrors() const { return ignore_errors_; }
  void countSkipped() { ++skipped_; }

 private:
  bool utf8_;
  bool ignore_errors_;
  BufferPtr buffer_;
  const char* data_ = nullptr;
  size_t position_ = 0;
  size_t end_ = 0;
  bool last_ = false;
  bool check_each_line_ = false;
  uint64_t skipped_ = 0;
};

}  // namespace thalweg::format
