// RecordType<T>: how a stream of T knows its schema and turns vectors of T into columns and back.
//
//   auto type = RecordType<Order>::of();
//   type->schema();                        // (user STRING NOT NULL, amount INT NOT NULL)
//   Batch batch = type->encode(orders);    // columns in the schema's order; row kinds for Row
//   type->decode(batch, orders);           // the first schema().size() columns
//
// A described struct or tuple has a column per field; any other T is one column named f0.
// The type of Row is known at run time only: RowRecordType (record_types.h), or not at all (isKnown() is false), in
// which case encode() throws and says what to do. Threads: immutable, shared.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "client/api/thalweg/row.h"
#include "common/columnar/batch.h"
#include "common/types/schema.h"

namespace thalweg::api {

/// What does not depend on T.
class AnyRecordType {
 public:
  virtual ~AnyRecordType() = default;
  const thalweg::Schema& schema() const { return schema_; }
  /// Types of the columns, in order.
  const std::vector<DataType>& columnTypes() const { return types_; }
  /// False: T is one column, f0.
  bool isComposite() const { return composite_; }
  bool isKnown() const { return known_; }
  /// A ROW of the columns; of a T that is one column, that column's type.
  DataType dataType() const;

 protected:
  AnyRecordType(const DataType& type, bool composite, bool known = true);

 private:
  thalweg::Schema schema_;
  std::vector<DataType> types_;
  bool composite_;
  bool known_;
};

template <typename T>
class RecordType : public AnyRecordType {
 public:
  RecordType(const DataType& type, bool composite, bool known = true) : AnyRecordType(type, composite, known) {}
  virtual Batch encode(const std::vector<T>& records) const = 0;
  /// Replaces the content of `records`.
  virtual void decode(const Batch& batch, std::vector<T>& records) const = 0;
  /// The type that follows from T alone.
  static std::shared_ptr<const RecordType<T>> of();
};
template <typename T>
using RecordTypePtr = std::shared_ptr<const RecordType<T>>;

/// Of every T but Row.
template <typename T>
class StaticRecordType final : public RecordType<T> {
 public:
  StaticRecordType() : RecordType<T>(FieldTraits<T>::type(), Composite<T>) {}

  Batch encode(const std::vector<T>& records) const override {
    if constexpr (std::is_same_v<T, bool>) {   // a std::vector<bool> has no elements one could point at
      const auto flat = std::make_unique<bool[]>(records.size());
      std::copy(records.begin(), records.end(), flat.get());
      return encodeFrom(records.size(), [&](size_t i) { return &flat[i]; });
    } else {
      return encodeFrom(records.size(), [&](size_t i) { return &records[i]; });
    }
  }
  void decode(const Batch& batch, std::vector<T>& records) const override {
    records.clear();
    records.resize(batch.rows());
    if constexpr (std::is_same_v<T, bool>) {
      const auto flat = std::make_unique<bool[]>(records.size());
      decodeInto(batch, [&](size_t i) -> bool& { return flat[i]; });
      std::copy_n(flat.get(), records.size(), records.begin());
    } else {
      decodeInto(batch, [&](size_t i) -> T& { return records[i]; });
    }
  }

 private:
  template <typename Get>
  Batch encodeFrom(size_t rows, Get get) const {
    if constexpr (Composite<T>) {
      return Batch(rows, FieldTraits<T>::encodeMembers(this->dataType(), rows, get));
    } else {
      return Batch(rows, {FieldTraits<T>::encode(this->columnTypes()[0], rows, get)});
    }
  }
  template <typename Place>
  void decodeInto(const Batch& batch, Place place) const {
    if constexpr (Composite<T>) {
      FieldTraits<T>::decodeMembers(batch.columns(), batch.rows(), place);
    } else {
      FieldTraits<T>::decode(*batch.column(0), batch.rows(), place, false);
    }
  }
};

/// Of rows: with declared types (nullable columns unless said otherwise), or unknown.
std::shared_ptr<const RecordType<Row>> rowRecordType(std::vector<Field> fields);
std::shared_ptr<const RecordType<Row>> unknownRowType();
/// From the values of some rows: the first type that is not NULL of each field. Unknown if a field has none.
std::shared_ptr<const RecordType<Row>> inferRowType(const std::vector<Row>& rows);

template <typename T>
std::shared_ptr<const RecordType<T>> RecordType<T>::of() {
  requireUsable<T>();
  if constexpr (std::is_same_v<T, Row>) {
    return unknownRowType();
  } else {
    static const auto type = std::make_shared<const StaticRecordType<T>>();
    return type;
  }
}

}  // namespace thalweg::api
