#include "common/formats/cell_writer.h"

#include <charconv>
#include <optional>

#include "common/columnar/column_reader.h"
#include "common/formats/cell_text.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"

namespace thalweg::format {
namespace {

/// Binds a reader of the column; `Reader` is ColumnReader<T> or TimestampReader.
template <typename Reader>
class BoundWriter : public CellWriter {
 public:
  void bind(const Vector& column) override { reader_.emplace(column); }
  bool isNull(size_t row) const override { return reader_->isNull(row); }

 protected:
  auto value(size_t row) const { return (*reader_)[row]; }

 private:
  std::optional<Reader> reader_;
};

template <typename T>
class IntegerWriter final : public BoundWriter<ColumnReader<T>> {
 public:
  void append(size_t row, std::string& out) const override {
    char text[24];
    const auto result = std::to_chars(text, text + sizeof(text), int64_t{this->value(row)});
    out.append(text, result.ptr);
  }
  CellWriter::Quoting quoting() const override { return CellWriter::Quoting::NUMBER; }
};

class BooleanWriter final : public BoundWriter<ColumnReader<bool>> {
 public:
  void append(size_t row, std::string& out) const override { out += value(row) ? "true" : "false"; }
  Quoting quoting() const override { return Quoting::NUMBER; }
};

template <typename T>
class FloatingWriter final : public BoundWriter<ColumnReader<T>> {
 public:
  void append(size_t row, std::string& out) const override {
    if constexpr (std::is_same_v<T, float>) appendFloat(out, this->value(row));
    else appendDouble(out, this->value(row));
  }
  CellWriter::Quoting quoting() const override { return CellWriter::Quoting::NUMBER; }
};

/// Without zeros at the end, as Flink's Jackson keeps decimals.
void appendStripped(std::string& out, int128 unscaled, int scale, bool plain) {
  if (unscaled == 0) {
    out += '0';
    return;
  }
  while (unscaled % 10 == 0) {
    unscaled /= 10;
    --scale;
  }
  char text[kDecimalTextMax];
  if (scale >= 0) {
    out.append(text, plain ? writeDecimal(text, unscaled, scale) : writeDecimalJava(text, unscaled, scale));
    return;
  }
  const std::string digits(text, writeDecimal(text, unscaled, 0));
  if (plain) {
    out.append(digits).append(static_cast<size_t>(-scale), '0');
    return;
  }
  const size_t lead = digits[0] == '-' ? 2 : 1;
  out.append(digits, 0, lead);
  if (digits.size() > lead) out.append(1, '.').append(digits, lead);
  out.append("E+").append(std::to_string(static_cast<size_t>(-scale) + digits.size() - lead));
}

template <typename T>
class DecimalWriter final : public BoundWriter<ColumnReader<T>> {
 public:
  DecimalWriter(int scale, DecimalForm form) : scale_(scale), form_(form) {}
  void append(size_t row, std::string& out) const override {
    if (form_ == DecimalForm::PLAIN) appendDecimal(out, this->value(row), scale_);
    else appendStripped(out, this->value(row), scale_, form_ == DecimalForm::PLAIN_STRIPPED);
  }
  CellWriter::Quoting quoting() const override { return CellWriter::Quoting::NUMBER; }

 private:
  int scale_;
  DecimalForm form_;
};

class DateWriter final : public BoundWriter<ColumnReader<int32_t>> {
 public:
  void append(size_t row, std::string& out) const override {
    char text[kDateTimeTextMax];
    out.append(text, writeIsoDate(text, value(row)));
  }
  Quoting quoting() const override { return Quoting::TEXT; }
};

/// `HH:mm:ss`, then `.` and the digits of the fraction up to the last that is not zero.
void appendTime(std::string& out, TimeOfDay time) {
  const char digits[] = {static_cast<char>('0' + time.hour / 10),   static_cast<char>('0' + time.hour % 10),   ':',
                         static_cast<char>('0' + time.minute / 10), static_cast<char>('0' + time.minute % 10), ':',
                         static_cast<char>('0' + time.second / 10), static_cast<char>('0' + time.second % 10)};
  out.append(digits, sizeof(digits));
  if (time.nano == 0) return;
  char fraction[10] = {'.'};
  int32_t rest = time.nano;
  for (int at = 9; at >= 1; --at, rest /= 10) fraction[at] = static_cast<char>('0' + rest % 10);
  size_t size = sizeof(fraction);
  while (fraction[size - 1] == '0') --size;
  out.append(fraction, size);
}

class TimeWriter final : public BoundWriter<ColumnReader<int32_t>> {
 public:
  void append(size_t row, std::string& out) const override { appendTime(out, timeOfDay(value(row))); }
  Quoting quoting() const override { return Quoting::TEXT; }
};

class TimestampWriter final : public BoundWriter<TimestampReader> {
 public:
  TimestampWriter(char separator, bool zulu) : separator_(separator), zulu_(zulu) {}
  void append(size_t row, std::string& out) const override {
    const TimestampValue timestamp = value(row);
    char text[kDateTimeTextMax];
    out.append(text, writeIsoDate(text, dateOfMillis(timestamp.millis)));
    out += separator_;
    appendTime(out, timeOfDay(timeOfMillis(timestamp.millis), timestamp.nanos));
    if (zulu_) out += 'Z';
  }
  Quoting quoting() const override { return Quoting::TEXT; }

 private:
  char separator_;
  bool zulu_;
};

class TextWriter final : public BoundWriter<ColumnReader<std::string_view>> {
 public:
  void append(size_t row, std::string& out) const override { out += value(row); }
  Quoting quoting() const override { return Quoting::TEXT; }
};

class BytesWriter final : public BoundWriter<ColumnReader<std::string_view>> {
 public:
  void append(size_t row, std::string& out) const override { appendBase64(out, value(row)); }
  Quoting quoting() const override { return Quoting::TEXT; }
};

class NullWriter final : public CellWriter {
 public:
  void bind(const Vector&) override {}
  bool isNull(size_t) const override { return true; }
  void append(size_t, std::string&) const override {}
  Quoting quoting() const override { return Quoting::NUMBER; }
};

template <typename Writer, typename... Args>
std::unique_ptr<CellWriter> writer(Args&&... args) {
  return std::make_unique<Writer>(std::forward<Args>(args)...);
}

}  // namespace

Result<std::unique_ptr<CellWriter>> CellWriter::make(const DataType& type, const CellForm& form) {
  switch (type.kind()) {
    case TypeKind::NULL_TYPE: return writer<NullWriter>();
    case TypeKind::BOOLEAN: return writer<BooleanWriter>();
    case TypeKind::TINYINT: return writer<IntegerWriter<int8_t>>();
    case TypeKind::SMALLINT: return writer<IntegerWriter<int16_t>>();
    case TypeKind::INTEGER: case TypeKind::INTERVAL_YEAR_MONTH: return writer<IntegerWriter<int32_t>>();
    case TypeKind::BIGINT: case TypeKind::INTERVAL_DAY_TIME: return writer<IntegerWriter<int64_t>>();
    case TypeKind::FLOAT: return writer<FloatingWriter<float>>();
    case TypeKind::DOUBLE: return writer<FloatingWriter<double>>();
    case TypeKind::DECIMAL:
      if (type.physicalType() == PhysicalType::INT64) return writer<DecimalWriter<int64_t>>(type.scale(), form.decimals);
      return writer<DecimalWriter<int128>>(type.scale(), form.decimals);
    case TypeKind::CHAR: case TypeKind::VARCHAR: return writer<TextWriter>();
    case TypeKind::BINARY: case TypeKind::VARBINARY: return writer<BytesWriter>();
    case TypeKind::DATE: return writer<DateWriter>();
    case TypeKind::TIME: return writer<TimeWriter>();
    case TypeKind::TIMESTAMP: return writer<TimestampWriter>(form.timestamp_separator, false);
    case TypeKind::TIMESTAMP_LTZ: return writer<TimestampWriter>(form.timestamp_separator, true);
    default: return Status::notSupported("values of type " + type.toString() + " as text");
  }
}

}  // namespace thalweg::format
