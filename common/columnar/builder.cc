#include "common/columnar/builder.h"

#include "common/columnar/column_builders.h"
#include "common/columnar/text_bytes.h"

namespace thalweg {
namespace {

constexpr size_t kStringBufferBytesMin = 4096;
constexpr size_t kStringBufferBytesGrown = size_t{1} << 20;
// Offsets into a string buffer are 32 bits; only a single longer string gets a larger buffer.
constexpr size_t kStringBufferBytesMax = size_t{1} << 30;

}  // namespace

// ---- ValidityBuilder

void ValidityBuilder::extend() { words_.resize((size_ + 63) / 64, ~uint64_t{0}); }

void ValidityBuilder::clearBits(size_t at, uint64_t nulls) {
  extend();
  words_[at / 64] &= ~(nulls << (at % 64));
  const uint64_t rest = at % 64 == 0 ? 0 : nulls >> (64 - at % 64);
  if (rest != 0) words_[at / 64 + 1] &= ~rest;
}

void ValidityBuilder::appendNulls(size_t count) {
  if (count == 0) return;
  const size_t begin = size_;
  size_ += count;
  extend();
  for (size_t i = begin; i < size_; ++i) clearBit(words_.data(), i);
}

BufferPtr ValidityBuilder::finish() {
  if (words_.empty()) return nullptr;
  return Buffer::copyOf({reinterpret_cast<const uint8_t*>(words_.data()), words_.size() * sizeof(uint64_t)});
}

// ---- StringBuilder

StringBuilder::StringBuilder(DataType type, size_t size_hint)
    : type_(std::move(type)),
      capacity_(size_hint),
      ref_buffer_(Buffer::allocate(size_hint * sizeof(StringRef))),
      refs_(ref_buffer_->mutableAs<StringRef>()) {}

void StringBuilder::grow(size_t capacity_min) {
  const size_t capacity = std::max({capacity_min, capacity_ * 2, size_t{16}});
  MutableBufferPtr buffer = Buffer::allocate(capacity * sizeof(StringRef));
  std::memcpy(buffer->mutableData(), refs_, size_ * sizeof(StringRef));
  ref_buffer_ = std::move(buffer);
  refs_ = ref_buffer_->mutableAs<StringRef>();
  capacity_ = capacity;
}

void StringBuilder::openBuffer(size_t bytes) {
  open_ = Buffer::allocate(bytes);
  open_index_ = strings_.size();
  open_used_ = 0;
  strings_.push_back(open_);
}

char* StringBuilder::space(size_t bytes) {
  if (open_ == nullptr || open_used_ + bytes > open_->sizeBytes()) {
    const size_t grown = open_ ? std::min(open_->sizeBytes() * 2, kStringBufferBytesGrown) : 0;
    openBuffer(std::max({bytes, grown, kStringBufferBytesMin}));
  }
  return reinterpret_cast<char*>(open_->mutableData()) + open_used_;
}

void StringBuilder::appendLong(std::string_view text) {
  copyText(space(text.size()), text.data(), text.size());
  push(StringRef::referring(text, static_cast<uint32_t>(open_index_), static_cast<uint32_t>(open_used_)));
  validity_.appendValid(1);
  open_used_ += text.size();
}

void StringBuilder::reserveLong(size_t bytes) {
  if (bytes == 0 || bytes > kStringBufferBytesMax) return;
  if (open_ == nullptr) openBuffer(bytes);
  else space(bytes);
}

char* StringBuilder::reserve(size_t max_bytes) { return space(max_bytes); }

void StringBuilder::commit(size_t bytes) {
  const std::string_view text(reinterpret_cast<const char*>(open_->data()) + open_used_, bytes);
  if (bytes <= StringRef::kInlineMax) return append(text);
  push(StringRef::referring(text, static_cast<uint32_t>(open_index_), static_cast<uint32_t>(open_used_)));
  validity_.appendValid(1);
  open_used_ += bytes;
}

void StringBuilder::appendNulls(size_t count) {
  if (size_ + count > capacity_) grow(size_ + count);
  std::fill_n(refs_ + size_, count, StringRef{});
  size_ += count;
  validity_.appendNulls(count);
}

size_t StringBuilder::adopt(const Vector& vector) {
  const std::vector<BufferPtr>& buffers = RowMapping(vector).flat().stringBuffers();
  for (size_t token = 0; token < adopted_.size(); ++token) {
    const size_t first = adopted_[token];
    if (first + buffers.size() <= strings_.size() &&
        std::equal(buffers.begin(), buffers.end(), strings_.begin() + static_cast<ptrdiff_t>(first))) {
      return token;
    }
  }
  adopted_.push_back(strings_.size());
  strings_.insert(strings_.end(), buffers.begin(), buffers.end());
  return adopted_.size() - 1;
}

void StringBuilder::appendShared(std::string_view text, const StringRef& source, size_t token) {
  if (text.size() <= StringRef::kInlineMax) return append(text);
  const size_t index = adopted_[token] + source.buffer_index;
  const auto offset = reinterpret_cast<const uint8_t*>(text.data()) - strings_[index]->data();
  push(StringRef::referring(text, static_cast<uint32_t>(index), static_cast<uint32_t>(offset)));
  validity_.appendValid(1);
}

// Copies `count` rows row_at(i) of `source`. The bytes of long text are counted first, so that all of it stands
// in one buffer.
template <typename RowAt>
void StringBuilder::copy(const Vector& source, size_t count, RowAt row_at) {
  const ColumnReader<std::string_view> reader(source);
  if (reader.mapping().isAllNull()) return appendNulls(count);
  if (size_ + count > capacity_) grow(size_ + count);
  const uint8_t* const* bases = reader.mapping().flat().stringBases();
  StringRef* target = refs_ + size_;
  const bool outer_nulls = reader.mapping().outerValidity() != nullptr;
  size_t long_bytes = 0;
  for (size_t i = 0; i < count; ++i) {
    target[i] = reader.stored(row_at(i));
    if (outer_nulls && reader.isNull(row_at(i))) target[i] = StringRef{};
    long_bytes += target[i].isInline() ? 0 : target[i].length;
  }
  size_ += count;
  validity_.appendMapped(reader.mapping(), count, row_at);
  if (long_bytes == 0) return;
  const bool one_buffer = long_bytes <= kStringBufferBytesMax;
  reserveLong(long_bytes);
  char* bytes = one_buffer ? space(long_bytes) : nullptr;
  for (size_t i = 0; i < count; ++i) {
    StringRef& ref = target[i];
    if (ref.isInline()) continue;
    if (!one_buffer) bytes = space(ref.length);
    copyText(bytes, reinterpret_cast<const char*>(bases[ref.buffer_index] + ref.offset), ref.length);
    ref.buffer_index = static_cast<uint32_t>(open_index_);
    ref.offset = static_cast<uint32_t>(open_used_);
    bytes += ref.length;
    open_used_ += ref.length;
  }
}

template <typename RowAt>
void StringBuilder::share(const Vector& source, size_t count, RowAt row_at) {
  const ColumnReader<std::string_view> reader(source);
  if (reader.mapping().isAllNull()) return appendNulls(count);
  if (size_ + count > capacity_) grow(size_ + count);
  const auto shift = static_cast<uint32_t>(adopted_[adopt(source)]);
  const bool outer_nulls = reader.mapping().outerValidity() != nullptr;
  StringRef* target = refs_ + size_;
  for (size_t i = 0; i < count; ++i) target[i] = reader.stored(row_at(i));
  if (shift != 0 || outer_nulls) {
    for (size_t i = 0; i < count; ++i) {
      if (outer_nulls && reader.isNull(row_at(i))) target[i] = StringRef{};
      else if (!target[i].isInline()) target[i].buffer_index += shift;
    }
  }
  size_ += count;
  validity_.appendMapped(reader.mapping(), count, row_at);
}

void StringBuilder::appendRows(const Vector& source, std::span<const RowIndex> rows) {
  copy(source, rows.size(), [=](size_t i) { return rows[i]; });
}

void StringBuilder::appendRange(const Vector& source, size_t begin, size_t count) {
  copy(source, count, [=](size_t i) { return begin + i; });
}

void StringBuilder::shareRows(const Vector& source, std::span<const RowIndex> rows) {
  share(source, rows.size(), [=](size_t i) { return rows[i]; });
}

void StringBuilder::shareRange(const Vector& source, size_t begin, size_t count) {
  share(source, count, [=](size_t i) { return begin + i; });
}

VectorPtr StringBuilder::finish() {
  ref_buffer_->truncate(size_ * sizeof(StringRef));
  if (open_ != nullptr) open_->truncate(open_used_);
  return Vector::flat({.type = type_,
                       .size = size_,
                       .validity = validity_.finish(),
                       .data = std::move(ref_buffer_),
                       .strings = std::move(strings_)});
}

// ---- ColumnBuilder

std::unique_ptr<ColumnBuilder> ColumnBuilder::make(const DataType& type, size_t size_hint) {
  return makeColumnBuilder(type, size_hint, StringMode::COPY);
}

VectorPtr makeVector(const DataType& type, std::span<const Value> values) {
  auto builder = ColumnBuilder::make(type, values.size());
  for (const Value& value : values) builder->appendValue(value);
  return builder->finish();
}

}  // namespace thalweg
