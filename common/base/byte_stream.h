// ByteWriter and ByteReader: the small words of which stored and sent bytes are made.
//
//   varint   unsigned, 7 bits a byte, low bits first        signed numbers are zigzag-coded varints
//   text     varint length, then the bytes
// A reader never reads past its bytes: after a failed read `ok()` is false and everything reads as zero.
// Threads: one owner. Lifetime: a reader borrows its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg {

class ByteWriter {
 public:
  explicit ByteWriter(std::string& out) : out_(out) {}

  void byte(uint8_t value) { out_.push_back(static_cast<char>(value)); }
  void bytes(std::string_view value) { out_.append(value); }
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    byte(static_cast<uint8_t>(value));
  }
  void number(int64_t value) { varint((static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63)); }
  void text(std::string_view value) {
    varint(value.size());
    bytes(value);
  }

 private:
  std::string& out_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool atEnd() const { return rest_.empty() || !ok_; }
  size_t remaining() const { return rest_.size(); }

  std::string_view bytes(uint64_t count) {
    if (count > rest_.size()) return fail();
    const std::string_view result = rest_.substr(0, static_cast<size_t>(count));
    rest_.remove_prefix(static_cast<size_t>(count));
    return result;
  }
  uint8_t byte() {
    const std::string_view one = bytes(1);
    return one.empty() ? uint8_t{0} : static_cast<uint8_t>(one[0]);
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t next = byte();
      value |= static_cast<uint64_t>(next & 0x7f) << shift;
      if ((next & 0x80) == 0) return ok_ ? value : 0;
    }
    fail();
    return 0;
  }
  int64_t number() {
    const uint64_t value = varint();
    return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
  }
  std::string_view text() { return bytes(varint()); }

 private:
  std::string_view fail() {
    ok_ = false;
    rest_ = {};
    return {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace thalweg
