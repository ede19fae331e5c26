#include "client/api/thalweg/flagged_records.h"

#include "client/api/thalweg/field_composites.h"
#include "common/columnar/builder.h"

namespace thalweg::api {
namespace {

DataType flaggedType(std::vector<Field> fields) {
  return DataType::row({{"f0", DataType::boolean(false), {}}, {"f1", DataType::row(std::move(fields), false), {}}}, false);
}

class FlaggedRowType final : public RecordType<Flagged<Row>> {
 public:
  explicit FlaggedRowType(std::vector<Field> fields) : RecordType<Flagged<Row>>(flaggedType(std::move(fields)), true) {}

  Batch encode(const std::vector<Flagged<Row>>& records) const override {
    std::vector<Value> flags;
    std::vector<Value> rows;
    for (const auto& [flag, row] : records) {
      flags.push_back(Value::boolean(flag));
      rows.push_back(FieldTraits<Row>::toValue(row));
    }
    return Batch(records.size(), {makeVector(columnTypes()[0], flags), makeVector(columnTypes()[1], rows)});
  }
  void decode(const Batch& batch, std::vector<Flagged<Row>>& records) const override {
    records.clear();
    records.reserve(batch.rows());
    for (size_t i = 0; i < batch.rows(); ++i) {
      records.emplace_back(batch.column(0)->valueAt(i).asBool(), FieldTraits<Row>::fromValue(batch.column(1)->valueAt(i), columnTypes()[1]));
    }
  }
};

}  // namespace

RecordTypePtr<Flagged<Row>> flaggedRowType(std::vector<Field> fields) { return std::make_shared<FlaggedRowType>(std::move(fields)); }

}  // namespace thalweg::api
