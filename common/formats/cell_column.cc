#include "common/formats/cell_column.h"

#include <fast_float/fast_float.h>

#include "common/formats/cell_text.h"
#include "common/formats/column_parts.h"
#include "common/types/cast_scalar.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"

namespace thalweg::format {
namespace {

/// Base of columns of fixed-width values.
template <typename T>
class FixedCellColumn : public CellColumn {
 public:
  explicit FixedCellColumn(DataType type) : type_(std::move(type)) {}

  void reserve(size_t rows) override { values_.reserve(rows); }
  void setNull(size_t row) override {
    values_[row] = T{};
    nulls_.setNull(row);
  }
  VectorPtr finish(size_t rows) override {
    BufferPtr validity = nulls_.finish(rows);
    return Vector::flat({.type = type_, .size = rows, .validity = std::move(validity), .data = values_.finish(rows)});
  }

 protected:
  bool store(size_t row, T value) {
    values_[row] = value;
    nulls_.setValid(row);
    return true;
  }
  const DataType& type() const { return type_; }

 private:
  DataType type_;
  Values<T> values_;
  NullMarks nulls_;
};

/// What setMany() of any column does: set() for each.
template <typename Column>
size_t setEach(Column& column, size_t row, size_t count, const char* data, const CellCut* cuts, size_t stride) {
  for (size_t i = 0; i < count; ++i) {
    const CellCut cut = cuts[i * stride];
    if (!column.set(row + i, {.text = {data + cut.begin, cut.size}, .shared = true})) return i;
  }
  return count;
}

template <typename T>
class IntegerColumn final : public FixedCellColumn<T> {
 public:
  explicit IntegerColumn(DataType type) : FixedCellColumn<T>(std::move(type)) {}
  bool set(size_t row, const Cell& cell) override {
    constexpr int64_t kMin = std::numeric_limits<T>::min();
    constexpr int64_t kMax = std::numeric_limits<T>::max();
    std::optional<int64_t> value = parseJavaInteger(cell.text, kMin, kMax);
    if (!value) value = slow(cell, kMin, kMax);
    return value && this->store(row, static_cast<T>(*value));
  }
  size_t setMany(size_t row, size_t count, const char* data, const CellCut* cuts, size_t stride) override {
    for (size_t i = 0; i < count; ++i) {
      const CellCut cut = cuts[i * stride];
      const int64_t value = parseShortDigits(data + cut.begin, cut.size);
      if (value >= 0 && value <= std::numeric_limits<T>::max()) this->store(row + i, static_cast<T>(value));
      else if (!set(row + i, {.text = {data + cut.begin, cut.size}, .shared = true})) return i;
    }
    return count;
  }

 private:
  /// Blanks around it; of a JSON number the whole part, but for the narrow types, which Flink reads from the text.
  static std::optional<int64_t> slow(const Cell& cell, int64_t min, int64_t max) {
    if (cell.number && sizeof(T) >= sizeof(int32_t)) return parseJsonInteger(cell.text, min, max);
    return parseJavaInteger(trimJava(cell.text), min, max);
  }
};

class BooleanColumn final : public FixedCellColumn<uint8_t> {
 public:
  explicit BooleanColumn(DataType type) : FixedCellColumn(std::move(type)) {}
  /// Boolean.parseBoolean: all but `true` is false.
  bool set(size_t row, const Cell& cell) override {
    const std::string_view text = trimJava(cell.text);
    constexpr std::string_view kTrue = "true";
    bool value = text.size() == kTrue.size();
    for (size_t i = 0; value && i < kTrue.size(); ++i) value = (text[i] | 0x20) == kTrue[i];
    return store(row, value);
  }
};

template <typename T>
class FloatingColumn final : public FixedCellColumn<T> {
 public:
  explicit FloatingColumn(DataType type) : FixedCellColumn<T>(std::move(type)) {}
  bool set(size_t row, const Cell& cell) override {
    const std::string_view text = cell.text;
    if (!text.empty() && isDigit(text.back()) && (isDigit(text.front()) || text.front() == '-') && text.size() < 40) {
      T value = 0;
      const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
      if (error == std::errc() && end == text.data() + text.size()) return this->store(row, value);
    }
    std::optional<T> value;
    if constexpr (std::is_same_v<T, float>) value = parseFloat(text);
    else value = parseDouble(text);
    return value && this->store(row, *value);
  }

 private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
};

/// Whether `text` is a number to BigDecimal; it may have more digits than a DECIMAL.
bool isDecimalText(std::string_view text) {
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+');
  const auto digits = [&] {
    const size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - begin;
  };
  size_t count = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (const size_t exponent = digits(); exponent == 0 || exponent > 9) return false;
  }
  return at == text.size();
}

template <typename T>
class DecimalColumn final : public FixedCellColumn<T> {
 public:
  DecimalColumn(DataType type, bool trimmed)
      : FixedCellColumn<T>(type), spec_{type.precision(), type.scale()}, trimmed_(trimmed) {}
  bool set(size_t row, const Cell& cell) override {
    const std::string_view text = trimmed_ ? trimJava(cell.text) : cell.text;
    std::optional<int128> value;
    if (const auto literal = parseDecimalLiteral(text)) {
      value = rescaleDecimal(literal->unscaled, literal->spec.scale, spec_);
    } else if (isDecimalText(text)) {
      value = parseDecimal(text, {DataType::kMaxDecimalPrecision, spec_.scale});
      if (value && !fitsPrecision(*value, spec_.precision)) value.reset();
    } else {
      return false;
    }
    if (value) return this->store(row, static_cast<T>(*value));
    this->setNull(row);
    return true;
  }

 private:
  DecimalSpec spec_;
  bool trimmed_;
};

class DateColumn final : public FixedCellColumn<int32_t> {
 public:
  DateColumn(DataType type, bool short_parts) : FixedCellColumn(std::move(type)), short_parts_(short_parts) {}
  bool set(size_t row, const Cell& cell) override {
    const auto days = parseDateCell(cell.text, short_parts_);
    return days && store(row, *days);
  }

 private:
  bool short_parts_;
};

class TimeColumn final : public FixedCellColumn<int32_t> {
 public:
  TimeColumn(DataType type, bool short_times) : FixedCellColumn(std::move(type)), short_times_(short_times) {}
  bool set(size_t row, const Cell& cell) override {
    const auto millis = parseTimeCell(cell.text, short_times_);
    return millis && store(row, short_times_ ? truncateTimeToPrecision(*millis, type().precision()) : *millis);
  }

 private:
  bool short_times_;
};

/// Timestamps of one layout of columns: milliseconds, microseconds or TimestampValues.
template <typename T>
class TimestampColumn final : public FixedCellColumn<T> {
 public:
  TimestampColumn(const DataType& type, const CellRules& rules)
      : FixedCellColumn<T>(type),
        micros_(type.precision() > 3),
        zulu_(type.kind() == TypeKind::TIMESTAMP_LTZ),
        trimmed_(rules.trimmed_timestamps),
        separator_(rules.timestamp_separator) {}

  size_t setMany(size_t row, size_t count, const char* data, const CellCut* cuts, size_t stride) override {
    return setEach(*this, row, count, data, cuts, stride);
  }
  bool set(size_t row, const Cell& cell) override {
    std::string_view text = cell.text;
    TimestampValue value;
    if (!parseQuickly(text, value)) {
      if (trimmed_) text = trimJava(text);
      const auto parsed = parseTimestampCell(text, separator_, zulu_);
      if (!parsed) return false;
      value = *parsed;
      remember(text, value);
    }
    if constexpr (std::is_same_v<T, TimestampValue>) return this->store(row, value);
    else return this->store(row, micros_ ? microsOf(value) : value.millis);
  }

 private:
  static constexpr size_t kDateSize = 10;
  static constexpr size_t kSecondsSize = 19;
  static constexpr size_t kMillisSize = 23;

  void remember(std::string_view text, TimestampValue value) {
    std::memcpy(date_, text.data(), kDateSize);
    date_[kDateSize] = separator_;
    day_millis_ = floorDiv(value.millis, kMillisPerDay) * kMillisPerDay;
  }

  /// `HH:mm:ss` or `HH:mm:ss.SSS` on the date of the last timestamp that was read at length.
  bool parseQuickly(std::string_view text, TimestampValue& value) {
    if (zulu_) {
      if (text.empty() || text.back() != 'Z') return false;
      text.remove_suffix(1);
    }
    if (text.size() != kMillisSize && text.size() != kSecondsSize) return false;
    if (std::memcmp(text.data(), date_, sizeof(date_)) != 0) return false;
    const char* t = text.data() + kDateSize + 1;
    if (t[2] != ':' || t[5] != ':') return false;
    unsigned worst = 0;
    const auto digit = [&](size_t at, unsigned weight) {
      const auto d = static_cast<unsigned>(t[at] - '0');
      worst = std::max(worst, d);
      return d * weight;
    };
    const unsigned hour = digit(0, 10) + digit(1, 1);
    const unsigned minute = digit(3, 10) + digit(4, 1);
    const unsigned second = digit(6, 10) + digit(7, 1);
    unsigned millis = 0;
    if (text.size() == kMillisSize) {
      if (t[8] != '.') return false;
      millis = digit(9, 100) + digit(10, 10) + digit(11, 1);
    }
    if (worst > 9 || hour > 23 || minute > 59 || second > 59) return false;
    value = {day_millis_ + int64_t{(hour * 60 + minute) * 60 + second} * kMillisPerSecond + millis, 0, 0};
    return true;
  }

  bool micros_;
  bool zulu_;
  bool trimmed_;
  char separator_;
  char date_[kDateSize + 1] = {};
  int64_t day_millis_ = 0;
};

class TextColumn final : public CellColumn {
 public:
  explicit TextColumn(DataType type) : type_(std::move(type)), base64_(type_.isBinary()) {}

  void reserve(size_t rows) override { values_.reserve(rows); }
  void useBuffer(const BufferPtr& buffer) override { values_.useBuffer(buffer); }
  bool set(size_t row, const Cell& cell) override {
    if (base64_) {
      bytes_.clear();
      if (!decodeBase64(cell.text, bytes_)) return false;
      values_.setCopied(row, bytes_);
    } else if (cell.shared) {
      values_.setShared(row, cell.text);
    } else {
      values_.setCopied(row, cell.text);
    }
    nulls_.setValid(row);
    return true;
  }
  size_t setMany(size_t row, size_t count, const char* data, const CellCut* cuts, size_t stride) override {
    if (base64_) return CellColumn::setMany(row, count, data, cuts, stride);
    values_.setShared(row, count, cuts, stride);
    nulls_.setValid(row, count);
    return count;
  }
  void setNull(size_t row) override {
    values_.setEmpty(row);
    nulls_.setNull(row);
  }
  VectorPtr finish(size_t rows) override {
    Vector::Flat parts = values_.finish(rows);
    parts.type = type_;
    parts.validity = nulls_.finish(rows);
    return Vector::flat(std::move(parts));
  }

 private:
  DataType type_;
  bool base64_;
  TextValues values_;
  NullMarks nulls_;
  std::string bytes_;
};

class NullColumn final : public CellColumn {
 public:
  explicit NullColumn(DataType type) : type_(std::move(type)) {}
  void reserve(size_t) override {}
  bool set(size_t, const Cell&) override { return false; }
  void setNull(size_t) override {}
  VectorPtr finish(size_t rows) override { return Vector::nulls(type_, rows); }

 private:
  DataType type_;
};

template <typename Column, typename... Args>
std::unique_ptr<CellColumn> column(Args&&... args) {
  return std::make_unique<Column>(std::forward<Args>(args)...);
}

}  // namespace

size_t CellColumn::setMany(size_t row, size_t count, const char* data, const CellCut* cuts, size_t stride) {
  return setEach(*this, row, count, data, cuts, stride);
}

Result<std::unique_ptr<CellColumn>> CellColumn::make(const DataType& type, const CellRules& rules) {
  switch (type.kind()) {
    case TypeKind::NULL_TYPE: return column<NullColumn>(type);
    case TypeKind::BOOLEAN: return column<BooleanColumn>(type);
    case TypeKind::TINYINT: return column<IntegerColumn<int8_t>>(type);
    case TypeKind::SMALLINT: return column<IntegerColumn<int16_t>>(type);
    case TypeKind::INTEGER: case TypeKind::INTERVAL_YEAR_MONTH: return column<IntegerColumn<int32_t>>(type);
    case TypeKind::BIGINT: case TypeKind::INTERVAL_DAY_TIME: return column<IntegerColumn<int64_t>>(type);
    case TypeKind::FLOAT: return column<FloatingColumn<float>>(type);
    case TypeKind::DOUBLE: return column<FloatingColumn<double>>(type);
    case TypeKind::DECIMAL:
      if (type.physicalType() == PhysicalType::INT64) return column<DecimalColumn<int64_t>>(type, rules.trimmed_decimals);
      return column<DecimalColumn<int128>>(type, rules.trimmed_decimals);
    case TypeKind::CHAR: case TypeKind::VARCHAR: case TypeKind::BINARY: case TypeKind::VARBINARY:
      return column<TextColumn>(type);
    case TypeKind::DATE: return column<DateColumn>(type, rules.short_dates);
    case TypeKind::TIME: return column<TimeColumn>(type, rules.short_times);
    case TypeKind::TIMESTAMP: case TypeKind::TIMESTAMP_LTZ:
      if (type.physicalType() == PhysicalType::TIMESTAMP_NANOS) return column<TimestampColumn<TimestampValue>>(type, rules);
      return column<TimestampColumn<int64_t>>(type, rules);
    default: return Status::notSupported("values of type " + type.toString() + " as text");
  }
}

}  // namespace thalweg::format
