// SESSION on its own: rows wait in their session and come out, with its bounds, when it closes, in order of arrival.

#include "worker/operators/window/session_table_function.h"

#include "worker/operators/operator_registry.h"
#include "worker/operators/row_messages.h"
#include "worker/operators/window/session_operator.h"

namespace thalweg::worker {
namespace {

/// Rows of a session with their kinds.
struct SessionRows {
  struct Row {
    RowKind kind;
    std::string bytes;
  };
  std::vector<Row> rows;
};

class SessionTableFunctionOperator : public SessionOperator<SessionRows> {
 public:
  SessionTableFunctionOperator(const WindowTableFunctionSpec& spec, const std::vector<DataType>& types, DataType time_type)
      : SessionOperator(spec.window, spec.window.partition_keys, types, false), time_type_(std::move(time_type)), codec_(types), messages_(codec_) {}

 protected:
  KeyedTableSpec tableSpec() override {
    const auto write = [](const SessionRows& session, StateWriter& writer) {
      writer.number<uint64_t>(session.rows.size());
      for (const auto& row : session.rows) {
        writer.number(static_cast<uint8_t>(row.kind));
        writer.text(row.bytes);
      }
    };
    const auto read = [](StateReader& reader, SessionRows& session) -> Status {
      const auto rows = reader.count(1 + sizeof(uint64_t));
      for (uint64_t r = 0; r < rows && reader.isOk(); ++r) {
        const auto kind = static_cast<RowKind>(reader.number<uint8_t>() & 3);
        session.rows.push_back({kind, std::string(reader.text())});
      }
      return {};
    };
    return windowsTable(write, read);
  }

  Status takeRow(const Batch& piece, size_t row, SessionRows& session) override {
    codec_.encodeRow(piece.columns(), row, bytes_);
    session.rows.push_back({piece.rowKind(row), bytes_});
    return {};
  }

  Status mergeContents(const Batch&, SessionRows& into, SessionRows& from) override {
    into.rows.insert(into.rows.end(), std::make_move_iterator(from.rows.begin()), std::make_move_iterator(from.rows.end()));
    return {};
  }

  Status takeComplete(std::string_view, Session session) override {
    for (const SessionRows::Row& row : session.content.rows) {
      messages_.add(row.kind, row.bytes);
      starts_.push_back(session.start);
      ends_.push_back(session.end);
    }
    return {};
  }

  size_t pendingRows() const override { return messages_.size(); }

  Status emitPending(Output& output) override {
    const Batch rows = messages_.take();
    FlatBuilder<int64_t> starts(DataType::timestamp(3, false), rows.rows());
    FlatBuilder<int64_t> ends(DataType::timestamp(3, false), rows.rows());
    FlatBuilder<int64_t> times(time_type_, rows.rows());
    for (size_t row = 0; row < rows.rows(); ++row) {
      starts.set(row, wallClock(starts_[row]));
      ends.set(row, wallClock(ends_[row]));
      times.set(row, ends_[row] - 1);
    }
    starts_.clear();
    ends_.clear();
    std::vector<VectorPtr> columns = rows.columns();
    columns.push_back(starts.finish());
    columns.push_back(ends.finish());
    columns.push_back(times.finish());
    return output.emit(rows.withColumns(std::move(columns)));
  }

 private:
  DataType time_type_;
  RowCodec codec_;
  RowMessages messages_;
  std::vector<EventTime> starts_, ends_;   // of the sessions of messages_
  std::string bytes_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeSessionTableFunction(const WindowTableFunctionSpec& spec, const PlanNode& node) {
  return std::unique_ptr<Operator>(std::make_unique<SessionTableFunctionOperator>(spec, inputTypes(node), node.schema.columns().back().type));
}

}  // namespace thalweg::worker
