#include "client/api/thalweg/record_type.h"

#include "client/api/thalweg/exception.h"
#include "common/columnar/column_reader.h"

namespace thalweg::api {

AnyRecordType::AnyRecordType(const DataType& type, bool composite, bool known) : composite_(composite), known_(known) {
  std::vector<Column> columns;
  if (composite) {
    for (const Field& field : type.fields()) columns.push_back({field.name, field.type});
  } else {
    columns.push_back({"f0", type});
  }
  for (const Column& column : columns) types_.push_back(column.type);
  schema_ = Schema(std::move(columns));
}

DataType AnyRecordType::dataType() const {
  if (!composite_) return types_[0];
  std::vector<Field> fields;
  for (const Column& column : schema_.columns()) fields.push_back({column.name, column.type});
  return DataType::row(std::move(fields), false);
}

namespace {

/// Values of a column into the fields `at`, which are NULL so far.
void fillColumn(const Vector& column, int at, std::vector<Row>& rows) {
  const RowMapping mapping(column);
  const Vector& flat = mapping.flat();
  const auto fill = [&](auto value_at) {
    mapping.withRowAt([&](auto row_at) {
      for (size_t i = 0; i < rows.size(); ++i) {
        if (!mapping.isNull(i)) rows[i].fill(at, value_at(row_at(i)));
      }
    });
  };
  const PhysicalType physical = flat.physicalType();
  const bool plain = !flat.type().isTimestamp() && flat.type().kind() != TypeKind::DECIMAL;
  if (mapping.isAllNull()) return;
  if (physical == PhysicalType::INT32) return fill([data = flat.data<int32_t>()](size_t row) { return Value::integer(data[row]); });
  if (physical == PhysicalType::INT64 && plain) return fill([data = flat.data<int64_t>()](size_t row) { return Value::integer(data[row]); });
  if (physical == PhysicalType::FLOAT64) return fill([data = flat.data<double>()](size_t row) { return Value::floating(data[row]); });
  for (size_t i = 0; i < rows.size(); ++i) rows[i].fill(at, column.valueAt(i));
}

class RowRecordType final : public RecordType<Row> {
 public:
  explicit RowRecordType(std::vector<Field> fields)
      : RecordType(DataType::row(fields, false), true), fields_(std::make_shared<const std::vector<Field>>(std::move(fields))) {}

  Batch encode(const std::vector<Row>& rows) const override {
    std::vector<std::unique_ptr<ColumnBuilder>> builders;
    for (const DataType& type : columnTypes()) builders.push_back(ColumnBuilder::make(type, rows.size()));
    std::vector<RowKind> kinds;
    for (const Row& row : rows) {
      if (row.getArity() != static_cast<int>(builders.size())) {
        throw ValidationException("expected a row of " + std::to_string(builders.size()) + " fields, found " + row.toString());
      }
      for (size_t i = 0; i < builders.size(); ++i) append(*builders[i], row, i);
      kinds.push_back(row.getKind());
    }
    std::vector<VectorPtr> columns;
    for (const auto& builder : builders) columns.push_back(builder->finish());
    return Batch(rows.size(), std::move(columns)).withRowKinds(makeRowKinds(kinds));
  }

  void decode(const Batch& batch, std::vector<Row>& rows) const override {
    // Names and types are the batch's own: counting their users in one place would keep all subtasks waiting for each other.
    const auto fields = std::make_shared<const std::vector<Field>>(*fields_);
    rows.clear();
    rows.reserve(batch.rows());
    for (size_t row = 0; row < batch.rows(); ++row) rows.emplace_back(batch.rowKind(row), fields, std::vector<Value>(fields->size()));
    for (size_t i = 0; i < fields->size(); ++i) fillColumn(*batch.column(i), static_cast<int>(i), rows);
  }

 private:
  void append(ColumnBuilder& builder, const Row& row, size_t i) const {
    const Value& value = row.values()[i];
    const Field& field = (*fields_)[i];
    if (value.isNull()) {
      if (!field.type.nullable()) throw ValidationException("field '" + field.name + "' of type " + field.type.toString() + " is NULL in " + row.toString());
      builder.appendNull();
      return;
    }
    builder.appendValue(convertValue(value, row.getFieldType(static_cast<int>(i)), field.type));
  }

  std::shared_ptr<const std::vector<Field>> fields_;
};

class UnknownRowType final : public RecordType<Row> {
 public:
  UnknownRowType() : RecordType(DataType::row({}, false), true, false) {}
  Batch encode(const std::vector<Row>&) const override { refuse(); }
  void decode(const Batch&, std::vector<Row>&) const override { refuse(); }

 private:
  [[noreturn]] static void refuse() {
    throw ValidationException("the types of a stream of Row are not known where it must become columns: say them with "
                              ".returns(Types::ROW({Types::STRING(), Types::INT()})) after the function that makes the rows");
  }
};

}  // namespace

std::shared_ptr<const RecordType<Row>> rowRecordType(std::vector<Field> fields) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name.empty()) fields[i].name = "f" + std::to_string(i);
  }
  return std::make_shared<const RowRecordType>(std::move(fields));
}

std::shared_ptr<const RecordType<Row>> unknownRowType() {
  static const auto type = std::make_shared<const UnknownRowType>();
  return type;
}

std::shared_ptr<const RecordType<Row>> inferRowType(const std::vector<Row>& rows) {
  std::vector<Field> fields;
  for (const Row& row : rows) {
    if (row.getArity() == 0) continue;
    const std::vector<Field>& found = *row.fields();
    if (fields.empty()) fields.resize(found.size());
    for (size_t i = 0; i < std::min(fields.size(), found.size()); ++i) {
      if (fields[i].name.empty()) fields[i].name = found[i].name;
      if (fields[i].type.isNull()) fields[i].type = found[i].type.asNullable();
    }
  }
  for (const Field& field : fields) {
    if (field.type.isNull()) return unknownRowType();
  }
  return fields.empty() ? unknownRowType() : rowRecordType(std::move(fields));
}

}  // namespace thalweg::api
