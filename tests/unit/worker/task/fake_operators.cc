#include "tests/unit/worker/task/fake_operators.h"

#include <charconv>

#include "common/columnar/column_reader.h"

namespace thalweg::worker {

Batch pairBatch(const std::vector<Pair>& pairs) {
  FlatBuilder<int32_t> keys(DataType::integer(false), pairs.size());
  FlatBuilder<int64_t> numbers(DataType::bigint(false), pairs.size());
  std::vector<RowKind> kinds;
  for (size_t i = 0; i < pairs.size(); ++i) {
    keys.set(i, pairs[i].key);
    numbers.set(i, pairs[i].number);
    kinds.push_back(pairs[i].kind);
  }
  return Batch(pairs.size(), {keys.finish(), numbers.finish()}).withRowKinds(makeRowKinds(kinds));
}

std::vector<Pair> pairsOf(const Batch& batch) {
  std::vector<Pair> pairs;
  if (batch.rows() == 0) return pairs;
  const ColumnReader<int32_t> keys(*batch.column(0));
  const ColumnReader<int64_t> numbers(*batch.column(1));
  for (size_t row = 0; row < batch.rows(); ++row) pairs.push_back({keys[row], numbers[row], batch.rowKind(row)});
  return pairs;
}

Status SumOperator::open(OperatorContext& context) {
  encoder_ = std::make_unique<KeyEncoder>(std::vector<int>{0}, pairTypes());
  KeyedTableSpec spec;
  spec.name = "sums";
  spec.payload_bytes = sizeof(int64_t);
  spec.fixed_keys = encoder_->isFixed();
  ASSIGN_OR_RETURN(sums_, context.keyedState().openTable(std::move(spec)));
  return {};
}

Result<Progress> SumOperator::processRows(int, const Batch& piece, Output& output) {
  const KeyBatch& keys = encoder_->encode(piece);
  std::vector<char*> payloads(piece.rows());
  std::vector<uint8_t> created(piece.rows());
  RETURN_IF_ERROR(sums_->upsert(0, keys, payloads, created));
  std::vector<Pair> result;
  const std::vector<Pair> pairs = pairsOf(piece);
  for (size_t row = 0; row < pairs.size(); ++row) {
    auto& sum = *reinterpret_cast<int64_t*>(payloads[row]);
    if (!created[row]) result.push_back({pairs[row].key, sum, RowKind::UPDATE_BEFORE});
    sum += pairs[row].number;
    result.push_back({pairs[row].key, sum, created[row] ? RowKind::INSERT : RowKind::UPDATE_AFTER});
  }
  RETURN_IF_ERROR(output.emit(pairBatch(result)));
  return Progress::DONE;
}

Status SortByNumberOperator::open(OperatorContext& context) {
  std::string_view rest = context.restored();
  while (!rest.empty()) {
    int64_t number = 0;
    int32_t key = 0;
    const char* after = std::from_chars(rest.data(), rest.data() + rest.size(), number).ptr + 1;
    after = std::from_chars(after, rest.data() + rest.size(), key).ptr + 1;
    rest.remove_prefix(static_cast<size_t>(after - rest.data()));
    rows_.emplace(number, key);
  }
  return {};
}

Status SortByNumberOperator::snapshot(std::string& out) {
  for (const auto& [number, key] : rows_) out += std::to_string(number) + ' ' + std::to_string(key) + ' ';
  return {};
}

Result<Progress> SortByNumberOperator::processRows(int, const Batch& piece, Output&) {
  for (const Pair& pair : pairsOf(piece)) rows_.emplace(pair.number, pair.key);
  return Progress::DONE;
}

Result<Progress> SortByNumberOperator::onWatermark(EventTime watermark, Output& output) {
  firing_ = watermark;
  return resumeWork(output);
}

Result<Progress> SortByNumberOperator::resumeWork(Output& output) {
  while (!rows_.empty() && rows_.begin()->first <= firing_) {
    if (output.isFull()) return Progress::MORE;
    std::vector<Pair> fired;
    while (fired.size() < batch_rows_ && !rows_.empty() && rows_.begin()->first <= firing_) {
      fired.push_back({rows_.begin()->second, rows_.begin()->first});
      rows_.erase(rows_.begin());
    }
    RETURN_IF_ERROR(output.emit(pairBatch(fired)));
  }
  return Progress::DONE;
}

}  // namespace thalweg::worker
