#include "worker/connectors/enforcing_sink.h"

#include <algorithm>

#include "common/columnar/builder.h"
#include "common/types/java_text.h"

namespace thalweg::worker {
namespace {

bool hasLength(const DataType& type) {
  return (type.isString() || type.isBinary()) && type.length() != DataType::kMaxLength;
}

bool isPadded(const DataType& type) { return type.kind() == TypeKind::CHAR || type.kind() == TypeKind::BINARY; }

size_t lengthOf(std::string_view value, const DataType& type) {
  return type.isString() ? codePointCount(value) : value.size();
}

class EnforcingWriter : public SinkWriter {
 public:
  EnforcingWriter(const SinkSpec& spec, std::unique_ptr<SinkWriter> writer) : spec_(spec), writer_(std::move(writer)) {}

  Status open(OperatorContext& context) override { return writer_->open(context); }
  Status onWatermark(EventTime watermark) override { return writer_->onWatermark(watermark); }
  Result<std::string> stage() override { return writer_->stage(); }
  Status commit(const std::string& staged) override { return writer_->commit(staged); }
  Status snapshotOpen(std::string& out) override { return writer_->snapshotOpen(out); }
  Status restore(std::span<const std::string_view> parts) override { return writer_->restore(parts); }
  Status finish() override { return writer_->finish(); }
  void close() override { writer_->close(); }

  Status write(const Batch& batch) override {
    Batch rows = batch;
    RETURN_IF_ERROR(checkNulls(rows));
    RETURN_IF_ERROR(checkLengths(rows));
    return writer_->write(rows);
  }

 private:
  Status checkNulls(Batch& batch) {
    std::vector<bool> bad(batch.rows());
    bool any = false;
    for (size_t i = 0; i < spec_.not_null_columns.size() && i < batch.columnCount(); ++i) {
      if (!spec_.not_null_columns[i] || !batch.column(i)->mayHaveNulls()) continue;
      const RowMapping rows(*batch.column(i));
      for (size_t row = 0; row < batch.rows(); ++row) {
        if (!rows.isNull(row)) continue;
        if (spec_.not_null_enforcer == SinkSpec::NotNullEnforcer::ERROR) return nullError(i);
        bad[row] = any = true;
      }
    }
    if (!any) return {};
    std::vector<RowIndex> kept;
    for (size_t row = 0; row < batch.rows(); ++row) {
      if (!bad[row]) kept.push_back(static_cast<RowIndex>(row));
    }
    batch = batch.select(kept);
    return {};
  }

  Status nullError(size_t column) const {
    return Status::runtime("column '" + spec_.schema.column(column).name + "' of table '" + spec_.table_name +
                           "' is NOT NULL, but a NULL was to be written; set 'table.exec.sink.not-null-enforcer' to "
                           "'DROP' to leave such rows out");
  }

  Status checkLengths(Batch& batch) {
    if (spec_.length_enforcer == SinkSpec::LengthEnforcer::IGNORE || batch.rows() == 0) return {};
    std::vector<VectorPtr> columns = batch.columns();
    bool changed = false;
    for (size_t i = 0; i < columns.size(); ++i) {
      const DataType& type = spec_.schema.type(i);
      if (!hasLength(type) || fits(*columns[i], type)) continue;
      if (spec_.length_enforcer == SinkSpec::LengthEnforcer::ERROR) return lengthError(i, *columns[i]);
      columns[i] = fitted(*columns[i], type);
      changed = true;
    }
    if (changed) batch = batch.withColumns(std::move(columns));
    return {};
  }

  static bool misfits(std::string_view value, const DataType& type) {
    const size_t length = lengthOf(value, type);
    const auto allowed = static_cast<size_t>(type.length());
    return isPadded(type) ? length != allowed : length > allowed;
  }

  static bool fits(const Vector& column, const DataType& type) {
    const ColumnReader<std::string_view> values(column);
    for (size_t row = 0; row < column.size(); ++row) {
      if (!values.isNull(row) && misfits(values[row], type)) return false;
    }
    return true;
  }

  Status lengthError(size_t column, const Vector& vector) const {
    const DataType& type = spec_.schema.type(column);
    const ColumnReader<std::string_view> values(vector);
    size_t row = 0;
    while (values.isNull(row) || !misfits(values[row], type)) ++row;
    return Status::runtime("column '" + spec_.schema.column(column).name + "' of table '" + spec_.table_name + "' is " +
                           type.toString() + ", but a value of length " + std::to_string(lengthOf(values[row], type)) +
                           " was to be written; set 'table.exec.sink.type-length-enforcer' to 'TRIM_PAD' to cut and pad");
  }

  static VectorPtr fitted(const Vector& column, const DataType& type) {
    const ColumnReader<std::string_view> values(column);
    const auto allowed = static_cast<size_t>(type.length());
    StringBuilder builder(type, column.size());
    std::string padded;
    for (size_t row = 0; row < column.size(); ++row) {
      if (values.isNull(row)) {
        builder.appendNull();
        continue;
      }
      const std::string_view value = values[row];
      const size_t length = lengthOf(value, type);
      if (length > allowed) {
        builder.append(type.isString() ? prefixOfCodePoints(value, allowed) : value.substr(0, allowed));
      } else if (length < allowed && isPadded(type)) {
        padded.assign(value);
        padded.append(allowed - length, type.isString() ? ' ' : '\0');
        builder.append(padded);
      } else {
        builder.append(value);
      }
    }
    return builder.finish();
  }

  SinkSpec spec_;
  std::unique_ptr<SinkWriter> writer_;
};

}  // namespace

std::unique_ptr<SinkWriter> enforceColumnRules(const SinkSpec& spec, std::unique_ptr<SinkWriter> writer) {
  const bool nulls = std::find(spec.not_null_columns.begin(), spec.not_null_columns.end(), true) != spec.not_null_columns.end();
  const bool lengths = spec.length_enforcer != SinkSpec::LengthEnforcer::IGNORE;
  if (!nulls && !lengths) return writer;
  return std::make_unique<EnforcingWriter>(spec, std::move(writer));
}

}  // namespace thalweg::worker
