// LookupJoin: the table's rows come over input 1 and are kept as columns; left rows are looked up as they come.
//
// Left rows that a barrier lets in before the table has ended wait. The table is as it was when the job first read it: a
// checkpoint holds it (the operator's own bytes), and a job that goes on from there does not read it again.
// State: the operator's own bytes; the table's rows, then the kinds and rows that wait.

#include "worker/operators/join/lookup_join.h"

#include "common/columnar/column_reader.h"
#include "common/functions/aggregates/state_bytes.h"
#include "worker/operators/join/lookup_table.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

void writeRows(const RowCodec& codec, const std::vector<Batch>& batches, std::string& out) {
  uint64_t count = 0;
  for (const Batch& batch : batches) count += batch.rows();
  StateWriter writer(out);
  writer.number(count);
  std::string bytes;
  for (const Batch& batch : batches) {
    for (size_t row = 0; row < batch.rows(); ++row) {
      codec.encodeRow(batch.columns(), row, bytes);
      writer.number(static_cast<uint8_t>(batch.rowKind(row)));
      writer.text(bytes);
    }
  }
}

struct StoredRows {
  std::vector<RowKind> kinds;
  std::vector<std::string_view> rows;
};

StoredRows readRows(StateReader& reader) {
  StoredRows stored;
  const auto count = reader.count(1 + sizeof(uint64_t));
  for (uint64_t i = 0; i < count && reader.isOk(); ++i) {
    stored.kinds.push_back(static_cast<RowKind>(reader.number<uint8_t>() & 3));
    stored.rows.push_back(reader.text());
  }
  return stored;
}

Result<std::vector<Batch>> decodeRows(const RowCodec& codec, const StoredRows& stored) {
  if (stored.rows.empty()) return std::vector<Batch>();
  for (const std::string_view row : stored.rows) {
    if (!codec.validate(row)) return Status::internal("state of a lookup join holds a row of other columns");
  }
  return std::vector<Batch>{Batch(stored.rows.size(), codec.decodeAll(stored.rows)).withRowKinds(makeRowKinds(stored.kinds))};
}

class LookupJoinOperator : public PieceOperator {
 public:
  LookupJoinOperator(JoinSpec spec, const PlanNode& node, std::unique_ptr<ExprProgram> residual)
      : spec_(std::move(spec)), left_(spec_, node, 0), right_(spec_, node, 1), left_types_(inputTypes(node, 0)), right_types_(inputTypes(node, 1)),
        residual_(std::move(residual)) {}

  Status open(OperatorContext& context) override {
    context_ = &context;
    if (context.restored().empty()) return {};
    StateReader reader(context.restored());
    const StoredRows table = readRows(reader);
    const StoredRows waiting = readRows(reader);
    if (!reader.isDone()) return Status::internal("state of a lookup join is cut short");
    ASSIGN_OR_RETURN(auto batches, decodeRows(right_.codec(), table));
    for (Batch& batch : batches) table_.add(std::move(batch));
    ASSIGN_OR_RETURN(pieces_, decodeRows(left_.codec(), waiting));
    return {};
  }

  int preferredInput() const override { return built_ ? -1 : 1; }

  Result<Progress> processRows(int input, const Batch& piece, Output& output) override {
    if (input == 1) table_.add(piece.compact());
    else pieces_.push_back(built_ ? piece : piece.compact());
    return built_ ? work(output) : Result<Progress>(Progress::DONE);
  }

  Result<Progress> endInput(int input, Output& output) override {
    if (input != 1) return Progress::DONE;
    table_.index(right_);
    built_ = true;
    return work(output);
  }

  Result<Progress> resumeWork(Output& output) override { return work(output); }

  Status snapshot(std::string& out) override {
    if (!built_ || table_bytes_.empty()) {
      table_bytes_.clear();
      writeRows(right_.codec(), table_.parts(), table_bytes_);
    }
    out += table_bytes_;
    writeRows(left_.codec(), built_ ? std::vector<Batch>() : pieces_, out);
    return {};
  }

  /// Every subtask had the whole table; rows that waited go to one of the new subtasks.
  Result<std::string> redistribute(std::span<const std::string_view> parts, int subtask, int parallelism) override {
    std::string table;
    StoredRows waiting;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].empty()) continue;
      StateReader reader(parts[i]);
      readRows(reader);
      const StoredRows rows = readRows(reader);
      if (!reader.isDone()) return Status::internal("state of a lookup join is cut short");
      std::string own;
      writeStored(rows, own);
      if (table.empty()) table = parts[i].substr(0, parts[i].size() - own.size());
      if (static_cast<int>(i) % parallelism != subtask) continue;
      waiting.kinds.insert(waiting.kinds.end(), rows.kinds.begin(), rows.kinds.end());
      waiting.rows.insert(waiting.rows.end(), rows.rows.begin(), rows.rows.end());
    }
    if (!table.empty()) writeStored(waiting, table);
    return table;
  }

 private:
  static void writeStored(const StoredRows& stored, std::string& out) {
    StateWriter writer(out);
    writer.number<uint64_t>(stored.rows.size());
    for (size_t i = 0; i < stored.rows.size(); ++i) {
      writer.number(static_cast<uint8_t>(stored.kinds[i]));
      writer.text(stored.rows[i]);
    }
  }

  Result<Progress> work(Output& output) {
    for (; piece_ < pieces_.size(); ++piece_, row_ = 0) {
      const Batch& piece = pieces_[piece_];
      const KeyBatch& keys = left_.encodeKeys(piece);
      while (row_ < piece.rows()) {
        if (output.isFull() && (row_ > 0 || piece_ > 0)) return Progress::MORE;
        RETURN_IF_ERROR(join(piece, keys, output));
      }
    }
    pieces_.clear();
    piece_ = 0;
    return Progress::DONE;
  }

  /// Joins rows from row_ on, until there are enough pairs for a batch.
  Status join(const Batch& piece, const KeyBatch& keys, Output& output) {
    pair_left_.clear();
    pair_right_.clear();
    const size_t begin = row_;
    for (; row_ < piece.rows() && pair_left_.size() < Batch::kRowsTarget; ++row_) {
      if (table_.isEmpty() || left_.nullKey(row_)) continue;
      table_.forEachMatch(keys, row_, [this](RowIndex match) {
        pair_left_.push_back(static_cast<RowIndex>(row_));
        pair_right_.push_back(match);
      });
    }
    RETURN_IF_ERROR(dropUnwanted(piece));
    if (spec_.type == JoinType::LEFT) padUnmatched(begin);
    if (pair_left_.empty()) return {};
    std::vector<RowKind> kinds;
    if (!piece.isInsertOnly()) {
      for (const RowIndex row : pair_left_) kinds.push_back(piece.rowKind(row));
    }
    Batch joined(pair_left_.size(), pairColumns(piece));
    return output.emit(kinds.empty() ? std::move(joined) : joined.withRowKinds(makeRowKinds(kinds)));
  }

  std::vector<VectorPtr> pairColumns(const Batch& piece) const {
    std::vector<VectorPtr> columns;
    for (size_t c = 0; c < left_types_.size(); ++c) columns.push_back(pickRows(piece.column(c), pair_left_, left_types_[c]));
    for (size_t c = 0; c < right_types_.size(); ++c) {
      if (table_.isEmpty()) columns.push_back(Vector::nulls(right_types_[c].asNullable(), pair_left_.size()));
      else columns.push_back(pickRows(table_.column(c), pair_right_, right_types_[c]));
    }
    return columns;
  }

  /// Leaves the pairs for which the rest of the condition holds.
  Status dropUnwanted(const Batch& piece) {
    if (!residual_ || pair_left_.empty()) return {};
    ASSIGN_OR_RETURN(const auto results, residual_->evaluate(context_->evalContext(), Batch(pair_left_.size(), pairColumns(piece))));
    const ColumnReader<bool> verdict(*results[0]);
    size_t kept = 0;
    for (size_t i = 0; i < pair_left_.size(); ++i) {
      if (verdict.isNull(i) || !verdict[i]) continue;
      pair_left_[kept] = pair_left_[i];
      pair_right_[kept++] = pair_right_[i];
    }
    pair_left_.resize(kept);
    pair_right_.resize(kept);
    return {};
  }

  /// Puts the rows from `begin` to row_ that have no partner among the pairs.
  void padUnmatched(size_t begin) {
    std::vector<RowIndex> left;
    std::vector<RowIndex> right;
    size_t pair = 0;
    for (size_t row = begin; row < row_; ++row) {
      const size_t first = pair;
      for (; pair < pair_left_.size() && pair_left_[pair] == row; ++pair) {
        left.push_back(pair_left_[pair]);
        right.push_back(pair_right_[pair]);
      }
      if (pair > first) continue;
      left.push_back(static_cast<RowIndex>(row));
      right.push_back(JoinPairs::kNone);
    }
    pair_left_ = std::move(left);
    pair_right_ = std::move(right);
  }

  JoinSpec spec_;
  JoinSide left_, right_;
  std::vector<DataType> left_types_, right_types_;
  std::unique_ptr<ExprProgram> residual_;
  OperatorContext* context_ = nullptr;
  LookupTable table_;
  bool built_ = false;
  std::string table_bytes_;                 // of the whole table, once a snapshot wanted them
  std::vector<Batch> pieces_;               // left rows to be joined, from row_ of piece_ on
  size_t piece_ = 0;
  size_t row_ = 0;
  std::vector<RowIndex> pair_left_, pair_right_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeLookupJoin(const JoinSpec& spec, const PlanNode& node) {
  std::unique_ptr<ExprProgram> residual;
  if (spec.residual) { ASSIGN_OR_RETURN(residual, ExprProgram::compile({spec.residual})); }
  return std::unique_ptr<Operator>(std::make_unique<LookupJoinOperator>(spec, node, std::move(residual)));
}

}  // namespace thalweg::worker
