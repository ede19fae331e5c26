#include "client/api/key_runs.h"

#include <algorithm>

#include "client/api/thalweg/key_scope.h"
#include "common/columnar/column_reader.h"

namespace thalweg::api {
namespace {

template <typename N>
void appendBigEndian(std::string& out, N value) {
  for (size_t i = sizeof(N); i-- > 0;) out += static_cast<char>(value >> (8 * i));
}

void appendVariable(std::string& out, uint32_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// UTF-16 code units of UTF-8 text.
std::vector<uint32_t> codeUnits(std::string_view text) {
  std::vector<uint32_t> units;
  for (size_t i = 0; i < text.size();) {
    const auto lead = static_cast<uint8_t>(text[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint32_t point = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (size_t k = 1; k < length && i + k < text.size(); ++k) point = (point << 6) | (static_cast<uint8_t>(text[i + k]) & 0x3FU);
    i += length;
    if (point < 0x10000) {
      units.push_back(point);
    } else {
      units.push_back(0xD800 + ((point - 0x10000) >> 10));
      units.push_back(0xDC00 + ((point - 0x10000) & 0x3FF));
    }
  }
  return units;
}

/// Appends what Flink's serializer of this type writes for a row; other types as their value sorts.
void appendOrder(std::string& out, const Vector& column, size_t row) {
  switch (column.physicalType()) {
    case PhysicalType::BOOL: out += ColumnReader<bool>(column)[row] ? '\1' : '\0'; break;
    case PhysicalType::INT8: appendBigEndian(out, static_cast<uint8_t>(ColumnReader<int8_t>(column)[row])); break;
    case PhysicalType::INT16: appendBigEndian(out, static_cast<uint16_t>(ColumnReader<int16_t>(column)[row])); break;
    case PhysicalType::INT32: appendBigEndian(out, static_cast<uint32_t>(ColumnReader<int32_t>(column)[row])); break;
    case PhysicalType::INT64: appendBigEndian(out, static_cast<uint64_t>(ColumnReader<int64_t>(column)[row])); break;
    case PhysicalType::FLOAT32: appendBigEndian(out, std::bit_cast<uint32_t>(ColumnReader<float>(column)[row])); break;
    case PhysicalType::FLOAT64: appendBigEndian(out, std::bit_cast<uint64_t>(ColumnReader<double>(column)[row])); break;
    case PhysicalType::STRING: {
      const ColumnReader<std::string_view> reader(column);
      const auto units = codeUnits(reader.stored(row).view(reader.mapping().flat().stringBases()));
      appendVariable(out, static_cast<uint32_t>(units.size()) + 1);
      for (const uint32_t unit : units) appendVariable(out, unit);
      break;
    }
    default: break;                 // the memcomparable bytes behind decide
  }
}

struct RowPlace {
  std::string order;
  EventTime timestamp;
  size_t input;
  RowIndex row;
};

/// Byte order as Flink compares: signed bytes, a prefix first.
bool bytesBefore(const std::string& a, const std::string& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](char x, char y) { return static_cast<signed char>(x) < static_cast<signed char>(y); });
}

Batch gatherRows(const Batch& batch, std::span<const RowIndex> rows) {
  std::vector<VectorPtr> columns;
  for (const VectorPtr& column : batch.columns()) columns.push_back(gather(*column, rows));
  Batch gathered(rows.size(), std::move(columns));
  if (!batch.isInsertOnly()) {
    std::vector<RowKind> kinds;
    for (const RowIndex row : rows) kinds.push_back(batch.rowKind(row));
    gathered = gathered.withRowKinds(makeRowKinds(kinds));
  }
  if (batch.timestamps() != nullptr) {
    std::vector<EventTime> times;
    for (const RowIndex row : rows) times.push_back(batch.timestamps()[row]);
    gathered = gathered.withTimestamps(Buffer::copyOf({reinterpret_cast<const uint8_t*>(times.data()), times.size() * sizeof(EventTime)}));
  }
  return gathered;
}

}  // namespace

void KeyRuns::add(size_t input, const Batch& batch) {
  if (batch.rows() > 0) batches_[input].push_back(batch.withoutMarks());
}

void KeyRuns::forEachRun(const std::vector<std::vector<int>>& columns, const std::function<void(size_t, const Batch&)>& on_records,
                         const std::function<void(size_t, const Batch&)>& on_end) {
  std::vector<Batch> all(batches_.size());
  std::vector<RowPlace> places;
  for (size_t input = 0; input < batches_.size(); ++input) {
    if (batches_[input].empty()) continue;
    all[input] = concatBatches(batches_[input]);
    batches_[input].clear();
    const Batch& batch = all[input];
    std::vector<DataType> types;
    for (const VectorPtr& column : batch.columns()) types.push_back(column->type());
    KeyEncoder encoder(columns[input], types);
    const KeyBatch& keys = encoder.encode(batch);
    for (size_t row = 0; row < batch.rows(); ++row) {
      RowPlace place{{}, batch.timestamps() != nullptr ? batch.timestamps()[row] : kMinWatermark, input, static_cast<RowIndex>(row)};
      for (const int column : columns[input]) appendOrder(place.order, *batch.column(static_cast<size_t>(column)), row);
      char word[8];
      place.order += keys.fixed ? storeKeyWord(keys.words[row], word) : keys.bytes[row];
      places.push_back(std::move(place));
    }
  }
  std::stable_sort(places.begin(), places.end(), [](const RowPlace& a, const RowPlace& b) {
    if (a.order != b.order) return bytesBefore(a.order, b.order);
    return a.timestamp != b.timestamp ? a.timestamp < b.timestamp : a.input > b.input;
  });
  std::vector<RowIndex> rows;
  for (size_t begin = 0; begin < places.size();) {
    size_t end = begin;
    Batch piece;
    // Rows of one input that follow each other are one piece.
    while (end < places.size() && places[end].order == places[begin].order) {
      const size_t input = places[end].input;
      rows.clear();
      for (; end < places.size() && places[end].order == places[begin].order && places[end].input == input; ++end) rows.push_back(places[end].row);
      piece = gatherRows(all[input], rows);
      on_records(input, piece);
    }
    on_end(places[end - 1].input, piece);
    begin = end;
  }
}

}  // namespace thalweg::api
