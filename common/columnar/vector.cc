#include "common/columnar/vector.h"

#include <algorithm>

#include "common/columnar/builder.h"
#include "common/columnar/column_builders.h"
#include "common/columnar/column_reader.h"

namespace thalweg {
namespace {

std::span<const RowIndex> indexSpan(const BufferPtr& indices, size_t size) { return {indices->as<RowIndex>(), size}; }

BufferPtr borrowRange(const BufferPtr& buffer, size_t offset_bytes, size_t size_bytes) {
  return Buffer::borrow({buffer->data() + offset_bytes, size_bytes}, buffer);
}

// A bitmap of `size` bits that are all clear.
BufferPtr noneValid(size_t size) { return size == 0 ? nullptr : BufferPtr(Buffer::allocateZeroed(bitmapBytes(size))); }

BufferPtr zeroIndices(size_t size) { return Buffer::allocateZeroed(size * sizeof(RowIndex)); }

// A FLAT column of text under another validity; refs of null rows become empty.
VectorPtr textWithValidity(const Vector& text, const BufferPtr& validity) {
  MutableBufferPtr data = Buffer::allocate(text.size() * sizeof(StringRef));
  const StringRef* source = text.data<StringRef>();
  StringRef* target = data->mutableAs<StringRef>();
  const auto* bits = validity->as<uint64_t>();
  for (size_t i = 0; i < text.size(); ++i) target[i] = bitIsSet(bits, i) ? source[i] : StringRef{};
  return Vector::flat({.type = text.type(),
                       .size = text.size(),
                       .validity = validity,
                       .data = std::move(data),
                       .strings = text.stringBuffers()});
}

Value valueOfFlat(const Vector& vector, size_t row) {
  const DataType& type = vector.type();
  switch (vector.physicalType()) {
    case PhysicalType::NONE: return {};
    case PhysicalType::BOOL: return Value::boolean(vector.data<uint8_t>()[row] != 0);
    case PhysicalType::INT8: return Value::integer(vector.data<int8_t>()[row]);
    case PhysicalType::INT16: return Value::integer(vector.data<int16_t>()[row]);
    case PhysicalType::INT32: return Value::integer(vector.data<int32_t>()[row]);
    case PhysicalType::INT64:
      if (type.isTimestamp()) return Value::timestamp(TimestampReader(vector)[row]);
      if (type.kind() == TypeKind::DECIMAL) return Value::decimal(vector.data<int64_t>()[row]);
      return Value::integer(vector.data<int64_t>()[row]);
    case PhysicalType::INT128: return Value::decimal(vector.data<int128>()[row]);
    case PhysicalType::FLOAT32: return Value::floating(static_cast<double>(vector.data<float>()[row]));
    case PhysicalType::FLOAT64: return Value::floating(vector.data<double>()[row]);
    case PhysicalType::TIMESTAMP_NANOS: return Value::timestamp(vector.data<TimestampValue>()[row]);
    case PhysicalType::STRING:
      return Value::string(std::string(vector.data<StringRef>()[row].view(vector.stringBases())));
    case PhysicalType::LIST: {
      const int32_t* offsets = vector.data<int32_t>();
      std::vector<Value> elements;
      for (int32_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        elements.push_back(vector.child(0)->valueAt(static_cast<size_t>(i)));
      }
      return Value::list(std::move(elements));
    }
    case PhysicalType::MAP: {
      const int32_t* offsets = vector.data<int32_t>();
      std::vector<std::pair<Value, Value>> entries;
      for (int32_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        const auto at = static_cast<size_t>(i);
        entries.emplace_back(vector.child(0)->valueAt(at), vector.child(1)->valueAt(at));
      }
      return Value::map(std::move(entries));
    }
    case PhysicalType::ROW: {
      std::vector<Value> fields;
      for (const VectorPtr& child : vector.children()) fields.push_back(child ? child->valueAt(row) : Value());
      return Value::row(std::move(fields));
    }
  }
  return {};
}

}  // namespace

// ---- Factories

VectorPtr Vector::flat(Flat parts) {
  Vector vector;
  vector.type_ = std::move(parts.type);
  vector.physical_ = vector.type_.physicalType();
  vector.size_ = parts.size;
  vector.validity_ = std::move(parts.validity);
  vector.data_ = std::move(parts.data);
  vector.strings_ = std::move(parts.strings);
  vector.children_ = std::move(parts.children);
  vector.string_bases_.reserve(vector.strings_.size());
  for (const BufferPtr& buffer : vector.strings_) vector.string_bases_.push_back(buffer->data());
  DCHECK(vector.data_ != nullptr || vector.physical_ == PhysicalType::NONE || vector.physical_ == PhysicalType::ROW);
  return std::make_shared<const Vector>(std::move(vector));
}

VectorPtr Vector::constant(VectorPtr base, size_t size) {
  CHECK(base->size() > 0 || size == 0);
  if (size == 0) return base->slice(0, 0);
  Vector vector;
  vector.type_ = base->type_;
  vector.physical_ = base->physical_;
  vector.encoding_ = VectorEncoding::CONSTANT;
  vector.size_ = size;
  if (base->isConstant()) {
    vector.base_ = base->base_;
  } else if (base->isFlat() && base->size() == 1) {
    vector.base_ = std::move(base);
  } else {
    const RowIndex first = 0;
    vector.base_ = gather(*base, {&first, 1});
  }
  return std::make_shared<const Vector>(std::move(vector));
}

VectorPtr Vector::constant(const DataType& type, const Value& value, size_t size) {
  return constant(makeVector(type, {&value, 1}), size);
}

VectorPtr Vector::nulls(const DataType& type, size_t size) { return constant(type, Value(), size); }

VectorPtr Vector::dictionary(VectorPtr base, BufferPtr indices, size_t size, BufferPtr validity) {
  if (base->isConstant()) {
    if (validity == nullptr) return constant(std::move(base), size);
    return dictionary(base->base(), zeroIndices(size), size, std::move(validity));
  }
  if (base->encoding_ == VectorEncoding::DICTIONARY) {
    MutableBufferPtr composed = Buffer::allocate(size * sizeof(RowIndex));
    const RowIndex* outer = indices->as<RowIndex>();
    const RowIndex* inner = base->indices();
    RowIndex* target = composed->mutableAs<RowIndex>();
    for (size_t i = 0; i < size; ++i) target[i] = inner[outer[i]];
    validity = andBits(gatherBits(base->validity_, indexSpan(indices, size)), validity, size);
    return dictionary(base->base(), std::move(composed), size, std::move(validity));
  }
  Vector vector;
  vector.type_ = base->type_;
  vector.physical_ = base->physical_;
  vector.encoding_ = VectorEncoding::DICTIONARY;
  vector.size_ = size;
  vector.validity_ = std::move(validity);
  vector.indices_ = std::move(indices);
  vector.base_ = std::move(base);
  return std::make_shared<const Vector>(std::move(vector));
}

// ---- Rows

bool Vector::mayHaveNulls() const {
  return validity_ != nullptr || physical_ == PhysicalType::NONE || (base_ != nullptr && base_->mayHaveNulls());
}

bool Vector::isNull(size_t row) const { return RowMapping(*this).isNull(row); }

Value Vector::valueAt(size_t row) const {
  const RowMapping mapping(*this);
  if (mapping.isNull(row)) return {};
  return valueOfFlat(mapping.flat(), mapping(row));
}

// ---- Other forms of the same rows

VectorPtr Vector::slice(size_t offset, size_t length) const {
  CHECK(offset + length <= size_);
  if (offset == 0 && length == size_) return shared_from_this();
  if (isConstant()) return length == 0 ? base_->sliceFlat(0, 0) : constant(base_, length);
  if (isFlat()) return sliceFlat(offset, length);
  return dictionary(base_, borrowRange(indices_, offset * sizeof(RowIndex), length * sizeof(RowIndex)), length,
                    sliceBits(validity_, offset, length));
}

VectorPtr Vector::sliceFlat(size_t offset, size_t length) const {
  Flat parts{.type = type_, .size = length, .validity = sliceBits(validity_, offset, length), .strings = strings_};
  switch (physical_) {
    case PhysicalType::NONE: break;
    case PhysicalType::ROW:
      for (const VectorPtr& child : children_) {
        parts.children.push_back(child ? child->slice(offset, length) : nullptr);
      }
      break;
    case PhysicalType::LIST:
    case PhysicalType::MAP:
      parts.data = borrowRange(data_, offset * sizeof(int32_t), (length + 1) * sizeof(int32_t));
      parts.children = children_;
      break;
    case PhysicalType::STRING:
      parts.data = borrowRange(data_, offset * sizeof(StringRef), length * sizeof(StringRef));
      break;
    default: {
      const size_t width = fixedWidth(physical_);
      parts.data = borrowRange(data_, offset * width, length * width);
    }
  }
  return flat(std::move(parts));
}

VectorPtr Vector::flatten() const {
  const auto is_flat = [](const VectorPtr& child) { return child == nullptr || child->isFlat(); };
  if (isFlat() && std::all_of(children_.begin(), children_.end(), is_flat)) return shared_from_this();
  auto builder = makeColumnBuilder(type_, size_, StringMode::SHARE);
  builder->appendAll(*this);
  return builder->finish();
}

VectorPtr Vector::compact() const {
  auto builder = makeColumnBuilder(type_, size_, StringMode::COPY);
  builder->appendAll(*this);
  return builder->finish();
}

VectorPtr Vector::withType(const DataType& type) const {
  if (type == type_) return shared_from_this();
  if (physical_ == PhysicalType::NONE && type.physicalType() != PhysicalType::NONE) return nulls(type, size_);
  CHECK_MSG(type.physicalType() == physical_, type_.toString() + " as " + type.toString());
  auto copy = std::make_shared<Vector>(*this);
  copy->type_ = type;
  if (base_ != nullptr) copy->base_ = base_->withType(type);
  const std::vector<DataType> types = children_.empty() ? std::vector<DataType>() : childTypes(type);
  for (size_t i = 0; i < children_.size(); ++i) {
    if (children_[i] != nullptr) copy->children_[i] = children_[i]->withType(types[i]);
  }
  return copy;
}

void Vector::collectBuffers(std::vector<const Buffer*>& buffers) const {
  for (const BufferPtr& buffer : {validity_, data_, indices_}) {
    if (buffer != nullptr) buffers.push_back(buffer.get());
  }
  for (const BufferPtr& buffer : strings_) buffers.push_back(buffer.get());
  for (const VectorPtr& child : children_) {
    if (child != nullptr) child->collectBuffers(buffers);
  }
  if (base_ != nullptr) base_->collectBuffers(buffers);
}

size_t Vector::retainedBytes() const {
  std::vector<const Buffer*> buffers;
  collectBuffers(buffers);
  return totalBytes(std::move(buffers));
}

size_t totalBytes(std::vector<const Buffer*> buffers) {
  std::sort(buffers.begin(), buffers.end());
  buffers.erase(std::unique(buffers.begin(), buffers.end()), buffers.end());
  size_t bytes = 0;
  for (const Buffer* buffer : buffers) bytes += buffer->sizeBytes();
  return bytes;
}

// ---- Free functions

VectorPtr gather(const Vector& base, std::span<const RowIndex> indices) {
  auto builder = makeColumnBuilder(base.type(), indices.size(), StringMode::SHARE);
  builder->appendRows(base, indices);
  return builder->finish();
}

VectorPtr concat(const DataType& type, std::span<const VectorPtr> parts) {
  size_t size = 0;
  for (const VectorPtr& part : parts) size += part->size();
  auto builder = ColumnBuilder::make(type, size);
  for (const VectorPtr& part : parts) builder->appendAll(*part);
  return builder->finish();
}

VectorPtr rowField(const Vector& rows, size_t i) {
  if (!rows.isFlat()) {
    VectorPtr inner = rowField(*rows.base(), i);
    if (inner == nullptr) return nullptr;
    if (rows.isConstant()) return Vector::constant(std::move(inner), rows.size());
    return Vector::dictionary(std::move(inner), rows.indicesBuffer(), rows.size(), rows.validityBuffer());
  }
  CHECK(rows.physicalType() == PhysicalType::ROW);
  const VectorPtr& field = rows.child(i);
  const BufferPtr& validity = rows.validityBuffer();
  if (field == nullptr || validity == nullptr || field->physicalType() == PhysicalType::NONE) return field;
  if (field->isConstant()) return Vector::dictionary(field, nullptr, rows.size(), validity);
  const BufferPtr both = andBits(field->validityBuffer(), validity, rows.size());
  if (!field->isFlat()) return Vector::dictionary(field->base(), field->indicesBuffer(), rows.size(), both);
  if (field->physicalType() == PhysicalType::STRING) return textWithValidity(*field, both);
  return Vector::flat({.type = field->type(),
                       .size = field->size(),
                       .validity = both,
                       .data = field->dataBuffer(),
                       .strings = field->stringBuffers(),
                       .children = field->children()});
}

BufferPtr rowValidity(const Vector& vector) {
  if (vector.physicalType() == PhysicalType::NONE) return noneValid(vector.size());
  if (vector.isFlat()) return vector.validityBuffer();
  const BufferPtr& inner = vector.base()->validityBuffer();
  if (vector.isConstant()) return vector.base()->isNull(0) ? noneValid(vector.size()) : nullptr;
  return andBits(gatherBits(inner, indexSpan(vector.indicesBuffer(), vector.size())), vector.validityBuffer(),
                 vector.size());
}

std::vector<DataType> childTypes(const DataType& type) {
  switch (type.kind()) {
    case TypeKind::ARRAY: return {type.child(0)};
    case TypeKind::MAP: return {type.child(0), type.child(1)};
    case TypeKind::MULTISET: return {type.child(0), DataType::integer(false)};
    case TypeKind::ROW: {
      std::vector<DataType> types;
      for (size_t i = 0; i < type.childCount(); ++i) types.push_back(type.child(i));
      return types;
    }
    default: return {};
  }
}

}  // namespace thalweg
