// Records of a table's changes as (true, record) where one is added and (false, record) where one is taken back: what
// toRetractStream() gives.
//
// FlaggedRecords reads them from a table's columns and row kinds; behind that they are records as others are, of a type
// that follows from T, or for rows from their fields. Threads: immutable.
#pragma once

#include <tuple>
#include <vector>

#include "client/api/thalweg/record_type.h"
#include "client/api/thalweg/row.h"

namespace thalweg::api {

template <typename T>
using Flagged = std::tuple<bool, T>;

/// Only read, never written.
template <typename T>
class FlaggedRecords final : public RecordType<Flagged<T>> {
 public:
  explicit FlaggedRecords(RecordTypePtr<T> records) : RecordType<Flagged<T>>(records->dataType(), records->isComposite()), records_(std::move(records)) {}
  Batch encode(const std::vector<Flagged<T>>&) const override { return {}; }
  void decode(const Batch& batch, std::vector<Flagged<T>>& flagged) const override {
    std::vector<T> records;
    records_->decode(batch, records);
    flagged.clear();
    flagged.reserve(records.size());
    for (size_t i = 0; i < records.size(); ++i) {
      const RowKind kind = batch.rowKind(i);
      flagged.emplace_back(kind == RowKind::INSERT || kind == RowKind::UPDATE_AFTER, std::move(records[i]));
    }
  }

 private:
  RecordTypePtr<T> records_;
};

/// Of flagged rows with these fields.
RecordTypePtr<Flagged<Row>> flaggedRowType(std::vector<Field> fields);

}  // namespace thalweg::api
