// StateWriter and StateReader: accumulators as portable bytes. Little endian; lengths are 64-bit words.
//
// The reader bounds everything it is told, since snapshots come from outside: a read past the end gives zeros and
// empty text and makes isOk() false.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace thalweg {

class StateWriter {
 public:
  explicit StateWriter(std::string& out) : out_(out) {}
  template <typename T>
  void number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view bytes) {
    number<uint64_t>(bytes.size());
    out_.append(bytes);
  }

 private:
  std::string& out_;
};

class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}
  template <typename T>
  T number() {
    T value{};
    if (!take(sizeof value)) return value;
    std::memcpy(&value, taken_, sizeof value);
    return value;
  }
  std::string_view text() {
    const auto size = number<uint64_t>();
    if (!take(size)) return {};
    return {taken_, static_cast<size_t>(size)};
  }
  /// A count of entries of at least `entry_bytes_min` bytes each, so that it cannot promise more than there is.
  uint64_t count(size_t entry_bytes_min) {
    const auto count = number<uint64_t>();
    if (count > rest_.size() / entry_bytes_min) ok_ = false;
    return ok_ ? count : 0;
  }
  bool isOk() const { return ok_; }
  /// Nothing is wrong and nothing is left.
  bool isDone() const { return ok_ && rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  bool take(uint64_t size) {
    if (size > rest_.size()) ok_ = false;
    if (!ok_) return false;
    taken_ = rest_.data();
    rest_.remove_prefix(static_cast<size_t>(size));
    return true;
  }

  std::string_view rest_;
  const char* taken_ = nullptr;
  bool ok_ = true;
};

}  // namespace thalweg
