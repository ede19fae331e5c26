// The one column of a raw table to lines. NULL has no bytes, and fails as in Flink.
#include <cstring>

#include "common/columnar/column_reader.h"
#include "common/formats/format_list.h"
#include "common/formats/raw/raw_bytes.h"

namespace thalweg::format {
namespace {

Status noNull() { return Status::runtime("the format raw cannot write NULL; use COALESCE, or leave such rows out"); }

class RawTextEncoder final : public FormatEncoder {
 public:
  RawTextEncoder(bool text, RawSettings settings) : text_(text), settings_(std::move(settings)) {}

  Status encode(const Batch& batch, std::span<const RowIndex> rows, std::string& out) override {
    const ColumnReader<std::string_view> values(*batch.column(0));
    for (const RowIndex row : rows) {
      if (values.isNull(row)) return noNull();
      if (text_ && settings_.charset != Charset::UTF_8) out += encodeCharset(values[row], settings_.charset);
      else out += values[row];
      out += '\n';
    }
    return {};
  }

 private:
  bool text_;
  RawSettings settings_;
};

template <typename T>
class RawNumberEncoder final : public FormatEncoder {
 public:
  explicit RawNumberEncoder(bool little_endian) : little_endian_(little_endian) {}

  Status encode(const Batch& batch, std::span<const RowIndex> rows, std::string& out) override {
    const ColumnReader<T> values(*batch.column(0));
    for (const RowIndex row : rows) {
      if (values.isNull(row)) return noNull();
      char bytes[sizeof(T)];
      std::memcpy(bytes, &values.stored(row), sizeof(T));
      if (!little_endian_) swapEndian(bytes, sizeof(T));
      out.append(bytes, sizeof(T));
      out += '\n';
    }
    return {};
  }

 private:
  bool little_endian_;
};

}  // namespace

Result<std::unique_ptr<FormatEncoder>> makeRawEncoder(const EncoderSpec& spec) {
  ASSIGN_OR_RETURN(const Column column, rawColumn(spec.record));
  ASSIGN_OR_RETURN(RawSettings settings, RawSettings::of(FormatOptions("raw", spec.options)));
  const bool little = settings.little_endian;
  std::unique_ptr<FormatEncoder> encoder;
  switch (column.type.physicalType()) {
    case PhysicalType::BOOL: case PhysicalType::INT8: encoder = std::make_unique<RawNumberEncoder<int8_t>>(little); break;
    case PhysicalType::INT16: encoder = std::make_unique<RawNumberEncoder<int16_t>>(little); break;
    case PhysicalType::INT32: case PhysicalType::FLOAT32: encoder = std::make_unique<RawNumberEncoder<int32_t>>(little); break;
    case PhysicalType::INT64: case PhysicalType::FLOAT64: encoder = std::make_unique<RawNumberEncoder<int64_t>>(little); break;
    default: encoder = std::make_unique<RawTextEncoder>(column.type.isString(), std::move(settings));
  }
  return encoder;
}

}  // namespace thalweg::format
