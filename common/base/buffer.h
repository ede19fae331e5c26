// Buffer: reference-counted bytes, immutable once shared, taken from a MemoryPool.
//
// Who makes a buffer holds it as MutableBufferPtr, fills it, and publishes it by converting to BufferPtr; after
// that nobody writes. Data is 64-byte aligned and padded to a multiple of 64 bytes, as Arrow asks, so vector
// loops may read past the end within the padding. A buffer can also borrow foreign bytes with an owner that
// keeps them alive (a mapped file, a network slice). Threads: const access from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/base/memory_pool.h"

namespace thalweg {

class Buffer;
using BufferPtr = std::shared_ptr<const Buffer>;
using MutableBufferPtr = std::shared_ptr<Buffer>;

class Buffer {
 public:
  /// Uninitialised bytes, accounted to the current pool.
  static MutableBufferPtr allocate(size_t size_bytes);
  static MutableBufferPtr allocateZeroed(size_t size_bytes);
  static BufferPtr copyOf(std::span<const uint8_t> bytes);
  /// Bytes owned by `owner`; not accounted here.
  static BufferPtr borrow(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner);

  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  size_t sizeBytes() const { return size_bytes_; }
  const uint8_t* data() const { return data_; }
  uint8_t* mutableData() { return data_; }
  template <typename T>
  const T* as() const { return reinterpret_cast<const T*>(data_); }
  template <typename T>
  T* mutableAs() { return reinterpret_cast<T*>(data_); }
  /// Lowers the size of a buffer that was allocated larger than needed; capacity and accounting stay.
  void truncate(size_t size_bytes) { size_bytes_ = size_bytes; }

 private:
  Buffer() = default;

  uint8_t* data_ = nullptr;
  size_t size_bytes_ = 0;
  size_t capacity_bytes_ = 0;                ///< 0 when borrowed
  std::shared_ptr<MemoryPool> pool_;         ///< null when borrowed
  std::shared_ptr<const void> owner_;        ///< set when borrowed
};

}  // namespace thalweg
