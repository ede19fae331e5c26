// Join: regular stream join, state on both sides, every type, updating inputs included.
//
// Messages follow Flink's StreamingJoinOperator and StreamingSemiAntiJoinOperator: a row joins the rows stored on the
// other side and is stored itself; outer joins pad a row while it has no match, taking the padded row back with -D when
// the first match comes and putting it out again when the last one goes; inner joins pass the input's row kind on.
// Rows whose key holds a NULL match nothing and are not stored (unless the key compares with IS NOT DISTINCT FROM).
// While one side's batch is handled the other side's rows do not change (only their match counts do), so candidates of
// a whole run are found, decoded and filtered at once.

#include "worker/operators/join_matcher.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

constexpr size_t kPairsMax = Batch::kRowsTarget;

class JoinOperator : public PieceOperator {
 public:
  JoinOperator(JoinSpec spec, std::unique_ptr<JoinMatcher> left, std::unique_ptr<JoinMatcher> right) : spec_(std::move(spec)) {
    matchers_[0] = std::move(left);
    matchers_[1] = std::move(right);
    const JoinType type = spec_.type;
    outer_[0] = type == JoinType::LEFT || type == JoinType::FULL;
    outer_[1] = type == JoinType::RIGHT || type == JoinType::FULL;
    semi_ = type == JoinType::SEMI || type == JoinType::ANTI;
  }

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    for (int side = 0; side < 2; ++side) {
      auto table = objectTableSpec<JoinRows>(side == 0 ? "left" : "right", matchers_[side]->fixedKeys());
      table.ttl_ms = side == 0 ? spec_.left_ttl_ms : spec_.right_ttl_ms;
      ASSIGN_OR_RETURN(tables_[side], context.keyedState().openTable(std::move(table)));
    }
    return {};
  }

  Result<Progress> processRows(int input, const Batch& piece, Output& output) override {
    piece_ = piece;
    side_ = input;
    row_ = 0;
    return work(output);
  }

  Result<Progress> resumeWork(Output& output) override { return work(output); }

 private:
  Result<Progress> work(Output& output) {
    while (row_ < piece_.rows()) {
      RETURN_IF_ERROR(runFrom(row_, output));
      if (row_ < piece_.rows() && output.isFull()) return Progress::MORE;
    }
    piece_ = Batch();
    return Progress::DONE;
  }

  /// Handles a run of rows from `begin` on; advances row_.
  Status runFrom(size_t begin, Output& output) {
    JoinMatcher& matcher = *matchers_[side_];
    KeyedTable& own = *tables_[side_];
    KeyedTable& other = *tables_[1 - side_];
    const KeyBatch& keys = matcher.encodeKeys(piece_);
    std::vector<char*> payloads(piece_.rows());
    RETURN_IF_ERROR(other.find(0, keys, payloads));
    others_.resize(piece_.rows());
    for (size_t row = 0; row < payloads.size(); ++row) {
      others_[row] = payloads[row] ? &objectAt<JoinRows>(payloads[row]) : nullptr;
    }
    size_t end = 0;
    RETURN_IF_ERROR(matcher.match(*eval_, piece_, others_, begin, kPairsMax, end, matches_));
    size_t next = 0;
    for (size_t row = begin; row < end; ++row) {
      const size_t first = next;
      while (next < matches_.size() && matches_[next].row == row) ++next;
      RETURN_IF_ERROR(handleRow(row, std::span(matches_).subspan(first, next - first), keys, own, matcher));
    }
    row_ = end;
    for (size_t row = begin; row < end; ++row) {
      if (payloads[row] && others_[row]) other.markDirty(payloads[row]);
    }
    return emitPending(matcher, output);
  }

  Status handleRow(size_t row, std::span<JoinMatch> matches, const KeyBatch& keys, KeyedTable& own, JoinMatcher& matcher) {
    const RowKind kind = piece_.rowKind(row);
    if (semi_) side_ == 0 ? semiLeft(row, matches, kind, matcher) : semiRight(matches, kind, matcher);
    else if (isAccumulate(kind)) joinInsert(row, matches, kind, matcher);
    else joinRetract(row, matches, kind, matcher);
    if (matcher.nullKey(row)) return {};
    return isAccumulate(kind) ? store(row, matches.size(), keys, own, matcher) : remove(row, keys, own, matcher);
  }

  void joinInsert(size_t row, std::span<JoinMatch> matches, RowKind kind, JoinMatcher& matcher) {
    const auto at = static_cast<RowIndex>(row);
    if (matches.empty()) {
      if (outer_[side_]) matcher.add(at, JoinMatcher::kNone, RowKind::INSERT);
      return;
    }
    const bool any_outer = outer_[0] || outer_[1];
    for (const JoinMatch& match : matches) {
      if (outer_[1 - side_] && match.other->matches++ == 0) matcher.add(JoinMatcher::kNone, match.decoded, RowKind::DELETE);
      matcher.add(at, match.decoded, any_outer ? RowKind::INSERT : kind);
    }
  }

  void joinRetract(size_t row, std::span<JoinMatch> matches, RowKind kind, JoinMatcher& matcher) {
    const auto at = static_cast<RowIndex>(row);
    if (matches.empty()) {
      if (outer_[side_]) matcher.add(at, JoinMatcher::kNone, RowKind::DELETE);
      return;
    }
    const bool any_outer = outer_[0] || outer_[1];
    for (const JoinMatch& match : matches) {
      matcher.add(at, match.decoded, any_outer ? RowKind::DELETE : kind);
      if (outer_[1 - side_] && --match.other->matches == 0) matcher.add(JoinMatcher::kNone, match.decoded, RowKind::INSERT);
    }
  }

  void semiLeft(size_t row, std::span<JoinMatch> matches, RowKind kind, JoinMatcher& matcher) {
    const bool wanted = matches.empty() == (spec_.type == JoinType::ANTI);
    if (wanted) matcher.add(static_cast<RowIndex>(row), JoinMatcher::kNone, kind);
  }

  void semiRight(std::span<JoinMatch> matches, RowKind kind, JoinMatcher& matcher) {
    const bool anti = spec_.type == JoinType::ANTI;
    for (const JoinMatch& match : matches) {
      if (isAccumulate(kind)) {
        if (match.other->matches++ == 0) matcher.add(JoinMatcher::kNone, match.decoded, anti ? RowKind::DELETE : RowKind::INSERT);
      } else if (--match.other->matches == 0) {
        matcher.add(JoinMatcher::kNone, match.decoded, anti ? RowKind::INSERT : RowKind::DELETE);
      }
    }
  }

  Status store(size_t row, size_t matches, const KeyBatch& keys, KeyedTable& own, JoinMatcher& matcher) {
    char* payload = nullptr;
    const RowIndex one[] = {static_cast<RowIndex>(row)};
    RETURN_IF_ERROR(own.upsertRows(0, keys, one, {&payload, 1}, {}));
    matcher.ownCodec().encodeRow(piece_.columns(), row, bytes_);
    const bool counted = semi_ ? side_ == 0 : outer_[side_];
    objectAt<JoinRows>(payload).rows.push_back({bytes_, counted ? static_cast<int64_t>(matches) : 0});
    return {};
  }

  Status remove(size_t row, const KeyBatch& keys, KeyedTable& own, JoinMatcher& matcher) {
    char* payload = nullptr;
    const RowIndex one[] = {static_cast<RowIndex>(row)};
    RETURN_IF_ERROR(own.findRows(0, keys, one, {&payload, 1}));
    if (payload == nullptr) return {};
    matcher.ownCodec().encodeRow(piece_.columns(), row, bytes_);
    JoinRows& rows = objectAt<JoinRows>(payload);
    const int64_t position = rows.positionOf(bytes_);
    if (position < 0) return {};
    rows.removeAt(static_cast<size_t>(position));
    if (rows.rows.empty()) return own.erase(0, keys, row);
    own.markDirty(payload);
    return {};
  }

  Status emitPending(JoinMatcher& matcher, Output& output) {
    if (matcher.pending() == 0) return {};
    const auto columns = !semi_ ? JoinMatcher::Columns::BOTH : side_ == 0 ? JoinMatcher::Columns::INPUT : JoinMatcher::Columns::OTHER;
    return output.emit(matcher.take(piece_, columns));
  }

  JoinSpec spec_;
  std::unique_ptr<JoinMatcher> matchers_[2];
  KeyedTable* tables_[2] = {};
  bool outer_[2] = {};
  bool semi_ = false;
  EvalContext* eval_ = nullptr;
  // The piece being worked on; row_ is the next row.
  Batch piece_;
  int side_ = 0;
  size_t row_ = 0;
  std::vector<JoinRows*> others_;
  std::vector<JoinMatch> matches_;
  std::string bytes_;
};

/// BATCH: the right side is built, then the left side probes; rows of a side without a match follow for outer joins.
class BatchJoinOperator : public PieceOperator {
 public:
  BatchJoinOperator(JoinSpec spec, std::unique_ptr<JoinMatcher> left, std::unique_ptr<JoinMatcher> right)
      : spec_(std::move(spec)), probe_(std::move(left)), build_(std::move(right)) {}

  Status open(OperatorContext& context) override {
    eval_ = &context.evalContext();
    ASSIGN_OR_RETURN(table_, context.keyedState().openTable(objectTableSpec<JoinRows>("build", build_->fixedKeys())));
    return {};
  }

  int preferredInput() const override { return built_ ? -1 : 1; }

  Result<Progress> processRows(int input, const Batch& piece, Output& output) override {
    if (input == 1) {
      RETURN_IF_ERROR(addToBuild(piece));
      return Progress::DONE;
    }
    if (!built_) {
      early_.push_back(piece.compact());
      return Progress::DONE;
    }
    pieces_ = {piece};
    return work(output);
  }

  Result<Progress> endInput(int input, Output& output) override {
    if (input != 1) return Progress::DONE;
    built_ = true;
    pieces_ = std::move(early_);
    early_.clear();
    return work(output);
  }

  Result<Progress> finish(Output& output) override {
    if (spec_.type != JoinType::RIGHT && spec_.type != JoinType::FULL) return Progress::DONE;
    cursor_ = table_->scan(0);
    return emitUnmatched(output);
  }

  Result<Progress> resumeWork(Output& output) override { return cursor_ ? emitUnmatched(output) : work(output); }

 private:
  Status addToBuild(const Batch& piece) {
    const KeyBatch& keys = build_->encodeKeys(piece);
    std::vector<char*> payloads(piece.rows());
    RETURN_IF_ERROR(table_->upsert(0, keys, payloads, {}));
    std::string bytes;
    const bool padded = spec_.type == JoinType::RIGHT || spec_.type == JoinType::FULL;
    for (size_t row = 0; row < piece.rows(); ++row) {
      build_->ownCodec().encodeRow(piece.columns(), row, bytes);
      if (build_->nullKey(row)) {
        if (padded) unmatched_nulls_.push_back(bytes);
        continue;
      }
      objectAt<JoinRows>(payloads[row]).rows.push_back({bytes, 0});
    }
    return {};
  }

  Result<Progress> work(Output& output) {
    while (piece_ < pieces_.size()) {
      const Batch& piece = pieces_[piece_];
      while (row_ < piece.rows()) {
        RETURN_IF_ERROR(probeFrom(piece, output));
        if (output.isFull()) return Progress::MORE;
      }
      ++piece_;
      row_ = 0;
    }
    pieces_.clear();
    piece_ = 0;
    return Progress::DONE;
  }

  Status probeFrom(const Batch& piece, Output& output) {
    const KeyBatch& keys = probe_->encodeKeys(piece);
    std::vector<char*> payloads(piece.rows());
    RETURN_IF_ERROR(table_->find(0, keys, payloads));
    std::vector<JoinRows*> others(piece.rows());
    for (size_t row = 0; row < payloads.size(); ++row) others[row] = payloads[row] ? &objectAt<JoinRows>(payloads[row]) : nullptr;
    size_t end = 0;
    RETURN_IF_ERROR(probe_->match(*eval_, piece, others, row_, kPairsMax, end, matches_));
    const bool semi = spec_.type == JoinType::SEMI || spec_.type == JoinType::ANTI;
    const bool pads = spec_.type == JoinType::LEFT || spec_.type == JoinType::FULL;
    size_t next = 0;
    for (size_t row = row_; row < end; ++row) {
      const auto at = static_cast<RowIndex>(row);
      const size_t first = next;
      for (; next < matches_.size() && matches_[next].row == row; ++next) {
        ++matches_[next].other->matches;
        if (!semi) probe_->add(at, matches_[next].decoded, RowKind::INSERT);
      }
      const bool matched = next > first;
      if ((semi && matched == (spec_.type == JoinType::SEMI)) || (pads && !matched)) probe_->add(at, JoinMatcher::kNone, RowKind::INSERT);
    }
    row_ = end;
    if (probe_->pending() == 0) return {};
    return output.emit(probe_->take(piece, semi ? JoinMatcher::Columns::INPUT : JoinMatcher::Columns::BOTH));
  }

  Result<Progress> emitUnmatched(Output& output) {
    std::vector<std::pair<std::string_view, char*>> found;
    while (true) {
      found.clear();
      RETURN_IF_ERROR(cursor_->next(Batch::kRowsTarget, found));
      std::vector<std::string_view> rows;
      for (const auto& [key, payload] : found) {
        for (const JoinRows::Row& row : objectAt<JoinRows>(payload).rows) {
          if (row.matches == 0) rows.push_back(row.bytes);
        }
      }
      const bool last = found.empty();
      if (last) rows.assign(unmatched_nulls_.begin(), unmatched_nulls_.end());
      if (!rows.empty()) {
        std::vector<VectorPtr> columns;
        for (const DataType& type : probe_->ownCodec().types()) columns.push_back(Vector::nulls(type.asNullable(), rows.size()));
        for (auto& column : build_->ownCodec().decodeAll(rows)) columns.push_back(std::move(column));
        RETURN_IF_ERROR(output.emit(Batch(rows.size(), std::move(columns))));
      }
      if (last) break;
      if (output.isFull()) return Progress::MORE;
    }
    cursor_.reset();
    return Progress::DONE;
  }

  JoinSpec spec_;
  std::unique_ptr<JoinMatcher> probe_;
  std::unique_ptr<JoinMatcher> build_;
  EvalContext* eval_ = nullptr;
  KeyedTable* table_ = nullptr;
  bool built_ = false;
  std::vector<Batch> early_;        // left rows that came before the right side ended
  std::vector<Batch> pieces_;       // left rows being probed
  size_t piece_ = 0;
  size_t row_ = 0;
  std::vector<JoinMatch> matches_;
  std::vector<std::string> unmatched_nulls_;
  std::unique_ptr<KeyedTable::Cursor> cursor_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeJoin(const JoinSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto left, JoinMatcher::make(spec, node, 0));
  ASSIGN_OR_RETURN(auto right, JoinMatcher::make(spec, node, 1));
  if (spec.final_only) {
    return std::unique_ptr<Operator>(std::make_unique<BatchJoinOperator>(spec, std::move(left), std::move(right)));
  }
  return std::unique_ptr<Operator>(std::make_unique<JoinOperator>(spec, std::move(left), std::move(right)));
}

}  // namespace thalweg::worker
