#include "common/base/buffer.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace thalweg {
namespace {

constexpr size_t kAlignment = 64;

size_t paddedSize(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment + kAlignment; }

}  // namespace

MutableBufferPtr Buffer::allocate(size_t size_bytes) {
  const size_t capacity = paddedSize(size_bytes);
  auto* data = static_cast<uint8_t*>(std::aligned_alloc(kAlignment, capacity));
  if (data == nullptr) throw std::bad_alloc();
  MutableBufferPtr buffer(new Buffer());
  buffer->data_ = data;
  buffer->size_bytes_ = size_bytes;
  buffer->capacity_bytes_ = capacity;
  buffer->pool_ = MemoryPool::current();
  buffer->pool_->add(capacity);
  return buffer;
}

MutableBufferPtr Buffer::allocateZeroed(size_t size_bytes) {
  auto buffer = allocate(size_bytes);
  std::memset(buffer->data_, 0, buffer->capacity_bytes_);
  return buffer;
}

BufferPtr Buffer::copyOf(std::span<const uint8_t> bytes) {
  auto buffer = allocate(bytes.size());
  if (!bytes.empty()) std::memcpy(buffer->data_, bytes.data(), bytes.size());
  return buffer;
}

BufferPtr Buffer::borrow(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner) {
  MutableBufferPtr buffer(new Buffer());
  buffer->data_ = const_cast<uint8_t*>(bytes.data());
  buffer->size_bytes_ = bytes.size();
  buffer->owner_ = std::move(owner);
  return buffer;
}

Buffer::~Buffer() {
  if (capacity_bytes_ == 0) return;
  pool_->release(capacity_bytes_);
  std::free(data_);
}

}  // namespace thalweg
