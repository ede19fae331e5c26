#include "common/functions/strict_nulls.h"

#include <cstring>

#include "common/columnar/column_reader.h"

namespace thalweg {

namespace {

/// Clears the bits of `bits` where `argument` is NULL.
void clearNulls(const Vector& argument, uint64_t* bits, size_t rows) {
  const RowMapping mapping(argument);
  if (!mapping.mayHaveNulls()) return;
  if (argument.isFlat() && argument.validity() != nullptr) {
    const uint64_t* validity = argument.validity();
    for (size_t word = 0; word < bitmapBytes(rows) / 8; ++word) bits[word] &= validity[word];
    return;
  }
  for (size_t row = 0; row < rows; ++row) {
    if (mapping.isNull(row)) clearBit(bits, row);
  }
}

/// The FLAT `result` with another validity. Refs of rows that become NULL are emptied, as StringRefs of nulls must be.
VectorPtr withValidity(const Vector& result, BufferPtr validity) {
  Vector::Flat parts{.type = result.type(),
                     .size = result.size(),
                     .validity = validity,
                     .data = result.dataBuffer(),
                     .strings = result.stringBuffers(),
                     .children = result.children()};
  if (result.physicalType() == PhysicalType::STRING && result.size() > 0) {
    MutableBufferPtr refs = Buffer::allocate(result.size() * sizeof(StringRef));
    std::memcpy(refs->mutableData(), result.dataBuffer()->data(), result.size() * sizeof(StringRef));
    for (size_t row = 0; row < result.size(); ++row) {
      if (!bitIsSet(validity->as<uint64_t>(), row)) refs->mutableAs<StringRef>()[row] = StringRef{};
    }
    parts.data = refs;
  }
  return Vector::flat(std::move(parts));
}

}  // namespace

bool anyConstantNull(std::span<const VectorPtr> arguments) {
  for (const VectorPtr& argument : arguments) {
    if (argument->physicalType() == PhysicalType::NONE) return true;
    if (argument->isConstant() && argument->size() > 0 && argument->isNull(0)) return true;
  }
  return false;
}

VectorPtr mergeArgumentNulls(VectorPtr result, std::span<const VectorPtr> arguments) {
  const size_t rows = result->size();
  if (rows == 0) return result;
  if (anyConstantNull(arguments)) return Vector::nulls(result->type(), rows);
  size_t nullable_count = 0;
  const Vector* nullable = nullptr;
  for (const VectorPtr& argument : arguments) {
    if (argument->isConstant() || !argument->mayHaveNulls()) continue;
    if (result->isFlat() && argument->isFlat() && argument->validityBuffer() == result->validityBuffer()) continue;
    ++nullable_count;
    nullable = argument.get();
  }
  if (nullable_count == 0) return result;
  if (nullable_count == 1 && nullable->isFlat() && result->isFlat() && result->validityBuffer() == nullptr) {
    return withValidity(*result, nullable->validityBuffer());
  }

  MutableBufferPtr merged = Buffer::allocate(bitmapBytes(rows));
  uint64_t* bits = merged->mutableAs<uint64_t>();
  std::memset(bits, 0xff, bitmapBytes(rows));
  for (const VectorPtr& argument : arguments) clearNulls(*argument, bits, rows);
  if (result->isFlat()) {
    const uint64_t* own = result->validity();
    bool adds_nulls = own == nullptr;
    for (size_t word = 0; own != nullptr && word < bitmapBytes(rows) / 8; ++word) {
      adds_nulls = adds_nulls || (own[word] & ~bits[word]) != 0;
      bits[word] &= own[word];
    }
    return adds_nulls ? withValidity(*result, merged) : result;
  }
  const RowMapping mapping(*result);
  MutableBufferPtr indices = Buffer::allocate(rows * sizeof(RowIndex));
  for (size_t row = 0; row < rows; ++row) {
    indices->mutableAs<RowIndex>()[row] = static_cast<RowIndex>(mapping(row));
    if (result->validity() != nullptr && mapping.isNull(row)) clearBit(bits, row);
  }
  return Vector::dictionary(result->base(), indices, rows, merged);
}

}  // namespace thalweg
