// OverSorted: streaming OVER aggregation ordered by a column that is no time attribute, from the partition's beginning
// to the current row. Any row may come at any place, and rows may be taken back.
//
// State: the table "partitions"; per key all rows in sort order, equal ones in order of arrival (RankRows). For a row that
// comes or goes the partition is folded anew, with the row and without it. A row that goes is sent first. A row that comes
// is sent in its place among the others, whose old and new results are sent where an accumulator changed: by ROWS those
// behind it, by RANGE its peers, too.
// This is as costly as the partition is long; for long partitions order by time.

#include "worker/operators/over/over_sorted.h"

#include <algorithm>

#include "worker/operators/operator_registry.h"
#include "worker/operators/over/over_calls.h"
#include "worker/operators/rank/rank_rows.h"

namespace thalweg::worker {
namespace {

/// A row's results: the accumulators they come from, and the whole row with them.
struct Answer {
  std::string accumulators;
  std::string output;
};

class OverSortedOperator : public PieceOperator {
 public:
  OverSortedOperator(OverAggregateSpec spec, OverCalls calls, const std::vector<DataType>& types, std::vector<DataType> output)
      : spec_(std::move(spec)), calls_(std::move(calls)), input_(types), output_(std::move(output)),
        partitions_(spec_.partition_keys, types), sort_keys_(spec_.order_by, types), messages_(output_) {}

  Status open(OperatorContext& context) override {
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(objectTableSpec<RankRows>("partitions", partitions_.isFixed())));
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const KeyBatch& keys = partitions_.encode(piece);
    const auto sort_keys = sort_keys_.encode(piece);
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    std::string bytes;
    for (size_t row = 0; row < piece.rows(); ++row) {
      input_.encodeRow(piece.columns(), row, bytes);
      const RowKind kind = piece.rowKind(row);
      const bool goes = kind == RowKind::DELETE || kind == RowKind::UPDATE_BEFORE;
      RankRows& rows = objectAt<RankRows>(entries_[row]);
      RETURN_IF_ERROR(goes ? remove(rows, sort_keys[row], bytes) : insert(rows, kind, sort_keys[row], bytes));
      table_->markDirty(entries_[row]);
    }
    if (!messages_.isEmpty()) RETURN_IF_ERROR(output.emit(messages_.take()));
    return Progress::DONE;
  }

 private:
  Status insert(RankRows& rows, RowKind kind, std::string_view sort_key, std::string_view bytes) {
    std::vector<Answer> before;
    std::vector<Answer> after;
    RETURN_IF_ERROR(fold(rows, before));
    rows.append(sort_key, bytes);
    RETURN_IF_ERROR(fold(rows, after));
    const auto place = static_cast<size_t>(rows.countUpTo(sort_key, rows.size())) - 1;  // behind its peers
    for (size_t i = 0; i < after.size(); ++i) {
      if (i == place) messages_.add(kind, after[i].output);
      else sendChange(before[i < place ? i : i - 1], after[i]);
    }
    return {};
  }

  Status remove(RankRows& rows, std::string_view sort_key, std::string_view bytes) {
    const RankRows::Place found = rows.find(sort_key, bytes);
    if (!rows.exists(found)) return {};  // its insertion was dropped or never came
    std::vector<Answer> before;
    std::vector<Answer> after;
    RETURN_IF_ERROR(fold(rows, before));
    const size_t place = static_cast<size_t>(rows.countBefore(sort_key, rows.size())) + found.position;
    messages_.add(RowKind::DELETE, before[place].output);
    rows.removeAt(found);
    RETURN_IF_ERROR(fold(rows, after));
    for (size_t i = 0; i < after.size(); ++i) sendChange(before[i < place ? i : i + 1], after[i]);
    return {};
  }

  void sendChange(const Answer& before, const Answer& after) {
    if (before.accumulators == after.accumulators) return;
    messages_.add(RowKind::UPDATE_BEFORE, before.output);
    messages_.add(RowKind::UPDATE_AFTER, after.output);
  }

  /// The answers of all rows, in order.
  Status fold(const RankRows& rows, std::vector<Answer>& answers) {
    AggregateSet& aggregates = *calls_.aggregates;
    std::vector<uint64_t> entry((aggregates.entryBytes() + sizeof(uint64_t) - 1) / sizeof(uint64_t) + 1);
    char* accumulators = reinterpret_cast<char*>(entry.data());
    aggregates.init(accumulators);
    Status status;
    for (const auto& [key, group] : rows.groups()) {
      for (size_t at = 0; at < group.size() && status.isOk();) {
        const size_t count = spec_.rows_frame ? 1 : group.size() - at;
        status = foldRows({&group[at], count}, accumulators, answers);
        at += count;
      }
    }
    aggregates.destroy(accumulators);
    return status;
  }

  /// Folds rows that share a result.
  Status foldRows(std::span<const RankRows::Row> group, char* accumulators, std::vector<Answer>& answers) {
    std::vector<std::string_view> encoded;
    for (const RankRows::Row& row : group) encoded.push_back(row.bytes);
    std::vector<VectorPtr> columns = input_.decodeAll(encoded);
    const Batch batch(group.size(), columns);
    const std::vector<char*> entries(group.size(), accumulators);
    RETURN_IF_ERROR(calls_.aggregates->update(batch, entries, nullptr, nullptr));
    const std::vector<const char*> same(group.size(), accumulators);
    std::vector<VectorPtr> results;
    RETURN_IF_ERROR(calls_.aggregates->finalize(same, results));
    std::string state;
    calls_.aggregates->serialize(accumulators, state);
    for (const OverCalls::Call& call : calls_.calls) {
      if (call.function == OverFunction::AGGREGATE) columns.push_back(results[call.aggregate]);
      else columns.push_back(Vector::constant(call.spec.result_type, Value::integer(static_cast<int64_t>(answers.size()) + 1), group.size()));
    }
    const bool numbered = std::ranges::any_of(calls_.calls, [](const auto& call) { return call.function != OverFunction::AGGREGATE; });
    if (numbered) state += std::to_string(answers.size());
    for (size_t row = 0; row < group.size(); ++row) {
      Answer answer{state, {}};
      output_.encodeRow(columns, row, answer.output);
      answers.push_back(std::move(answer));
    }
    return {};
  }

  OverAggregateSpec spec_;
  OverCalls calls_;
  RowCodec input_;
  RowCodec output_;
  KeyEncoder partitions_;
  SortKeyEncoder sort_keys_;
  RowMessages messages_;
  KeyedTable* table_ = nullptr;
  std::vector<char*> entries_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeOverSorted(const OverAggregateSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(OverCalls calls, OverCalls::make(spec, false, false));
  std::vector<DataType> output;
  for (const Column& column : node.schema.columns()) output.push_back(column.type);
  return std::unique_ptr<Operator>(std::make_unique<OverSortedOperator>(spec, std::move(calls), inputTypes(node), std::move(output)));
}

}  // namespace thalweg::worker
