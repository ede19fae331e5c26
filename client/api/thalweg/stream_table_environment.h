// StreamTableEnvironment: tables of streams and streams of tables, in one program and one job.
//
//   auto env = StreamExecutionEnvironment::getExecutionEnvironment();
//   auto tEnv = StreamTableEnvironment::create(env);
//   Table table = tEnv.fromDataStream(orders, Schema::newBuilder()
//                                                 .columnByMetadata("rowtime", "TIMESTAMP_LTZ(3)")
//                                                 .watermark("rowtime", "SOURCE_WATERMARK()").build());
//   tEnv.toDataStream(tEnv.sqlQuery("SELECT * FROM " + table)).print();
//   env.execute();
//
// STREAM TO TABLE. Columns come from the record's type; a Schema may pick, reorder and cast them, and add computed ones.
// Event time is lost unless the Schema takes the record's timestamp (metadata `rowtime`) and watermarks
// (SOURCE_WATERMARK()). fromDataStream takes inserts only; fromChangelogStream reads the rows' kinds.
// TABLE TO STREAM. The query becomes part of the stream environment's program, run by its execute(); a table nobody
// reads costs nothing. The only row-time column becomes the records' timestamp. toDataStream refuses tables with updates.
// Table::execute() and executeInsert() run at once, as jobs of their own, and leave the program pending.
// Settings of the stream environment are taken over when this one is made. Threads: one.
#pragma once

#include "client/api/thalweg/environment.h"
#include "client/api/thalweg/flagged_records.h"
#include "client/api/thalweg/table_environment.h"
#include "common/plan/changelog_mode.h"

namespace thalweg::api {

using thalweg::ChangelogMode;
using thalweg::RowKind;

/// A stream as a table's input: what the bridge needs to know of it.
struct TableSource {
  StreamGraphPtr graph;
  std::vector<StreamEdge> edges;          ///< with plain links
  std::shared_ptr<const AnyRecordType> type;
  std::string name;
  bool bounded = true;
  int parallelism = 0;                    ///< 0: the environment's
};

/// A table's output as a stream: the node of the plan, and the link that makes records of its rows.
struct TableStream {
  int node = -1;
  std::shared_ptr<const struct TableOutput> output;
  bool bounded = true;
};

class StreamStatementSet : public StatementSet {
 public:
  using StatementSet::StatementSet;
  StreamStatementSet& add(const TablePipeline& pipeline) { StatementSet::add(pipeline); return *this; }
  StreamStatementSet& addInsert(std::string_view path, const Table& table, bool overwrite = false) {
    StatementSet::addInsert(path, table, overwrite);
    return *this;
  }
  StreamStatementSet& addInsert(const TableDescriptor& descriptor, const Table& table, bool overwrite = false) {
    StatementSet::addInsert(descriptor, table, overwrite);
    return *this;
  }
  StreamStatementSet& addInsertSql(std::string_view sql) { StatementSet::addInsertSql(sql); return *this; }
  /// Adds the INSERTs to the stream environment's program, run by its execute(); the set is empty then.
  void attachAsDataStream();
};

class StreamTableEnvironment : public TableEnvironment {
 public:
  static StreamTableEnvironment create(const StreamExecutionEnvironment& environment);
  /// The settings' mode and configuration go over those of the stream environment.
  static StreamTableEnvironment create(const StreamExecutionEnvironment& environment, const EnvironmentSettings& settings);

  template <typename T>
  Table fromDataStream(const DataStream<T>& stream) const { return fromSource(sourceOf(stream), nullptr, ChangelogMode::insertOnly()); }
  template <typename T>
  Table fromDataStream(const DataStream<T>& stream, const Schema& schema) const {
    return fromSource(sourceOf(stream), &schema, ChangelogMode::insertOnly());
  }
  /// Fields by name, or by position if none of the names is a field's; with as(), rowtime() and proctime().
  template <typename T, typename... Fields>
  Table fromDataStream(const DataStream<T>& stream, const Expression& first, const Fields&... fields) const {
    return fromFields(sourceOf(stream), {first, Expression(fields)...});
  }

  Table fromChangelogStream(const DataStream<Row>& stream) const { return fromSource(sourceOf(stream), nullptr, ChangelogMode::all()); }
  Table fromChangelogStream(const DataStream<Row>& stream, const Schema& schema, ChangelogMode mode = ChangelogMode::all()) const {
    return fromSource(sourceOf(stream), &schema, mode);
  }

  using TableEnvironment::createTemporaryView;
  template <typename T>
  void createTemporaryView(std::string_view path, const DataStream<T>& stream) const { createTemporaryView(path, fromDataStream(stream)); }
  template <typename T>
  void createTemporaryView(std::string_view path, const DataStream<T>& stream, const Schema& schema) const {
    createTemporaryView(path, fromDataStream(stream, schema));
  }
  template <typename T, typename... Fields>
  void createTemporaryView(std::string_view path, const DataStream<T>& stream, const Expression& first, const Fields&... fields) const {
    createTemporaryView(path, fromDataStream(stream, first, fields...));
  }

  SingleOutputStreamOperator<Row> toDataStream(const Table& table) const {
    return streamOf(rowRecordType(fieldsOf(table)), insertStream(table, nullptr));
  }
  /// Records of T, or rows cast to a ROW type: columns by name, else by position, with implicit casts.
  template <typename T>
  SingleOutputStreamOperator<T> toDataStream(const Table& table) const {
    return toDataStream<T>(table, RecordType<T>::of()->dataType());
  }
  template <typename T = Row>
  SingleOutputStreamOperator<T> toDataStream(const Table& table, const DataType& type) const {
    if constexpr (std::is_same_v<T, Row>) {
      return streamOf(rowRecordType(rowFields(type)), insertStream(table, &type));
    } else {
      const DataType fields = recordFields(type, RecordType<T>::of()->dataType());
      return streamOf<T>(RecordType<T>::of(), insertStream(table, &fields));
    }
  }

  SingleOutputStreamOperator<Row> toChangelogStream(const Table& table) const {
    return streamOf(rowRecordType(fieldsOf(table)), changelogStream(table, nullptr, ChangelogMode::all()));
  }
  SingleOutputStreamOperator<Row> toChangelogStream(const Table& table, const Schema& schema, ChangelogMode mode = ChangelogMode::all()) const {
    return streamOf(rowRecordType(fieldsOf(schema)), changelogStream(table, &schema, mode));
  }

  template <typename T = Row>
  [[deprecated("use toDataStream()")]] SingleOutputStreamOperator<T> toAppendStream(const Table& table) const {
    if constexpr (std::is_same_v<T, Row>) return toDataStream(table);
    else return toDataStream<T>(table);
  }
  template <typename T = Row>
  [[deprecated("use toDataStream()")]] SingleOutputStreamOperator<T> toAppendStream(const Table& table, const DataType& type) const {
    return toDataStream<T>(table, type);
  }
  /// (true, record) for each row that is added, (false, record) for each that is taken back.
  template <typename T = Row>
  [[deprecated("use toChangelogStream()")]] SingleOutputStreamOperator<Flagged<T>> toRetractStream(const Table& table) const {
    if constexpr (std::is_same_v<T, Row>) return flagged(fieldsOf(table), flaggedStream(table, nullptr));
    else return flaggedRecords<T>(table, RecordType<T>::of()->dataType());
  }
  template <typename T = Row>
  [[deprecated("use toChangelogStream()")]] SingleOutputStreamOperator<Flagged<T>> toRetractStream(const Table& table, const DataType& type) const {
    if constexpr (std::is_same_v<T, Row>) return flagged(rowFields(type), flaggedStream(table, &type));
    else return flaggedRecords<T>(table, recordFields(type, RecordType<T>::of()->dataType()));
  }

  StreamStatementSet createStatementSet() const { return StreamStatementSet(state_); }

 private:
  StreamTableEnvironment(std::shared_ptr<EnvironmentState> state, StreamGraphPtr graph)
      : TableEnvironment(std::move(state)), graph_(std::move(graph)) {}

  template <typename T>
  TableSource sourceOf(const DataStream<T>& stream) const {
    const StreamNode& node = stream.graph()->node(stream.origins()[0].node);
    const int parallelism = stream.origins().size() == 1 ? node.parallelism : 0;
    return {stream.graph(), plainEdges(stream),
            stream.type(), stream.name(), stream.isBounded(), parallelism};
  }
  /// The records as they are: of a keyed stream without its keys.
  template <typename T>
  static std::vector<StreamEdge> plainEdges(const DataStream<T>& stream) {
    std::vector<StreamEdge> edges = StreamHandle<T>(stream.graph(), stream.origins()).edges();
    for (StreamEdge& edge : edges) edge.partition = edge.partition == Partition::HASH ? Partition::ANY : edge.partition;
    return edges;
  }
  SingleOutputStreamOperator<Flagged<Row>> flagged(std::vector<Field> fields, const TableStream& table) const {
    return streamOf<Flagged<Row>>(flaggedRowType(fields), table, std::make_shared<FlaggedRecords<Row>>(rowRecordType(fields)));
  }
  template <typename T>
  SingleOutputStreamOperator<Flagged<T>> flaggedRecords(const Table& table, const DataType& type) const {
    return streamOf<Flagged<T>>(RecordType<Flagged<T>>::of(), flaggedStream(table, &type), std::make_shared<FlaggedRecords<T>>(RecordType<T>::of()));
  }
  /// `read_as`: how the table's rows are read, if not as `type` says.
  template <typename T>
  SingleOutputStreamOperator<T> streamOf(RecordTypePtr<T> type, const TableStream& table, RecordTypePtr<T> read_as = nullptr) const {
    StreamNode node;
    node.name = "TableToDataStream";
    node.inputs = {{StreamEdge{table.node, 0, Partition::ANY, outputLink(std::make_shared<PlainLink<T>>(read_as ? std::move(read_as) : type), table)}}};
    node.make_stage = [] { return std::make_unique<PassStage<T>>(); };
    node.types = {std::move(type)};
    node.bounded = table.bounded;
    const int id = graph_->add(std::move(node));
    graph_->forget(id);
    return SingleOutputStreamOperator<T>(graph_, id);
  }
  template <typename T>
  class PassStage final : public UnaryStage<T, T> {
   public:
    void records(Chunk<T>& chunk) override { this->out_.records(chunk); }
  };

  Table fromSource(TableSource source, const Schema* schema, ChangelogMode mode) const;
  Table fromFields(TableSource source, const std::vector<Expression>& fields) const;
  TableStream insertStream(const Table& table, const DataType* type) const;
  TableStream flaggedStream(const Table& table, const DataType* type) const;
  TableStream changelogStream(const Table& table, const Schema* schema, ChangelogMode mode) const;
  static StreamLinkPtr outputLink(StreamLinkPtr records, const TableStream& table);
  static std::vector<Field> fieldsOf(const Table& table);
  static std::vector<Field> fieldsOf(const Schema& schema);
  static std::vector<Field> rowFields(const DataType& type);
  /// The type of a record, if `declared` has its fields.
  static DataType recordFields(const DataType& declared, const DataType& record);

  StreamGraphPtr graph_;
};

}  // namespace thalweg::api
