// ChangelogNormalize: turns an upsert stream (rows by key, deletes that may hold the key only) into a full changelog.
//
// State: the last row of each key. A new row answers +I or -U old, +U new; an equal row says nothing (unless state expires:
// then consumers' state must be kept alive); a delete answers -D with the row that was kept. With a filter, only rows that
// pass it are kept, and a row that stops passing is a delete.

#include "common/expr/evaluator.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/row_messages.h"

namespace thalweg::worker {
namespace {

struct LastRow {
  std::string bytes;
  bool exists = false;

  void serialize(std::string& out) const {
    out.push_back(exists ? 1 : 0);
    out += bytes;
  }
  static Status deserialize(std::string_view from, LastRow& into) {
    if (from.empty()) return Status::internal("state of a changelog normalisation is cut short");
    into.exists = from[0] != 0;
    into.bytes = from.substr(1);
    return {};
  }
};

class ChangelogNormalizeOperator : public PieceOperator {
 public:
  ChangelogNormalizeOperator(ChangelogNormalizeSpec spec, const std::vector<DataType>& types, std::unique_ptr<ExprProgram> filter)
      : spec_(std::move(spec)), codec_(types), encoder_(spec_.keys, types), messages_(codec_), filter_(std::move(filter)) {}

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    auto table = objectTableSpec<LastRow>("rows", encoder_.isFixed());
    table.ttl_ms = spec_.state_ttl_ms;
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(std::move(table)));
    return {};
  }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    RETURN_IF_ERROR(applyFilter(piece));
    const KeyBatch& keys = encoder_.encode(piece);
    entries_.resize(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, entries_, {}));
    bool gone = false;
    for (size_t row = 0; row < piece.rows(); ++row) {
      LastRow& last = objectAt<LastRow>(entries_[row]);
      if (isAccumulate(piece.rowKind(row)) && passes_[row]) update(last, piece, row);
      else remove(last);
      gone = gone || !last.exists;
    }
    if (!messages_.isEmpty()) RETURN_IF_ERROR(output.emit(messages_.take()));
    if (gone) RETURN_IF_ERROR(eraseGone(keys));
    return Progress::DONE;
  }

 private:
  Status applyFilter(const Batch& piece) {
    passes_.assign(piece.rows(), filter_ ? 0 : 1);
    if (!filter_) return {};
    std::vector<RowIndex> rows;
    RETURN_IF_ERROR(filter_->select(*eval_, piece, rows));
    for (const RowIndex row : rows) passes_[row] = 1;
    return {};
  }

  void update(LastRow& last, const Batch& piece, size_t row) {
    codec_.encodeRow(piece.columns(), row, bytes_);
    if (!last.exists) {
      messages_.add(RowKind::INSERT, bytes_);
    } else {
      if (spec_.state_ttl_ms == 0 && last.bytes == bytes_) return;
      if (spec_.emit_update_before) messages_.add(RowKind::UPDATE_BEFORE, last.bytes);
      messages_.add(RowKind::UPDATE_AFTER, bytes_);
    }
    last.exists = true;
    last.bytes = bytes_;
  }

  void remove(LastRow& last) {
    if (last.exists) messages_.add(RowKind::DELETE, last.bytes);
    last.exists = false;
    last.bytes.clear();
  }

  Status eraseGone(const KeyBatch& keys) {
    for (size_t row = 0; row < keys.size; ++row) {
      char* entry = nullptr;
      const RowIndex one[] = {static_cast<RowIndex>(row)};
      RETURN_IF_ERROR(table_->findRows(0, keys, one, {&entry, 1}));
      if (entry != nullptr && !objectAt<LastRow>(entry).exists) RETURN_IF_ERROR(table_->erase(0, keys, row));
    }
    return {};
  }

  ChangelogNormalizeSpec spec_;
  RowCodec codec_;
  KeyEncoder encoder_;
  RowMessages messages_;
  std::unique_ptr<ExprProgram> filter_;
  EvalContext* eval_ = nullptr;
  KeyedTable* table_ = nullptr;
  std::vector<char*> entries_;
  std::vector<uint8_t> passes_;
  std::string bytes_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeChangelogNormalize(const ChangelogNormalizeSpec& spec, const PlanNode& node) {
  std::unique_ptr<ExprProgram> filter;
  if (spec.filter) {
    ASSIGN_OR_RETURN(filter, ExprProgram::compile({spec.filter}));
  }
  return std::unique_ptr<Operator>(std::make_unique<ChangelogNormalizeOperator>(spec, inputTypes(node), std::move(filter)));
}

}  // namespace thalweg::worker
