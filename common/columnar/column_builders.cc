#include "common/columnar/column_builders.h"

#include <algorithm>
#include <numeric>

namespace thalweg {
namespace {

int64_t timestampNumber(const TimestampValue& value, int precision) {
  if (precision <= 3) return value.millis;
  return static_cast<int64_t>(static_cast<uint64_t>(value.millis) * 1000) + value.nanos / 1000;
}

template <typename T>
void store(void* target, T value) {
  std::memcpy(target, &value, sizeof(T));
}

}  // namespace

size_t fixedWidth(PhysicalType type) {
  switch (type) {
    case PhysicalType::BOOL:
    case PhysicalType::INT8: return 1;
    case PhysicalType::INT16: return 2;
    case PhysicalType::INT32:
    case PhysicalType::FLOAT32: return 4;
    case PhysicalType::INT64:
    case PhysicalType::FLOAT64: return 8;
    case PhysicalType::INT128:
    case PhysicalType::TIMESTAMP_NANOS: return 16;
    case PhysicalType::NONE:
    case PhysicalType::STRING:
    case PhysicalType::LIST:
    case PhysicalType::MAP:
    case PhysicalType::ROW: return 0;
  }
  return 0;
}

void storeValue(const DataType& type, const Value& value, void* target) {
  switch (type.physicalType()) {
    case PhysicalType::BOOL: return store(target, static_cast<uint8_t>(value.asBool()));
    case PhysicalType::INT8: return store(target, static_cast<int8_t>(value.asInt()));
    case PhysicalType::INT16: return store(target, static_cast<int16_t>(value.asInt()));
    case PhysicalType::INT32: return store(target, static_cast<int32_t>(value.asInt()));
    case PhysicalType::INT64:
      if (type.isTimestamp()) return store(target, timestampNumber(value.asTimestamp(), type.precision()));
      if (type.kind() == TypeKind::DECIMAL) return store(target, static_cast<int64_t>(value.asDecimal()));
      return store(target, value.asInt());
    case PhysicalType::INT128: return store(target, value.asDecimal());
    case PhysicalType::FLOAT32: return store(target, static_cast<float>(value.asDouble()));
    case PhysicalType::FLOAT64: return store(target, value.asDouble());
    case PhysicalType::TIMESTAMP_NANOS: return store(target, value.asTimestamp());
    case PhysicalType::NONE:
    case PhysicalType::STRING:
    case PhysicalType::LIST:
    case PhysicalType::MAP:
    case PhysicalType::ROW: break;
  }
  CHECK_MSG(false, "fixed-width type expected, found " + type.toString());
}

std::unique_ptr<ColumnBuilder> makeColumnBuilder(const DataType& type, size_t size_hint, StringMode mode) {
  switch (type.physicalType()) {
    case PhysicalType::NONE: return std::make_unique<NoneBuilder>(type);
    case PhysicalType::BOOL:
    case PhysicalType::INT8: return std::make_unique<FixedBuilder<uint8_t>>(type, size_hint);
    case PhysicalType::INT16: return std::make_unique<FixedBuilder<uint16_t>>(type, size_hint);
    case PhysicalType::INT32:
    case PhysicalType::FLOAT32: return std::make_unique<FixedBuilder<uint32_t>>(type, size_hint);
    case PhysicalType::INT64:
    case PhysicalType::FLOAT64: return std::make_unique<FixedBuilder<uint64_t>>(type, size_hint);
    case PhysicalType::INT128:
    case PhysicalType::TIMESTAMP_NANOS: return std::make_unique<FixedBuilder<Wide>>(type, size_hint);
    case PhysicalType::STRING: return std::make_unique<TextBuilder>(type, size_hint, mode);
    case PhysicalType::LIST:
    case PhysicalType::MAP: return std::make_unique<ListBuilder>(type, size_hint, mode);
    case PhysicalType::ROW: return std::make_unique<RowBuilder>(type, size_hint, mode);
  }
  CHECK_MSG(false, type.toString());
  return nullptr;
}

// ---- FixedBuilder

template <typename W>
FixedBuilder<W>::FixedBuilder(DataType type, size_t size_hint)
    : type_(std::move(type)),
      capacity_(size_hint),
      buffer_(Buffer::allocate(size_hint * sizeof(W))),
      data_(buffer_->mutableAs<W>()) {}

template <typename W>
void FixedBuilder<W>::grow(size_t capacity_min) {
  const size_t capacity = std::max({capacity_min, capacity_ * 2, size_t{16}});
  MutableBufferPtr buffer = Buffer::allocate(capacity * sizeof(W));
  std::memcpy(buffer->mutableData(), data_, size_ * sizeof(W));
  buffer_ = std::move(buffer);
  data_ = buffer_->mutableAs<W>();
  capacity_ = capacity;
}

template <typename W>
void FixedBuilder<W>::appendNulls(size_t count) {
  W* target = claim(count);
  std::fill_n(target, count, W{});
  validity_.appendNulls(count);
}

template <typename W>
void FixedBuilder<W>::appendValue(const Value& value) {
  if (value.isNull()) return appendNull();
  W word{};
  storeValue(type_, value, &word);
  append(word);
}

template <typename W>
void FixedBuilder<W>::appendRows(const Vector& source, std::span<const RowIndex> rows) {
  const RowMapping mapping(source);
  if (mapping.isAllNull()) return appendNulls(rows.size());
  const W* from = mapping.flat().data<W>();
  W* target = claim(rows.size());
  mapping.withRowAt([&](auto row_at) {
    for (size_t i = 0; i < rows.size(); ++i) target[i] = from[row_at(rows[i])];
  });
  validity_.appendMapped(mapping, rows.size(), [&](size_t i) { return rows[i]; });
}

template <typename W>
void FixedBuilder<W>::appendRange(const Vector& source, size_t begin, size_t count) {
  const RowMapping mapping(source);
  if (mapping.isAllNull()) return appendNulls(count);
  if (count == 0) return;
  const W* from = mapping.flat().data<W>();
  W* target = claim(count);
  if (mapping.isIdentity()) {
    std::memcpy(target, from + begin, count * sizeof(W));
  } else if (mapping.isConstant()) {
    std::fill_n(target, count, from[0]);
  } else {
    const RowIndex* indices = mapping.indices() + begin;
    for (size_t i = 0; i < count; ++i) target[i] = from[indices[i]];
  }
  validity_.appendMapped(mapping, count, [=](size_t i) { return begin + i; });
}

template <typename W>
VectorPtr FixedBuilder<W>::finish() {
  buffer_->truncate(size_ * sizeof(W));
  return Vector::flat({.type = type_, .size = size_, .validity = validity_.finish(), .data = std::move(buffer_)});
}

template class FixedBuilder<uint8_t>;
template class FixedBuilder<uint16_t>;
template class FixedBuilder<uint32_t>;
template class FixedBuilder<uint64_t>;
template class FixedBuilder<Wide>;

// ---- TextBuilder

void TextBuilder::appendValue(const Value& value) {
  if (value.isNull()) builder_.appendNull();
  else builder_.append(value.asString());
}

void TextBuilder::appendRows(const Vector& source, std::span<const RowIndex> rows) {
  if (mode_ == StringMode::COPY) builder_.appendRows(source, rows);
  else builder_.shareRows(source, rows);
}

void TextBuilder::appendRange(const Vector& source, size_t begin, size_t count) {
  if (mode_ == StringMode::COPY) builder_.appendRange(source, begin, count);
  else builder_.shareRange(source, begin, count);
}

// ---- ListBuilder

ListBuilder::ListBuilder(DataType type, size_t size_hint, StringMode mode) : type_(std::move(type)) {
  offsets_.reserve(size_hint + 1);
  offsets_.push_back(0);
  for (const DataType& child : childTypes(type_)) children_.push_back(makeColumnBuilder(child, size_hint, mode));
}

void ListBuilder::endRowAt(size_t child_end) {
  CHECK_MSG(child_end <= static_cast<size_t>(INT32_MAX), "more than 2^31-1 elements in one column");
  offsets_.push_back(static_cast<int32_t>(child_end));
}

void ListBuilder::endRow() {
  endRowAt(children_[0]->size());
  validity_.appendValid(1);
}

void ListBuilder::appendNulls(size_t count) {
  offsets_.insert(offsets_.end(), count, offsets_.back());
  validity_.appendNulls(count);
}

void ListBuilder::appendValue(const Value& value) {
  if (value.isNull()) return appendNull();
  if (children_.size() == 1) {
    for (const Value& element : value.asList()) children_[0]->appendValue(element);
  } else {
    for (const auto& [key, element] : value.asMap()) {
      children_[0]->appendValue(key);
      children_[1]->appendValue(element);
    }
  }
  endRow();
}

void ListBuilder::appendRows(const Vector& source, std::span<const RowIndex> rows) {
  const NestedReader reader(source);
  const RowMapping mapping(source);
  if (mapping.isAllNull()) return appendNulls(rows.size());
  picked_.clear();
  const size_t child_begin = children_[0]->size();
  for (const RowIndex row : rows) {
    if (!mapping.isNull(row)) {
      const size_t begin = reader.begin(row);
      const size_t length = reader.length(row);
      const size_t at = picked_.size();
      picked_.resize(at + length);
      std::iota(picked_.begin() + static_cast<ptrdiff_t>(at), picked_.end(), static_cast<RowIndex>(begin));
    }
    endRowAt(child_begin + picked_.size());
  }
  for (size_t i = 0; i < children_.size(); ++i) children_[i]->appendRows(*reader.child(i), picked_);
  validity_.appendMapped(mapping, rows.size(), [&](size_t i) { return rows[i]; });
}

void ListBuilder::appendRange(const Vector& source, size_t begin, size_t count) {
  const RowMapping mapping(source);
  if (mapping.isAllNull()) return appendNulls(count);
  if (!mapping.isIdentity() || mapping.mayHaveNulls() || count == 0) {
    std::vector<RowIndex> rows(count);
    std::iota(rows.begin(), rows.end(), static_cast<RowIndex>(begin));
    return appendRows(source, rows);
  }
  const int32_t* offsets = source.data<int32_t>() + begin;
  const size_t child_begin = children_[0]->size();
  for (size_t i = 1; i <= count; ++i) endRowAt(child_begin + static_cast<size_t>(offsets[i] - offsets[0]));
  const auto first = static_cast<size_t>(offsets[0]);
  const auto elements = static_cast<size_t>(offsets[count] - offsets[0]);
  for (size_t i = 0; i < children_.size(); ++i) children_[i]->appendRange(*source.child(i), first, elements);
  validity_.appendValid(count);
}

VectorPtr ListBuilder::finish() {
  Vector::Flat parts{.type = type_, .size = size(), .validity = validity_.finish()};
  parts.data = Buffer::copyOf({reinterpret_cast<const uint8_t*>(offsets_.data()), offsets_.size() * sizeof(int32_t)});
  for (auto& child : children_) parts.children.push_back(child->finish());
  return Vector::flat(std::move(parts));
}

// ---- RowBuilder

RowBuilder::RowBuilder(DataType type, size_t size_hint, StringMode mode) : type_(std::move(type)) {
  for (const DataType& child : childTypes(type_)) children_.push_back(makeColumnBuilder(child, size_hint, mode));
  absent_.resize(children_.size());
}

void RowBuilder::appendNulls(size_t count) {
  for (auto& child : children_) child->appendNulls(count);
  validity_.appendNulls(count);
}

void RowBuilder::appendValue(const Value& value) {
  if (value.isNull()) return appendNull();
  const std::vector<Value>& fields = value.asRow();
  CHECK(fields.size() == children_.size());
  for (size_t i = 0; i < fields.size(); ++i) children_[i]->appendValue(fields[i]);
  endRow();
}

void RowBuilder::appendRows(const Vector& source, std::span<const RowIndex> rows) {
  const RowMapping mapping(source);
  if (mapping.isAllNull()) return appendNulls(rows.size());
  std::span<const RowIndex> positions = rows;
  if (!mapping.isIdentity()) {
    picked_.resize(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) picked_[i] = static_cast<RowIndex>(mapping(rows[i]));
    positions = picked_;
  }
  for (size_t i = 0; i < children_.size(); ++i) {
    if (const VectorPtr& child = mapping.flat().child(i)) {
      children_[i]->appendRows(*child, positions);
    } else {
      absent_[i] = true;
      children_[i]->appendNulls(rows.size());
    }
  }
  validity_.appendMapped(mapping, rows.size(), [&](size_t i) { return rows[i]; });
}

void RowBuilder::appendRange(const Vector& source, size_t begin, size_t count) {
  const RowMapping mapping(source);
  if (mapping.isAllNull()) return appendNulls(count);
  if (!mapping.isIdentity()) {
    std::vector<RowIndex> rows(count);
    std::iota(rows.begin(), rows.end(), static_cast<RowIndex>(begin));
    return appendRows(source, rows);
  }
  for (size_t i = 0; i < children_.size(); ++i) {
    if (const VectorPtr& child = source.child(i)) {
      children_[i]->appendRange(*child, begin, count);
    } else {
      absent_[i] = true;
      children_[i]->appendNulls(count);
    }
  }
  validity_.appendMapped(mapping, count, [=](size_t i) { return begin + i; });
}

VectorPtr RowBuilder::finish() {
  Vector::Flat parts{.type = type_, .size = size(), .validity = validity_.finish()};
  for (size_t i = 0; i < children_.size(); ++i) {
    parts.children.push_back(absent_[i] ? nullptr : children_[i]->finish());
  }
  return Vector::flat(std::move(parts));
}

}  // namespace thalweg
