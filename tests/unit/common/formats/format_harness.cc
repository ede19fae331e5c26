#include "tests/unit/common/formats/format_harness.h"

#include <stdexcept>

#include "common/columnar/builder.h"
#include "common/types/value_text.h"
#include "tests/support/piecewise_decoding.h"

namespace thalweg::testing {
namespace {

void appendRows(const Batch& batch, const DecoderSpec& spec, std::vector<std::string>& rows) {
  std::vector<DataType> types;
  for (const auto& wanted : spec.wanted) types.push_back(spec.record.type(static_cast<size_t>(wanted.column)));
  for (size_t row = 0; row < batch.rows(); ++row) {
    std::vector<Value> values;
    for (size_t i = 0; i < types.size(); ++i) values.push_back(batch.column(i)->valueAt(row));
    rows.push_back(rowForm(batch.rowKind(row), values, types));
  }
}

}  // namespace

Decoded decodeOnce(const DecoderSpec& spec, std::string_view text, size_t piece_bytes, size_t rows_max) {
  Decoded result;
  auto made = makeFormatDecoder(spec);
  if (!made.isOk()) {
    result.error = made.status().message();
    return result;
  }
  FormatDecoder& decoder = **made;
  const Status status = decodeInPieces(decoder, text, piece_bytes, rows_max, [&](const Batch& batch) { appendRows(batch, spec, result.rows); });
  if (!status.isOk()) {
    result.error = status.message();
    return result;
  }
  result.skipped = decoder.skippedRecords();
  return result;
}

Decoded decodeText(const DecoderSpec& spec, std::string_view text) {
  const Decoded expected = decodeOnce(spec, text, std::max(text.size(), size_t{1}), 8192);
  for (const size_t piece_bytes : {size_t{1}, size_t{2}, size_t{7}, size_t{64}, text.size() + 1}) {
    for (const size_t rows_max : {size_t{1}, size_t{7}, size_t{8192}}) {
      const Decoded found = decodeOnce(spec, text, piece_bytes, rows_max);
      if (!(found == expected)) {
        throw std::runtime_error("pieces of " + std::to_string(piece_bytes) + " bytes and batches of " + std::to_string(rows_max) +
                                 " rows give " + std::to_string(found.rows.size()) + " rows and error '" + found.error + "', not " +
                                 std::to_string(expected.rows.size()) + " and '" + expected.error + "'");
      }
    }
  }
  return expected;
}

Decoded decodeText(const std::string& format, const OptionMap& options, const Schema& schema, std::string_view text) {
  DecoderSpec spec{format, options, schema, {}};
  for (size_t i = 0; i < schema.size(); ++i) spec.wanted.push_back({static_cast<int>(i)});
  return decodeText(spec, text);
}

std::string encodeRows(const std::string& format, const OptionMap& options, const Schema& schema, const std::vector<std::vector<Value>>& rows,
                       const std::vector<RowKind>& kinds) {
  auto encoder = makeFormatEncoder({format, options, schema});
  if (!encoder.isOk()) return "error: " + encoder.status().message();
  std::vector<VectorPtr> columns;
  for (size_t column = 0; column < schema.size(); ++column) {
    std::vector<Value> values;
    for (const auto& row : rows) values.push_back(row[column]);
    columns.push_back(makeVector(schema.type(column), values));
  }
  Batch batch(rows.size(), std::move(columns));
  if (!kinds.empty()) batch = batch.withRowKinds(makeRowKinds(kinds));
  std::vector<RowIndex> all(rows.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<RowIndex>(i);
  std::string out;
  if (const Status status = (*encoder)->encode(batch, all, out); !status.isOk()) return "error: " + status.message();
  return out;
}

Schema schemaOf(const std::vector<DataType>& types) {
  std::vector<Column> columns;
  for (size_t i = 0; i < types.size(); ++i) columns.push_back({std::string(1, static_cast<char>('a' + i)), types[i]});
  return Schema(std::move(columns));
}

}  // namespace thalweg::testing
