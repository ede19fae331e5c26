#include "worker/operators/join_matcher.h"

#include <cstring>

#include "common/columnar/column_reader.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

void appendNumber(std::string& out, uint64_t number) { out.append(reinterpret_cast<const char*>(&number), sizeof(number)); }

bool takeNumber(std::string_view& bytes, uint64_t& number) {
  if (bytes.size() < sizeof(number)) return false;
  std::memcpy(&number, bytes.data(), sizeof(number));
  bytes.remove_prefix(sizeof(number));
  return true;
}

/// Rows `rows` of `column`, NULL where the row is JoinMatcher::kNone.
VectorPtr pick(const VectorPtr& column, const std::vector<RowIndex>& rows, const DataType& type) {
  bool nulls = false;
  bool any = false;
  for (const RowIndex row : rows) {
    nulls = nulls || row == JoinMatcher::kNone;
    any = any || row != JoinMatcher::kNone;
  }
  if (!any) return Vector::nulls(type.asNullable(), rows.size());
  auto indices = Buffer::allocate(rows.size() * sizeof(RowIndex));
  if (!nulls) {
    std::memcpy(indices->mutableData(), rows.data(), rows.size() * sizeof(RowIndex));
    return Vector::dictionary(column, std::move(indices), rows.size());
  }
  auto validity = Buffer::allocateZeroed(bitmapBytes(rows.size()));
  for (size_t i = 0; i < rows.size(); ++i) {
    const bool none = rows[i] == JoinMatcher::kNone;
    indices->mutableAs<RowIndex>()[i] = none ? 0 : rows[i];
    if (!none) setBit(validity->mutableAs<uint64_t>(), i);
  }
  return Vector::dictionary(column, std::move(indices), rows.size(), std::move(validity));
}

}  // namespace

int64_t JoinRows::positionOf(std::string_view bytes) const {
  for (size_t i = rows.size(); i-- > 0;) {
    if (rows[i].bytes == bytes) return static_cast<int64_t>(i);
  }
  return -1;
}

void JoinRows::removeAt(size_t position) { rows.erase(rows.begin() + static_cast<int64_t>(position)); }

void JoinRows::serialize(std::string& out) const {
  for (const Row& row : rows) {
    appendNumber(out, row.bytes.size());
    appendNumber(out, static_cast<uint64_t>(row.matches));
    out += row.bytes;
  }
}

Status JoinRows::deserialize(std::string_view bytes, JoinRows& into) {
  while (!bytes.empty()) {
    uint64_t length = 0;
    uint64_t matches = 0;
    if (!takeNumber(bytes, length) || !takeNumber(bytes, matches) || bytes.size() < length) {
      return Status::internal("state of a join is cut short");
    }
    into.rows.push_back({std::string(bytes.substr(0, length)), static_cast<int64_t>(matches)});
    bytes.remove_prefix(length);
  }
  return {};
}

Result<std::unique_ptr<JoinMatcher>> JoinMatcher::make(const JoinSpec& spec, const PlanNode& node, int side) {
  const auto& keys = side == 0 ? spec.left_keys : spec.right_keys;
  const auto own = inputTypes(node, static_cast<size_t>(side));
  const auto other = inputTypes(node, static_cast<size_t>(1 - side));
  std::unique_ptr<JoinMatcher> matcher(new JoinMatcher(KeyEncoder(keys, own), RowCodec(own), RowCodec(other)));
  matcher->side_ = side;
  matcher->null_is_match_ = spec.null_aware_anti;
  for (size_t k = 0; k < keys.size(); ++k) {
    if (!spec.null_equal[k]) matcher->strict_keys_.push_back(keys[k]);
  }
  if (spec.residual) {
    ASSIGN_OR_RETURN(matcher->residual_, ExprProgram::compile({spec.residual}));
  }
  return matcher;
}

const KeyBatch& JoinMatcher::encodeKeys(const Batch& batch) {
  null_keys_.clear();
  for (const int key : strict_keys_) {
    const Vector& column = *batch.column(static_cast<size_t>(key));
    if (!column.mayHaveNulls()) continue;
    if (null_keys_.empty()) null_keys_.assign(batch.rows(), 0);
    for (size_t row = 0; row < batch.rows(); ++row) null_keys_[row] |= static_cast<uint8_t>(column.isNull(row));
  }
  return encoder_.encode(batch);
}

Status JoinMatcher::match(EvalContext& context, const Batch& batch, std::span<JoinRows* const> others, size_t begin,
                          size_t pairs_max, size_t& end, std::vector<JoinMatch>& matches) {
  matches.clear();
  std::vector<std::string_view> bytes;
  end = begin;
  while (end < batch.rows() && matches.size() < pairs_max) {
    if (JoinRows* rows = others[end]; rows != nullptr && !nullKey(end)) {
      for (JoinRows::Row& row : rows->rows) {
        matches.push_back({static_cast<RowIndex>(end), &row, static_cast<RowIndex>(bytes.size())});
        bytes.push_back(row.bytes);
      }
    }
    ++end;
  }
  decoded_ = other_codec_.decodeAll(bytes);
  if (!residual_ || matches.empty()) return {};

  std::vector<RowIndex> input_rows(matches.size());
  for (size_t i = 0; i < matches.size(); ++i) input_rows[i] = matches[i].row;
  std::vector<VectorPtr> own;
  for (size_t c = 0; c < batch.columnCount(); ++c) own.push_back(pick(batch.column(c), input_rows, batch.column(c)->type()));
  std::vector<VectorPtr> columns = side_ == 0 ? own : decoded_;
  const auto& rest = side_ == 0 ? decoded_ : own;
  columns.insert(columns.end(), rest.begin(), rest.end());
  ASSIGN_OR_RETURN(const auto holds, residual_->evaluate(context, Batch(matches.size(), std::move(columns))));
  const ColumnReader<bool> verdict(*holds[0]);
  size_t kept = 0;
  for (size_t i = 0; i < matches.size(); ++i) {
    const bool is_null = verdict.isNull(i);
    if (is_null ? null_is_match_ : verdict[i]) matches[kept++] = matches[i];
  }
  matches.resize(kept);
  return {};
}

Batch JoinMatcher::take(const Batch& batch, Columns which) {
  std::vector<VectorPtr> own;
  std::vector<VectorPtr> other;
  if (which != Columns::OTHER) {
    for (size_t c = 0; c < batch.columnCount(); ++c) own.push_back(pick(batch.column(c), input_rows_, own_codec_.types()[c]));
  }
  if (which != Columns::INPUT) {
    for (size_t c = 0; c < decoded_.size(); ++c) other.push_back(pick(decoded_[c], other_rows_, other_codec_.types()[c]));
  }
  std::vector<VectorPtr>& first = side_ == 0 ? own : other;
  std::vector<VectorPtr>& second = side_ == 0 ? other : own;
  first.insert(first.end(), second.begin(), second.end());
  Batch result = Batch(kinds_.size(), std::move(first)).withRowKinds(makeRowKinds(kinds_));
  input_rows_.clear();
  other_rows_.clear();
  kinds_.clear();
  return result;
}

}  // namespace thalweg::worker
