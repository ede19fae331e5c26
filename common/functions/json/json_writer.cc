#include "common/functions/json/json_writer.h"

#include <algorithm>
#include <cmath>

#include "common/columnar/column_reader.h"
#include "common/functions/json/json_document.h"
#include "common/functions/row_access.h"
#include "common/functions/text/text_codec.h"
#include "common/types/dates/datetime_text.h"
#include "common/types/decimal_text.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

/// A column read through RowReader<A>; `write(out, value)` writes one value.
template <typename A, typename Write>
class PlainColumn final : public JsonColumn {
 public:
  explicit PlainColumn(Write write) : write_(std::move(write)) {}
  void bind(const Vector& column) override {
    nulls_.emplace(column);
    reader_.emplace(column);
  }
  bool isNull(size_t row) const override { return nulls_->isNull(row); }
  bool append(std::string& out, size_t row) override {
    write_(out, (*reader_)[row]);
    return true;
  }

 private:
  Write write_;
  std::optional<RowMapping> nulls_;
  std::optional<RowReader<A>> reader_;
};

template <typename A, typename Write>
std::unique_ptr<JsonColumn> plain(Write write) {
  return std::make_unique<PlainColumn<A, Write>>(std::move(write));
}

/// JSON text that is put in as compact JSON; empty text as null.
class RawColumn final : public JsonColumn {
 public:
  void bind(const Vector& column) override { text_.emplace(column); }
  bool isNull(size_t row) const override { return text_->isNull(row); }
  bool append(std::string& out, size_t row) override {
    const std::string_view text = (*text_)[row];
    if (text.empty()) out.append("null");
    else if (document_.parse(text)) document_.appendCompact(out, JsonDocument::root());
    else return false;
    return true;
  }

 private:
  std::optional<ColumnReader<std::string_view>> text_;
  JsonDocument document_;
};

class ArrayColumn final : public JsonColumn {
 public:
  explicit ArrayColumn(std::unique_ptr<JsonColumn> element) : element_(std::move(element)) {}
  void bind(const Vector& column) override {
    arrays_.emplace(column);
    if (column.physicalType() != PhysicalType::NONE) element_->bind(*arrays_->child(0));
  }
  bool isNull(size_t row) const override { return arrays_->isNull(row); }
  bool append(std::string& out, size_t row) override {
    out.push_back('[');
    for (size_t i = 0; i < arrays_->length(row); ++i) {
      if (i > 0) out.push_back(',');
      element_->appendAny(out, arrays_->begin(row) + i);
    }
    out.push_back(']');
    return true;
  }

 private:
  std::unique_ptr<JsonColumn> element_;
  std::optional<NestedReader> arrays_;
};

/// Entries in order of their keys.
class MapColumn final : public JsonColumn {
 public:
  explicit MapColumn(std::unique_ptr<JsonColumn> value) : value_(std::move(value)) {}
  void bind(const Vector& column) override {
    maps_.emplace(column);
    if (column.physicalType() == PhysicalType::NONE) return;
    keys_.emplace(*maps_->child(0));
    value_->bind(*maps_->child(1));
  }
  bool isNull(size_t row) const override { return maps_->isNull(row); }
  bool append(std::string& out, size_t row) override {
    entries_.clear();
    for (size_t i = 0; i < maps_->length(row); ++i) {
      const size_t at = maps_->begin(row) + i;
      entries_.emplace_back(keys_->isNull(at) ? std::string_view("null") : (*keys_)[at], at);
    }
    std::ranges::sort(entries_);
    out.push_back('{');
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (i > 0) out.push_back(',');
      appendJsonString(out, entries_[i].first);
      out.push_back(':');
      value_->appendAny(out, entries_[i].second);
    }
    out.push_back('}');
    return true;
  }

 private:
  std::unique_ptr<JsonColumn> value_;
  std::optional<NestedReader> maps_;
  std::optional<ColumnReader<std::string_view>> keys_;
  std::vector<std::pair<std::string_view, size_t>> entries_;
};

/// Fields in order of their names.
class RowColumn final : public JsonColumn {
 public:
  struct Member {
    std::string name;
    size_t field;
    std::unique_ptr<JsonColumn> column;
  };
  explicit RowColumn(std::vector<Member> members) : members_(std::move(members)) {
    std::ranges::stable_sort(members_, {}, &Member::name);
  }
  void bind(const Vector& column) override {
    rows_.emplace(column);
    if (column.physicalType() == PhysicalType::NONE) return;
    for (Member& member : members_) member.column->bind(*rows_->child(member.field));
  }
  bool isNull(size_t row) const override { return rows_->isNull(row); }
  bool append(std::string& out, size_t row) override {
    out.push_back('{');
    for (size_t i = 0; i < members_.size(); ++i) {
      if (i > 0) out.push_back(',');
      appendJsonString(out, members_[i].name);
      out.push_back(':');
      members_[i].column->appendAny(out, rows_->position(row));
    }
    out.push_back('}');
    return true;
  }

 private:
  std::vector<Member> members_;
  std::optional<NestedReader> rows_;
};

void appendInteger(std::string& out, int64_t value) { out.append(std::to_string(value)); }

/// As BigDecimal shows the number's Java text; what is no number goes in quotes.
void appendFloating(std::string& out, bool finite, const std::string& text) {
  if (finite) appendBigDecimal(out, text);
  else out.append(1, '"').append(text).push_back('"');
}

template <typename Write, typename... Args>
void appendQuoted(std::string& out, Write write, Args... args) {
  out.append(1, '"').append(dateTimeText(write, args...)).push_back('"');
}

/// `2024-05-05T07:00:00.5`: seconds always, and no zeros behind them.
char* writeMoment(char* out, TimestampValue value) {
  char* const end = writeTimestamp(out, value, 0);
  *std::find(out, end, ' ') = 'T';
  return end;
}
char* writeInstant(char* out, TimestampValue value) {
  out = writeMoment(out, value);
  *out++ = 'Z';
  return out;
}

Result<std::unique_ptr<JsonColumn>> makeNested(const DataType& type) {
  if (type.kind() == TypeKind::ROW) {
    std::vector<RowColumn::Member> members;
    for (const Field& field : type.fields()) {
      ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> column, JsonColumn::make(field.type));
      members.push_back({field.name, members.size(), std::move(column)});
    }
    return std::unique_ptr<JsonColumn>(std::make_unique<RowColumn>(std::move(members)));
  }
  if (type.kind() == TypeKind::ARRAY) {
    ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> element, JsonColumn::make(type.child(0)));
    return std::unique_ptr<JsonColumn>(std::make_unique<ArrayColumn>(std::move(element)));
  }
  if (!type.child(0).isString()) {
    return Status::plan("JSON has no form for " + type.asNullable().toString() + ": keys must be text");
  }
  const DataType value = type.kind() == TypeKind::MULTISET ? DataType::integer(false) : type.child(1);
  ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> values, JsonColumn::make(value));
  return std::unique_ptr<JsonColumn>(std::make_unique<MapColumn>(std::move(values)));
}

}  // namespace

bool JsonColumn::takes(const DataType& type) { return type.kind() != TypeKind::DATE && type.kind() != TypeKind::TIME && make(type).isOk(); }

Result<std::unique_ptr<JsonColumn>> JsonColumn::make(const DataType& type, bool raw) {
  if (raw) return std::unique_ptr<JsonColumn>(std::make_unique<RawColumn>());
  const int scale = type.scale();
  switch (type.kind()) {
    case TypeKind::BOOLEAN: return plain<bool>([](std::string& out, bool value) { out.append(value ? "true" : "false"); });
    case TypeKind::TINYINT: case TypeKind::SMALLINT: case TypeKind::INTEGER: case TypeKind::BIGINT:
      return plain<AnyInteger>(appendInteger);
    case TypeKind::FLOAT:
      return plain<float>([](std::string& out, float value) { appendFloating(out, std::isfinite(value), doubleText(value)); });
    case TypeKind::DOUBLE:
      return plain<double>([](std::string& out, double value) { appendFloating(out, std::isfinite(value), doubleText(value)); });
    case TypeKind::DECIMAL:
      return plain<AnyDecimal>([scale](std::string& out, int128 value) { appendDecimalJava(out, value, scale); });
    case TypeKind::CHAR: case TypeKind::VARCHAR: case TypeKind::NULL_TYPE:
      return plain<std::string_view>([](std::string& out, std::string_view value) { appendJsonString(out, value); });
    case TypeKind::BINARY: case TypeKind::VARBINARY:
      return plain<std::string_view>([](std::string& out, std::string_view value) {
        out.push_back('"');
        appendBase64(out, value);
        out.push_back('"');
      });
    case TypeKind::VARIANT:  // the value is JSON text
      return plain<std::string_view>([](std::string& out, std::string_view value) { out.append(value); });
    case TypeKind::DATE:
      return plain<AnyInteger>([](std::string& out, int64_t days) { appendQuoted(out, writeIsoDate, static_cast<int32_t>(days)); });
    case TypeKind::TIME:
      return plain<AnyInteger>([](std::string& out, int64_t millis) { appendQuoted(out, writeIsoTime, static_cast<int32_t>(millis)); });
    case TypeKind::TIMESTAMP:
      return plain<AnyTimestamp>([](std::string& out, TimestampValue value) { appendQuoted(out, writeMoment, value); });
    case TypeKind::TIMESTAMP_LTZ:
      return plain<AnyTimestamp>([](std::string& out, TimestampValue value) { appendQuoted(out, writeInstant, value); });
    case TypeKind::ARRAY: case TypeKind::MAP: case TypeKind::MULTISET: case TypeKind::ROW: return makeNested(type);
    default: return Status::plan("JSON has no form for " + type.asNullable().toString());
  }
}

}  // namespace thalweg
