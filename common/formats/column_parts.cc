#include "common/formats/column_parts.h"

#include <algorithm>
#include <bit>

namespace thalweg::format {

void NullMarks::mark(size_t row, bool valid) {
  any_ = true;
  if (row / 64 >= words_.size()) words_.resize(std::max(row / 64 + 1, words_.size() * 2), ~uint64_t{0});
  if (valid) setBit(words_.data(), row);
  else clearBit(words_.data(), row);
}

BufferPtr NullMarks::finish(size_t rows) {
  if (!any_) return nullptr;
  words_.resize(std::max(words_.size(), bitmapBytes(rows) / 8), ~uint64_t{0});
  BufferPtr bits = Buffer::copyOf({reinterpret_cast<const uint8_t*>(words_.data()), bitmapBytes(rows)});
  any_ = false;
  words_.clear();
  return bits;
}

void TextValues::adoptFed() {
  fed_index_ = static_cast<uint32_t>(strings_.size());
  strings_.push_back(fed_);
  fed_used_ = true;
}

void TextValues::setShared(size_t row, size_t count, const CellCut* cuts, size_t stride) {
  // A StringRef as two words: the length and the first four bytes; the next eight bytes, or buffer and offset.
  static_assert(std::endian::native == std::endian::little && StringRef::kInlineMax == 12);
  const char* data = reinterpret_cast<const char*>(fed_->data());
  uint64_t words[2];
  for (size_t i = 0; i < count; ++i) {
    const CellCut cut = cuts[i * stride];
    uint64_t first;
    uint32_t rest;
    std::memcpy(&first, data + cut.begin, sizeof(first));
    std::memcpy(&rest, data + cut.begin + sizeof(first), sizeof(rest));
    const bool is_inline = cut.size <= StringRef::kInlineMax;
    if (!is_inline && !fed_used_) adoptFed();
    const size_t unused = is_inline ? StringRef::kInlineMax - cut.size : 0;  // bytes
    if (unused >= 4) {
      rest = 0;
      first = unused == 12 ? 0 : first << (8 * (unused - 4)) >> (8 * (unused - 4));
    } else {
      rest = rest << (8 * unused) >> (8 * unused);
    }
    words[0] = cut.size | first << 32;
    words[1] = is_inline ? first >> 32 | uint64_t{rest} << 32 : fed_index_ | uint64_t{cut.begin} << 32;
    std::memcpy(&refs_[row + i], words, sizeof(words));
  }
}

void TextValues::setCopied(size_t row, std::string_view text) {
  if (text.size() <= StringRef::kInlineMax) {
    refs_[row] = StringRef::inlined(text);
    return;
  }
  constexpr size_t kOwnBytes = 16 << 10;
  if (!own_ || own_->sizeBytes() - own_used_ < text.size()) {
    own_ = Buffer::allocate(std::max(kOwnBytes, text.size()));
    own_index_ = static_cast<uint32_t>(strings_.size());
    own_used_ = 0;
    strings_.push_back(own_);
  }
  char* target = reinterpret_cast<char*>(own_->mutableData()) + own_used_;
  std::memcpy(target, text.data(), text.size());
  refs_[row] = StringRef::referring({target, text.size()}, own_index_, static_cast<uint32_t>(own_used_));
  own_used_ += text.size();
}

Vector::Flat TextValues::finish(size_t rows) {
  Vector::Flat parts{.type = {}, .size = rows, .data = refs_.finish(rows), .strings = std::move(strings_)};
  strings_.clear();
  fed_used_ = false;
  own_ = nullptr;
  return parts;
}

}  // namespace thalweg::format
