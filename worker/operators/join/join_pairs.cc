#include "worker/operators/join/join_pairs.h"

#include <cstring>

#include "common/columnar/column_reader.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

std::vector<int> keyColumns(const JoinSpec& spec, int side, const std::vector<int>& extra_keys) {
  std::vector<int> keys = side == 0 ? spec.left_keys : spec.right_keys;
  keys.insert(keys.end(), extra_keys.begin(), extra_keys.end());
  return keys;
}

}  // namespace

VectorPtr pickRows(const VectorPtr& column, const std::vector<RowIndex>& rows, const DataType& type) {
  bool nulls = false;
  bool any = false;
  for (const RowIndex row : rows) {
    nulls = nulls || row == JoinPairs::kNone;
    any = any || row != JoinPairs::kNone;
  }
  if (!any) return Vector::nulls(type.asNullable(), rows.size());
  auto indices = Buffer::allocate(rows.size() * sizeof(RowIndex));
  if (!nulls) {
    std::memcpy(indices->mutableData(), rows.data(), rows.size() * sizeof(RowIndex));
    return Vector::dictionary(column, std::move(indices), rows.size());
  }
  auto validity = Buffer::allocateZeroed(bitmapBytes(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool none = rows[i] == JoinPairs::kNone;
    indices->mutableAs<RowIndex>()[i] = none ? 0 : rows[i];
    if (!none) setBit(validity->mutableAs<uint64_t>(), i);
  }
  return Vector::dictionary(column, std::move(indices), rows.size(), std::move(validity));
}

JoinSide::JoinSide(const JoinSpec& spec, const PlanNode& node, int side, const std::vector<int>& extra_keys)
    : encoder_(keyColumns(spec, side, extra_keys), inputTypes(node, static_cast<size_t>(side))),
      codec_(inputTypes(node, static_cast<size_t>(side))) {
  const auto& keys = side == 0 ? spec.left_keys : spec.right_keys;
  for (size_t k = 0; k < keys.size(); ++k) {
    if (k >= spec.null_equal.size() || !spec.null_equal[k]) strict_keys_.push_back(keys[k]);
  }
}

const KeyBatch& JoinSide::encodeKeys(const Batch& batch) {
  null_keys_.clear();
  for (const int key : strict_keys_) {
    const RowMapping nulls(*batch.column(static_cast<size_t>(key)));
    if (!nulls.mayHaveNulls()) continue;
    if (null_keys_.empty()) null_keys_.assign(batch.rows(), 0);
    for (size_t row = 0; row < batch.rows(); ++row) null_keys_[row] |= static_cast<uint8_t>(nulls.isNull(row));
  }
  return encoder_.encode(batch);
}

void JoinSide::encodeRows(const Batch& batch) {
  arena_.clear();
  ends_.clear();
  codec_.encode(batch.columns(), batch.rows(), arena_, ends_);
}

Result<std::unique_ptr<JoinPairs>> JoinPairs::make(const JoinSpec& spec, const PlanNode& node, int side) {
  const auto own = inputTypes(node, static_cast<size_t>(side));
  const auto other = inputTypes(node, static_cast<size_t>(1 - side));
  std::unique_ptr<JoinPairs> pairs(new JoinPairs(side, RowCodec(own), RowCodec(other)));
  pairs->null_holds_ = spec.null_aware_anti;
  if (spec.residual) {
    ASSIGN_OR_RETURN(pairs->residual_, ExprProgram::compile({spec.residual}));
  }
  return pairs;
}

void JoinPairs::begin(const Batch& batch) {
  batch_ = batch;
  rows_.clear();
  stored_.clear();
  holds_.clear();
  is_decoded_ = false;
}

void JoinPairs::decode() {
  if (!is_decoded_) decoded_ = other_codec_.decodeAll(stored_);
  is_decoded_ = true;
}

Status JoinPairs::evaluate(EvalContext& context) {
  if (!residual_ || rows_.empty()) return {};
  decode();
  std::vector<VectorPtr> columns;
  for (const VectorPtr& column : batch_.columns()) columns.push_back(pickRows(column, rows_, column->type()));
  columns.insert(side_ == 0 ? columns.end() : columns.begin(), decoded_.begin(), decoded_.end());
  ASSIGN_OR_RETURN(const auto results, residual_->evaluate(context, Batch(rows_.size(), std::move(columns))));
  const ColumnReader<bool> verdict(*results[0]);
  holds_.resize(rows_.size());
  for (size_t i = 0; i < rows_.size(); ++i) {
    holds_[i] = static_cast<uint8_t>(verdict.isNull(i) ? null_holds_ : verdict[i]);
  }
  return {};
}

Batch JoinPairs::take(Columns which) {
  std::vector<VectorPtr> columns;
  if (which != Columns::STORED) {
    for (size_t c = 0; c < batch_.columnCount(); ++c) columns.push_back(pickRows(batch_.column(c), message_rows_, own_codec_.types()[c]));
  }
  if (which != Columns::INPUT) {
    decode();
    std::vector<VectorPtr> stored;
    for (size_t c = 0; c < decoded_.size(); ++c) stored.push_back(pickRows(decoded_[c], message_pairs_, other_codec_.types()[c]));
    columns.insert(side_ == 0 ? columns.end() : columns.begin(), stored.begin(), stored.end());
  }
  Batch result = Batch(kinds_.size(), std::move(columns)).withRowKinds(makeRowKinds(kinds_));
  batch_ = Batch();
  message_rows_.clear();
  message_pairs_.clear();
  kinds_.clear();
  return result;
}

}  // namespace thalweg::worker
