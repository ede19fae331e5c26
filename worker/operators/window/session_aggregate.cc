// Aggregation over SESSION windows: accumulators per open session, merged when sessions become one.
//
// Rows of a batch are collected with the accumulators they belong to and folded together; a merge folds what was collected
// first. A session's entry: [rows in the session] + accumulators; the count only matters when the input retracts: a session
// that was emptied is silent.

#include "worker/operators/window/session_aggregate.h"

#include "worker/operators/aggregate/accumulators.h"
#include "worker/operators/operator_registry.h"
#include "worker/operators/window/session_operator.h"

namespace thalweg::worker {
namespace {

class SessionAggregateOperator : public SessionOperator<Accumulators> {
 public:
  SessionAggregateOperator(WindowAggregateSpec spec, const std::vector<DataType>& types, std::shared_ptr<AggregateSet> aggregates)
      : SessionOperator(spec.window, spec.keys, types, spec.final_only), spec_(std::move(spec)), aggregates_(std::move(aggregates)) {}

 protected:
  KeyedTableSpec tableSpec() override {
    const auto write = [](const Accumulators& session, StateWriter& writer) {
      std::string part;
      session.serialize(part);
      writer.text(part);
    };
    const auto read = [set = aggregates_](StateReader& reader, Accumulators& session) { return session.deserialize(reader.text(), set); };
    return windowsTable(write, read);
  }

  Status takeRow(const Batch& piece, size_t row, Accumulators& session) override {
    session.make(aggregates_);
    if (spec_.input_retracts) session.count() += isRetract(piece.rowKind(row)) ? -1 : 1;
    rows_.push_back(static_cast<RowIndex>(row));
    entries_.push_back(session.entry());
    return {};
  }

  Status mergeContents(const Batch& piece, Accumulators& into, Accumulators& from) override {
    RETURN_IF_ERROR(endRows(piece));
    into.count() += from.count();
    return aggregates_->merge(into.entry(), from.entry());
  }

  Status endRows(const Batch& piece) override {
    if (rows_.empty()) return {};
    const Batch part = rows_.size() == piece.rows() ? piece : piece.select(rows_);
    if (spec_.input_retracts) {
      retract_.resize(rows_.size());
      for (size_t i = 0; i < rows_.size(); ++i) retract_[i] = static_cast<uint8_t>(isRetract(part.rowKind(i)));
    }
    const Status status = aggregates_->update(part, entries_, spec_.input_retracts ? retract_.data() : nullptr, nullptr);
    rows_.clear();
    entries_.clear();
    return status;
  }

  Status takeComplete(std::string_view key, Session session) override {
    if (spec_.input_retracts && session.content.count() <= 0) return {};
    complete_keys_.emplace_back(key);
    complete_.push_back(std::move(session));
    return {};
  }

  size_t pendingRows() const override { return complete_.size(); }

  Status emitPending(Output& output) override {
    std::vector<VectorPtr> columns;
    const std::vector<std::string_view> keys(complete_keys_.begin(), complete_keys_.end());
    RETURN_IF_ERROR(decodeKeys(keys, keyTypes(), columns));
    std::vector<const char*> entries;
    for (const Session& session : complete_) entries.push_back(session.content.entry());
    RETURN_IF_ERROR(aggregates_->finalize(entries, columns));
    for (size_t i = 0; i < spec_.properties.size(); ++i) columns.push_back(property(i));
    const size_t rows = complete_.size();
    complete_.clear();
    complete_keys_.clear();
    return output.emit(Batch(rows, std::move(columns)));
  }

 private:
  VectorPtr property(size_t i) const {
    using Property = WindowAggregateSpec::Property;
    FlatBuilder<int64_t> values(spec_.property_types[i], complete_.size());
    for (size_t row = 0; row < complete_.size(); ++row) {
      const Session& session = complete_[row];
      switch (spec_.properties[i]) {
        case Property::WINDOW_START: values.set(row, wallClock(session.start)); break;
        case Property::WINDOW_END: values.set(row, wallClock(session.end)); break;
        case Property::WINDOW_TIME: values.set(row, session.end - 1); break;
      }
    }
    return values.finish();
  }

  WindowAggregateSpec spec_;
  std::shared_ptr<AggregateSet> aggregates_;
  // Rows of the piece at hand that are not folded yet, and where they go.
  std::vector<RowIndex> rows_;
  std::vector<char*> entries_;
  std::vector<uint8_t> retract_;
  // Sessions to be sent.
  std::vector<std::string> complete_keys_;
  std::vector<Session> complete_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeSessionAggregate(const WindowAggregateSpec& spec, const PlanNode& node) {
  ASSIGN_OR_RETURN(auto aggregates, AggregateSet::make(spec.calls, spec.input_retracts, spec.final_only, sizeof(int64_t)));
  return std::unique_ptr<Operator>(std::make_unique<SessionAggregateOperator>(spec, inputTypes(node), std::move(aggregates)));
}

}  // namespace thalweg::worker
