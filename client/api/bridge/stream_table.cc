#include "client/api/bridge/stream_table.h"

#include <algorithm>

#include "client/api/table/expression_tree.h"
#include "client/api/table/projection.h"
#include "client/api/thalweg/exception.h"
#include "common/sql/parser.h"

namespace thalweg::api {
namespace {

constexpr const char* kRowtimeKey = "rowtime";
constexpr const char* kRowtimeColumn = "$rowtime";   ///< the timestamp among the stream's columns

std::string listOf(const std::vector<std::string>& names) {
  std::string text = "[";
  for (size_t i = 0; i < names.size(); ++i) text += (i ? ", " : "") + names[i];
  return text + "]";
}

std::vector<std::string> recordNames(const AnyRecordType& type) {
  std::vector<std::string> names;
  for (const thalweg::Column& column : type.schema().columns()) names.push_back(column.name);
  return names;
}

/// The columns of a stream of known type.
const thalweg::Schema& recordSchema(const TableSource& source) {
  if (!source.type->isKnown()) {
    throw ValidationException("the fields of the rows of stream '" + source.name +
                              "' are not known: say them with returns(Types::ROW_NAMED({…}, {…})), or give fromElements() rows without NULLs");
  }
  return source.type->schema();
}

/// The stream's declaration in the order of its own columns: physical ones first, then what the schema adds.
class Declaration {
 public:
  Declaration(const TableSource& source, const Schema* schema) : record_(recordSchema(source)), schema_(schema) {}

  void declare() {
    std::vector<std::string> declared;
    for (const Schema::Column& column : columns()) {
      if (column.kind == Schema::ColumnKind::PHYSICAL) declared.push_back(column.name);
    }
    whole_record_ = declared.size() == 1 && record_.indexOf(declared[0]) < 0 && isWholeRecord(declared[0]);
    if (declared.empty()) addRecord();
    else if (whole_record_) addPhysical(*find(declared[0]));
    else addDeclared(declared);
    for (const Schema::Column& column : columns()) {
      if (column.kind != Schema::ColumnKind::PHYSICAL) addVirtual(column);
    }
    if (schema_ && schema_->getWatermark()) addWatermark(*schema_->getWatermark());
    if (schema_ && !schema_->getPrimaryKey().empty()) addKey(schema_->getPrimaryKeyName(), schema_->getPrimaryKey());
    // As in Flink, columns that were left out or moved cost a projection, behind which declarations are not shown.
    std::vector<std::string> order;
    for (const Schema::Column& column : columns()) order.push_back(column.name);
    projected_ = !declared.empty() && order != names();
    if (projected_) order_ = std::move(order);
  }

  const TableDefinition& definition() const { return definition_; }
  bool usesRowtime() const { return rowtime_; }
  /// What the table takes of the stream's time.
  StreamTimes times(const DataType& rowtime_type) const {
    StreamTimes times;
    if (rowtime_) times.rowtime = rowtime_type;
    if (!definition_.watermark) return times;
    const auto* call = sql::tryAs<sql::FunctionCall>(*definition_.watermark->expression);
    std::string name = call && call->name.isSimple() ? call->name.last() : "";
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    times.watermarks = name == "SOURCE_WATERMARK";
    return times;
  }
  const std::optional<std::vector<std::string>>& projection() const { return order_; }
  const std::shared_ptr<ResolvedSchema>& shown() const { return shown_; }

 private:
  const std::vector<Schema::Column>& columns() const {
    static const std::vector<Schema::Column> none;
    return schema_ ? schema_->getColumns() : none;
  }
  const Schema::Column* find(const std::string& name) const {
    const auto found = std::find_if(columns().begin(), columns().end(), [&](const Schema::Column& c) { return c.name == name; });
    return found == columns().end() ? nullptr : &*found;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const TableColumn& column : definition_.columns) out.push_back(column.name);
    return out;
  }
  bool isWholeRecord(const std::string& name) const { return name == "f0" && find(name)->type->kind() == TypeKind::ROW; }

  void addColumn(const std::string& name, const DataType& type) {
    TableColumn column;
    column.name = name;
    column.type = type;
    definition_.columns.push_back(std::move(column));
    shown_->columns.push_back({.name = name, .type = type});
  }
  void addPhysical(const Schema::Column& column) { addColumn(column.name, *column.type); }
  void addRecord() {
    for (const thalweg::Column& column : record_.columns()) addColumn(column.name, column.type);
  }
  void addDeclared(const std::vector<std::string>& declared) {
    for (const std::string& name : declared) {
      if (record_.indexOf(name) >= 0) continue;
      std::vector<std::string> known;
      for (const thalweg::Column& column : record_.columns()) known.push_back(column.name);
      throw ValidationException("Unable to find a field named '" + name +
                                "' in the physical data type derived from the given type information for schema declaration. Make sure that the "
                                "type information is not a generic raw type. Currently available fields are: " + listOf(known));
    }
    for (const thalweg::Column& column : record_.columns()) {
      const Schema::Column* given = find(column.name);
      if (given && given->kind == Schema::ColumnKind::PHYSICAL) addPhysical(*given);
      else addColumn(column.name, column.type);
    }
  }
  void addVirtual(const Schema::Column& column) {
    TableColumn out;
    out.name = column.name;
    if (column.kind == Schema::ColumnKind::COMPUTED) {
      out.kind = TableColumn::Kind::COMPUTED;
      out.expression = valueOrThrow(sql::parseExpression(column.expression));
      shown_->columns.push_back({.name = column.name, .type = {}, .kind = column.kind, .expression = column.expression});
    } else {
      const std::string key = column.metadata_key.empty() ? column.name : column.metadata_key;
      if (key != kRowtimeKey) {
        throw ValidationException("Invalid metadata key '" + key + "' in column '" + column.name + "' of stream. The DataStream supports the following metadata keys: [rowtime]");
      }
      out.kind = TableColumn::Kind::METADATA;
      out.type = *column.type;
      out.metadata_key = key;
      rowtime_ = true;
      shown_->columns.push_back({.name = column.name, .type = *column.type, .kind = column.kind, .metadata_key = column.metadata_key, .is_virtual = column.is_virtual});
    }
    definition_.columns.push_back(std::move(out));
  }
  void addWatermark(const Schema::Watermark& watermark) {
    const auto all = names();
    if (std::find(all.begin(), all.end(), watermark.column) == all.end()) {
      throw ValidationException("Invalid column name '" + watermark.column + "' for rowtime attribute in watermark declaration. Available columns are: " + listOf(all));
    }
    definition_.watermark = TableDefinition::Watermark{watermark.column, valueOrThrow(sql::parseExpression(watermark.expression))};
    shown_->watermark = ResolvedSchema::Watermark{watermark.column, {}, watermark.expression};
  }
  void addKey(const std::string& name, const std::vector<std::string>& key) {
    for (const std::string& each : key) {
      auto column = std::find_if(definition_.columns.begin(), definition_.columns.end(), [&](const TableColumn& c) { return c.name == each; });
      if (column == definition_.columns.end()) throw ValidationException("Invalid primary key '" + name + "'. Column '" + each + "' does not exist. Available columns are: " + listOf(names()));
      if (column->kind != TableColumn::Kind::PHYSICAL) throw ValidationException("Invalid primary key '" + name + "'. Column '" + each + "' is not a physical column");
      column->type = column->type.notNull();
    }
    definition_.primary_key_name = shown_->primary_key_name = name;
    definition_.primary_key = shown_->primary_key = key;
  }

  const thalweg::Schema& record_;
  const Schema* schema_;
  TableDefinition definition_;
  std::shared_ptr<ResolvedSchema> shown_ = std::make_shared<ResolvedSchema>();
  std::optional<std::vector<std::string>> order_;
  bool whole_record_ = false;
  bool rowtime_ = false;
  bool projected_ = false;
};

/// Types and time attributes as they were resolved.
void complete(ResolvedSchema& shown, const thalweg::Schema& resolved) {
  for (size_t i = 0; i < resolved.size(); ++i) {
    shown.columns[i].type = resolved.type(i);
    shown.columns[i].time = resolved.column(i).time;
    if (shown.watermark && shown.watermark->column == resolved.column(i).name) shown.watermark->type = resolved.type(i).asNullable();
  }
}

Table projected(const Table& table, const std::vector<std::string>& columns) {
  auto body = selectAll();
  body->items.clear();
  for (const std::string& column : columns) body->items.push_back(item(columnNode({column}), column));
  return refine(table, queryOf(std::move(body)));
}

}  // namespace

Table tableOfStream(const EnvironmentStatePtr& environment, TableSource source, const Schema* schema, ChangelogMode mode,
                    const DataType& rowtime_type) {
  Declaration declaration(source, schema);
  declaration.declare();
  if (mode.hasUpdates() && !mode.update_before && declaration.definition().primary_key.empty()) {
    throw ValidationException("an upsert changelog stream needs a primary key in its Schema: primaryKey(\"id\")");
  }
  std::vector<thalweg::Column> columns = source.type->schema().columns();
  if (declaration.usesRowtime()) columns.push_back({kRowtimeColumn, rowtime_type});
  StreamInput input;
  input.mode = mode;
  input.bounded = source.bounded;
  input.parallelism = source.parallelism;
  StreamBridge& bridge = bridgeOf(*environment);
  input.id = bridge.addStream(std::move(source), declaration.times(rowtime_type), mode);
  const ObjectPath path{"", "", "*anonymous_datastream_source$" + std::to_string(input.id + 1) + "*"};
  if (environment->isBatch() && !mode.isInsertOnly()) {
    throw ValidationException("Querying a table in batch mode is currently only possible for INSERT-only table sources. But the source for table '" + path.object +
                              "' produces other changelog messages than just INSERT: use fromDataStream(), or ChangelogMode::insertOnly()");
  }
  LogicalNodePtr node = valueOrThrow(environment->engine.session().bindStream(path, declaration.definition(), input,
                                                                             thalweg::Schema(std::move(columns)), declaration.usesRowtime()));
  complete(*declaration.shown(), node->schema);
  environment->declared[node.get()] = {node, declaration.shown()};
  const Table table = makeTable(environment, std::move(node));
  return declaration.projection() ? projected(table, *declaration.projection()) : table;
}

Table tableOfFields(const EnvironmentStatePtr& environment, TableSource source, const std::vector<Expression>& fields) {
  const thalweg::Schema record = recordSchema(source);
  const auto type = source.type;
  const std::vector<std::string> known = recordNames(*type);
  struct Field {
    std::string from;
    std::string name;
    char time = ' ';      ///< r: rowtime, p: proctime
  };
  std::vector<Field> chosen;
  bool by_name = false;
  for (const Expression& field : fields) {
    const auto* rowtime = asCall(*field.node(), "$rowtime");
    const auto* proctime = asCall(*field.node(), "$proctime");
    const sql::Expr& base = rowtime ? *rowtime->args[0] : proctime ? *proctime->args[0] : *field.node();
    const std::string from = columnNameOf(base);
    if (from.empty()) throw ValidationException("fields of a stream are names, with as(), rowtime() or proctime(), not " + field.toString());
    if (rowtime && record.indexOf(from) >= 0) {
      const DataType& replaced = record.type(static_cast<size_t>(record.indexOf(from)));
      if (replaced.kind() != TypeKind::BIGINT && !replaced.isTimestamp()) {
        throw ValidationException("The rowtime attribute can only replace a field with a valid time type, such as TIMESTAMP or BIGINT. But '" + from + "' was: " + replaced.toString());
      }
    }
    chosen.push_back({from, field.names().empty() ? from : field.names()[0], rowtime ? 'r' : proctime ? 'p' : ' '});
    by_name = by_name || (record.indexOf(from) >= 0 && chosen.back().time != 'p');
  }
  Schema::Builder schema = Schema::newBuilder();
  bool has_rowtime = false;
  bool has_proctime = false;
  for (const Field& field : chosen) {
    has_rowtime = has_rowtime || field.time == 'r';
    if (field.time != 'p') continue;
    if (record.indexOf(field.from) >= 0) throw ValidationException("The proctime attribute '" + field.from + "' must not replace an existing field.");
    if (has_proctime) throw ValidationException("The proctime attribute can only be defined once in a table schema.");
    has_proctime = true;
  }
  for (const thalweg::Column& column : record.columns()) schema.column(column.name, column.type);
  if (has_rowtime) schema.columnByMetadata(kRowtimeColumn, DataTypes::TIMESTAMP(3), kRowtimeKey).watermark(kRowtimeColumn, "SOURCE_WATERMARK()");
  if (has_proctime) schema.columnByExpression("$proctime", "PROCTIME()");
  const Schema built = schema.build();
  // The time of this form has no zone: it is UTC, whatever the session's.
  const Table table = tableOfStream(environment, std::move(source), &built, ChangelogMode::insertOnly(), DataTypes::TIMESTAMP(3));
  auto body = selectAll();
  body->items.clear();
  size_t position = 0;
  for (const Field& field : chosen) {
    if (field.time == 'r') {
      body->items.push_back(item(columnNode({kRowtimeColumn}), field.name));
      if (by_name || record.indexOf(field.from) >= 0) continue;
      ++position;
    } else if (field.time == 'p') {
      body->items.push_back(item(columnNode({"$proctime"}), field.name));
    } else if (by_name) {
      if (record.indexOf(field.from) < 0) {
        throw ValidationException("'" + field.from + "' is not a field of type " + type->dataType().toString() + ". Expected: " + listOf(known));
      }
      body->items.push_back(item(columnNode({field.from}), field.name));
    } else {
      if (position >= record.size()) {
        throw ValidationException("the stream has " + std::to_string(record.size()) + " fields, but more are named: " + field.from);
      }
      body->items.push_back(item(columnNode({record.column(position++).name}), field.name));
    }
  }
  Table out = refine(table, queryOf(std::move(body)));
  // As Flink shows it, the processing time of this form may be NULL.
  auto shown = std::make_shared<ResolvedSchema>(out.state()->node->schema);
  for (ResolvedSchema::Column& column : shown->columns) {
    if (column.time == TimeAttribute::PROCTIME) column.type = column.type.asNullable();
  }
  environment->declared[out.state()->node.get()] = {out.state()->node, shown};
  return out;
}

}  // namespace thalweg::api
