#include "common/formats/line_decoder.h"

#include <cstring>

#include "common/formats/text_encoding.h"

namespace thalweg::format {

void LineDecoder::feed(BufferPtr buffer, size_t begin, size_t end, bool last) {
  data_ = reinterpret_cast<const char*>(buffer->data());
  position_ = begin;
  end_ = end;
  last_ = last;
  const std::string_view bytes(data_ + begin, end - begin);
  check_each_line_ = utf8_ && !isUtf8(last ? bytes : bytes.substr(0, wholeCharacters(bytes)));
  buffer_ = std::move(buffer);
}

Status LineDecoder::decode(size_t rows_max) {
  prepare(buffer_, rows_max);
  while (rows() < rows_max && position_ < end_) {
    if (!check_each_line_) {
      if (const size_t taken = readLines(data_, position_, end_, rows_max - rows()); taken > 0) {
        position_ += taken;
        continue;
      }
    }
    const void* feed = std::memchr(data_ + position_, '\n', end_ - position_);
    if (feed == nullptr && !last_) return {};
    const size_t line_end = feed == nullptr ? end_ : static_cast<size_t>(static_cast<const char*>(feed) - data_);
    std::string_view line(data_ + position_, line_end - position_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (check_each_line_ && !isUtf8(line)) {
      if (!ignore_errors_) return Status::runtime("the line is not UTF-8 text");
      countSkipped();
    } else {
      RETURN_IF_ERROR(readLine(line));
    }
    position_ = feed == nullptr ? end_ : line_end + 1;
  }
  return {};
}

}  // namespace thalweg::format
