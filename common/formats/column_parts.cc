#include "common/formats/column_parts.h"

#include <algorithm>

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
