// Layout (little-endian): `u32 header bytes, header, padding` and then the buffers in the order of their sizes in the
// header, each padded to 64 bytes. The header: version, flags, rows, marks, columns; per column, depth first:
// encoding, physical type, rows, number of string buffers, and the size of each buffer (kAbsent: there is none).
#include "common/columnar/batch_wire.h"

#include <cstring>
#include <string>

#include "common/columnar/column_builders.h"

namespace thalweg {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kHasKinds = 1;
constexpr uint8_t kHasTimestamps = 2;
constexpr uint64_t kAbsent = UINT64_MAX;
constexpr int kDepthMax = 32;
constexpr uint32_t kColumnsMax = 1U << 16;
constexpr size_t kStringSlack = 16384;
constexpr size_t kBorrowedBytesMin = 4096;

enum class WireEncoding : uint8_t { FLAT = 0, CONSTANT = 1, ABSENT = 2 };

size_t padded(size_t bytes) { return (bytes + kWireAlignment - 1) / kWireAlignment * kWireAlignment; }

/// Bytes a row takes in the data buffer itself.
size_t valueWidth(PhysicalType type) {
  switch (type) {
    case PhysicalType::STRING: return sizeof(StringRef);
    case PhysicalType::LIST:
    case PhysicalType::MAP: return sizeof(int32_t);
    default: return fixedWidth(type);
  }
}

size_t dataBytes(PhysicalType type, size_t rows) {
  const bool nested = type == PhysicalType::LIST || type == PhysicalType::MAP;
  return valueWidth(type) * (rows + (nested ? 1 : 0));
}

size_t validityBytes(size_t rows) { return (rows + 7) / 8; }

/// Text whose buffers hold much more than the rows in view is copied before it is sent.
bool pinsMuch(const Vector& text) {
  size_t held = 0;
  for (const BufferPtr& buffer : text.stringBuffers()) held += buffer->sizeBytes();
  if (held <= kStringSlack) return false;
  size_t used = 0;
  const StringRef* refs = text.data<StringRef>();
  for (size_t i = 0; i < text.size(); ++i) used += refs[i].isInline() ? 0 : refs[i].length;
  return held > used * 2 + kStringSlack;
}

class Encoder {
 public:
  template <typename T>
  void put(T value) {
    header_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }

  void putBuffer(const BufferPtr& buffer, size_t bytes) {
    if (buffer == nullptr && bytes > 0) return put(kAbsent);
    put<uint64_t>(bytes);
    if (bytes == 0) return;
    buffers_.push_back({buffer, bytes});
  }

  void putColumn(const VectorPtr& column) {
    if (column == nullptr) {
      put(WireEncoding::ABSENT);
      return;
    }
    if (column->isConstant() && column->size() > 0) {
      put(WireEncoding::CONSTANT);
      put(static_cast<uint32_t>(column->size()));
      return putFlat(column->base());
    }
    put(WireEncoding::FLAT);
    putFlat(column);
  }

  /// Large parts go as a borrowed piece and a small padded tail, so that nothing beyond a buffer's end is read.
  std::vector<BufferPtr> take() {
    const size_t head_bytes = padded(sizeof(uint32_t) + header_.size());
    MutableBufferPtr head = Buffer::allocateZeroed(head_bytes);
    const auto length = static_cast<uint32_t>(header_.size());
    std::memcpy(head->mutableData(), &length, sizeof(length));
    std::memcpy(head->mutableData() + sizeof(length), header_.data(), header_.size());
    std::vector<BufferPtr> pieces{head};
    for (const Part& part : buffers_) {
      const size_t whole = part.bytes < kBorrowedBytesMin ? 0 : part.bytes / kWireAlignment * kWireAlignment;
      if (whole > 0) pieces.push_back(Buffer::borrow({part.buffer->data(), whole}, part.buffer));
      if (whole == part.bytes) continue;
      MutableBufferPtr tail = Buffer::allocateZeroed(padded(part.bytes - whole));
      std::memcpy(tail->mutableData(), part.buffer->data() + whole, part.bytes - whole);
      pieces.push_back(std::move(tail));
    }
    return pieces;
  }

 private:
  struct Part {
    BufferPtr buffer;
    size_t bytes;
  };

  void putFlat(const VectorPtr& given) {
    VectorPtr column = given;
    if (!column->isFlat() || (column->physicalType() == PhysicalType::STRING && pinsMuch(*column))) column = column->compact();
    const size_t rows = column->size();
    const PhysicalType physical = column->physicalType();
    put(physical);
    put(static_cast<uint32_t>(rows));
    put(static_cast<uint16_t>(column->stringBuffers().size()));
    putBuffer(column->validityBuffer(), column->validityBuffer() ? validityBytes(rows) : 1);
    putBuffer(column->dataBuffer(), dataBytes(physical, rows));
    for (const BufferPtr& strings : column->stringBuffers()) putBuffer(strings, strings->sizeBytes());
    for (const VectorPtr& child : column->children()) putColumn(child);
  }

  std::string header_;
  std::vector<Part> buffers_;
};

Status malformed(const char* what) { return Status::io(std::string("malformed batch: ") + what); }

class Decoder {
 public:
  Decoder(const BufferPtr& frame, size_t offset) : frame_(frame), at_(offset), end_(frame->sizeBytes()) {}

  Result<Batch> batch(std::span<const DataType> types) {
    RETURN_IF_ERROR(openHeader());
    uint8_t version = 0;
    uint8_t flags = 0;
    uint32_t rows = 0;
    uint32_t mark_count = 0;
    uint32_t columns = 0;
    if (!get(version) || !get(flags) || !get(rows) || !get(mark_count) || !get(columns)) return malformed("its header is cut short");
    if (version != kVersion) return malformed("its version is unknown");
    if (rows > kWireRowsMax || columns > kColumnsMax) return malformed("too many rows or columns");
    if (columns != 0 && columns != types.size()) return malformed("another number of columns than the edge has");
    ASSIGN_OR_RETURN(std::vector<WatermarkMark> marks, readMarks(mark_count, rows));
    BufferPtr kinds;
    BufferPtr timestamps;
    if ((flags & kHasKinds) != 0) RETURN_IF_ERROR(readKinds(rows, kinds));
    if ((flags & kHasTimestamps) != 0) {
      RETURN_IF_ERROR(readBuffer(timestamps));
      if (timestamps == nullptr || timestamps->sizeBytes() != rows * sizeof(EventTime)) return malformed("its timestamps do not fit");
    }
    std::vector<VectorPtr> vectors;
    for (uint32_t i = 0; i < columns; ++i) {
      ASSIGN_OR_RETURN(VectorPtr column, readColumn(types[i], 0));
      if (column == nullptr || column->size() != rows) return malformed("a column of another length");
      vectors.push_back(std::move(column));
    }
    Batch result(rows, std::move(vectors));
    if (kinds) result = result.withRowKinds(std::move(kinds));
    if (timestamps) result = result.withTimestamps(std::move(timestamps));
    if (!marks.empty()) result = result.withMarks(std::move(marks));
    return result;
  }

 private:
  Status openHeader() {
    if (end_ < at_ || end_ - at_ < sizeof(uint32_t)) return malformed("there is no header");
    uint32_t length = 0;
    std::memcpy(&length, frame_->data() + at_, sizeof(length));
    if (length > end_ - at_ - sizeof(length)) return malformed("its header is cut short");
    header_ = frame_->data() + at_ + sizeof(length);
    header_end_ = header_ + length;
    at_ += padded(sizeof(length) + length);
    return {};
  }

  template <typename T>
  bool get(T& value) {
    if (static_cast<size_t>(header_end_ - header_) < sizeof(T)) return false;
    std::memcpy(&value, header_, sizeof(T));
    header_ += sizeof(T);
    return true;
  }

  Result<std::vector<WatermarkMark>> readMarks(uint32_t count, uint32_t rows) {
    if (count > static_cast<size_t>(header_end_ - header_) / (sizeof(uint32_t) + sizeof(int64_t))) return malformed("its marks are cut short");
    std::vector<WatermarkMark> marks;
    marks.reserve(count);
    for (uint32_t i = 0; i < count; ++i) {
      WatermarkMark mark{};
      if (!get(mark.offset) || !get(mark.value)) return malformed("its marks are cut short");
      const bool ascends = marks.empty() || (mark.offset >= marks.back().offset && mark.value > marks.back().value);
      if (mark.offset > rows || !ascends) return malformed("its marks do not ascend");
      marks.push_back(mark);
    }
    return marks;
  }

  Status readKinds(uint32_t rows, BufferPtr& kinds) {
    RETURN_IF_ERROR(readBuffer(kinds));
    if (kinds == nullptr || kinds->sizeBytes() != rows) return malformed("its row kinds do not fit");
    for (uint32_t i = 0; i < rows; ++i) {
      if (kinds->data()[i] > static_cast<uint8_t>(RowKind::DELETE)) return malformed("a row kind that does not exist");
    }
    return {};
  }

  Status readBuffer(BufferPtr& buffer) {
    uint64_t bytes = 0;
    if (!get(bytes)) return malformed("its header is cut short");
    buffer = nullptr;
    if (bytes == kAbsent) return {};
    if (at_ > end_ || bytes > end_ - at_) return malformed("a buffer is cut short");
    buffer = Buffer::borrow({frame_->data() + at_, bytes}, frame_);
    at_ += padded(bytes);
    return {};
  }

  Result<VectorPtr> readColumn(const DataType& type, int depth) {
    if (depth > kDepthMax) return malformed("nested too deep");
    WireEncoding encoding{};
    if (!get(encoding)) return malformed("its header is cut short");
    switch (encoding) {
      case WireEncoding::ABSENT: return VectorPtr();
      case WireEncoding::FLAT: return readFlat(type, depth);
      case WireEncoding::CONSTANT: {
        uint32_t rows = 0;
        if (!get(rows) || rows > kWireRowsMax) return malformed("a constant column of no length");
        ASSIGN_OR_RETURN(VectorPtr base, readFlat(type, depth));
        if (base->size() != 1) return malformed("a constant of several rows");
        return Vector::constant(std::move(base), rows);
      }
    }
    return malformed("an encoding that does not exist");
  }

  Result<VectorPtr> readFlat(const DataType& type, int depth) {
    PhysicalType physical{};
    uint32_t rows = 0;
    uint16_t string_buffers = 0;
    if (!get(physical) || !get(rows) || !get(string_buffers)) return malformed("its header is cut short");
    if (physical == PhysicalType::NONE && type.physicalType() != PhysicalType::NONE) {
      BufferPtr ignored;
      RETURN_IF_ERROR(readBuffer(ignored));
      RETURN_IF_ERROR(readBuffer(ignored));
      if (rows > kWireRowsMax || string_buffers != 0) return malformed("an all-NULL column that does not fit");
      return Vector::nulls(type, rows);
    }
    if (physical != type.physicalType()) return malformed("a column of another type");
    if (rows > kWireRowsMax) return malformed("too many rows");
    Vector::Flat parts{.type = type, .size = rows};
    RETURN_IF_ERROR(readBuffer(parts.validity));
    RETURN_IF_ERROR(readBuffer(parts.data));
    if (parts.validity && parts.validity->sizeBytes() < validityBytes(rows)) return malformed("a validity bitmap is cut short");
    const size_t bytes = dataBytes(physical, rows);
    if (bytes > 0 && (parts.data == nullptr || parts.data->sizeBytes() != bytes)) return malformed("a column's values do not fit");
    if (bytes == 0 && parts.data == nullptr && valueWidth(physical) > 0) parts.data = Buffer::allocate(0);
    for (uint16_t i = 0; i < string_buffers; ++i) {
      BufferPtr strings;
      RETURN_IF_ERROR(readBuffer(strings));
      if (strings == nullptr || physical != PhysicalType::STRING) return malformed("text that is not there");
      parts.strings.push_back(std::move(strings));
    }
    RETURN_IF_ERROR(checkValues(physical, parts));
    for (const DataType& child_type : childTypes(type)) {
      ASSIGN_OR_RETURN(VectorPtr child, readColumn(child_type, depth + 1));
      RETURN_IF_ERROR(checkChild(physical, parts, child));
      parts.children.push_back(std::move(child));
    }
    return Vector::flat(std::move(parts));
  }

  static Status checkValues(PhysicalType physical, const Vector::Flat& parts) {
    if (physical == PhysicalType::STRING) return checkStrings(parts);
    if (physical == PhysicalType::BOOL) {
      uint8_t all = 0;
      for (size_t i = 0; i < parts.size; ++i) all |= parts.data->data()[i];
      if (all > 1) return malformed("a boolean that is neither true nor false");
    }
    if (physical != PhysicalType::LIST && physical != PhysicalType::MAP) return {};
    const int32_t* offsets = parts.data->as<int32_t>();
    if (offsets[0] < 0) return malformed("a negative offset");
    for (size_t i = 0; i < parts.size; ++i) {
      if (offsets[i + 1] < offsets[i]) return malformed("offsets that do not ascend");
    }
    return {};
  }

  static Status checkStrings(const Vector::Flat& parts) {
    const auto* refs = parts.size > 0 ? parts.data->as<StringRef>() : nullptr;
    for (size_t i = 0; i < parts.size; ++i) {
      const StringRef& ref = refs[i];
      if (ref.isInline()) continue;
      if (ref.buffer_index >= parts.strings.size()) return malformed("text in a buffer that does not exist");
      const Buffer& buffer = *parts.strings[ref.buffer_index];
      if (ref.offset > buffer.sizeBytes() || ref.length > buffer.sizeBytes() - ref.offset) return malformed("text beyond its buffer");
      if (std::memcmp(ref.prefix, buffer.data() + ref.offset, sizeof(ref.prefix)) != 0) return malformed("text with another beginning");
    }
    return {};
  }

  static Status checkChild(PhysicalType physical, const Vector::Flat& parts, const VectorPtr& child) {
    if (child == nullptr) return physical == PhysicalType::ROW ? Status() : malformed("elements that are not there");
    if (physical == PhysicalType::ROW) return child->size() == parts.size ? Status() : malformed("a field of another length");
    const auto last = static_cast<size_t>(parts.data->as<int32_t>()[parts.size]);
    return last <= child->size() ? Status() : malformed("offsets beyond the elements");
  }

  const BufferPtr& frame_;
  size_t at_;
  size_t end_;
  const uint8_t* header_ = nullptr;
  const uint8_t* header_end_ = nullptr;
};

}  // namespace

std::vector<BufferPtr> encodeBatch(const Batch& batch) {
  Encoder encoder;
  const bool has_kinds = batch.rowKindBuffer() != nullptr;
  const bool has_timestamps = batch.timestampBuffer() != nullptr;
  encoder.put(kVersion);
  encoder.put(static_cast<uint8_t>((has_kinds ? kHasKinds : 0) | (has_timestamps ? kHasTimestamps : 0)));
  encoder.put(static_cast<uint32_t>(batch.rows()));
  encoder.put(static_cast<uint32_t>(batch.marks().size()));
  encoder.put(static_cast<uint32_t>(batch.rows() == 0 ? 0 : batch.columnCount()));
  for (const WatermarkMark& mark : batch.marks()) {
    encoder.put(mark.offset);
    encoder.put(mark.value);
  }
  if (has_kinds) encoder.putBuffer(batch.rowKindBuffer(), batch.rows());
  if (has_timestamps) encoder.putBuffer(batch.timestampBuffer(), batch.rows() * sizeof(EventTime));
  if (batch.rows() > 0) {
    for (const VectorPtr& column : batch.columns()) encoder.putColumn(column);
  }
  return encoder.take();
}

Result<Batch> decodeBatch(const BufferPtr& frame, size_t offset, std::span<const DataType> types) {
  return Decoder(frame, offset).batch(types);
}

size_t piecesBytes(std::span<const BufferPtr> pieces) {
  size_t total = 0;
  for (const BufferPtr& piece : pieces) total += piece->sizeBytes();
  return total;
}

BufferPtr joinPieces(std::span<const BufferPtr> pieces) {
  MutableBufferPtr joined = Buffer::allocate(piecesBytes(pieces));
  size_t at = 0;
  for (const BufferPtr& piece : pieces) {
    if (piece->sizeBytes() > 0) std::memcpy(joined->mutableData() + at, piece->data(), piece->sizeBytes());
    at += piece->sizeBytes();
  }
  return joined;
}

}  // namespace thalweg
