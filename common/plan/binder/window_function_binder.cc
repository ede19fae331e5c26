// TUMBLE, HOP, CUMULATE and SESSION as table functions, arguments by place or by name.
#include <array>
#include <map>

#include "common/base/edit_distance.h"
#include "common/plan/binder/from_binder.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {
namespace {

struct WindowFunction {
  std::string_view name;
  WindowKind kind;
  std::vector<std::string_view> parameters;  ///< in the order of places; the last may be left out unless SESSION
  bool optional_last;
};

const std::vector<WindowFunction>& windowFunctions() {
  static const std::vector<WindowFunction> functions = {
      {"TUMBLE", WindowKind::TUMBLE, {"DATA", "TIMECOL", "SIZE", "OFFSET"}, true},
      {"HOP", WindowKind::HOP, {"DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"}, true},
      {"CUMULATE", WindowKind::CUMULATE, {"DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"}, true},
      {"SESSION", WindowKind::SESSION, {"DATA", "TIMECOL", "GAP"}, false},
  };
  return functions;
}

using Arguments = std::map<std::string_view, const sql::Expr*>;

Result<Arguments> matchArguments(const WindowFunction& function, const sql::FunctionCall& call) {
  Arguments arguments;
  const auto bad = [&](const std::string& why, SourcePosition position) {
    std::string form;
    for (std::string_view p : function.parameters) form += (form.empty() ? "" : ", ") + std::string(p);
    return Status::plan(std::string(function.name) + "(" + form + "): " + why, position);
  };
  for (size_t i = 0; i < call.args.size(); ++i) {
    const sql::Expr& arg = *call.args[i];
    const auto* named = sql::tryAs<sql::NamedArgument>(arg);
    if ((named != nullptr) != (sql::tryAs<sql::NamedArgument>(*call.args[0]) != nullptr)) {
      return bad("name all arguments or none", arg.position);
    }
    std::string_view key;
    if (named) {
      for (std::string_view parameter : function.parameters) {
        if (parameter == named->name.text) key = parameter;
      }
      if (key.empty()) {
        return bad("there is no argument '" + named->name.text + "'" +
                   didYouMean(upperName(named->name.text), std::span<const std::string_view>(function.parameters)), named->name.position);
      }
      if (i == 0 && key != "DATA") return bad("DATA must come first", arg.position);
    } else {
      if (i >= function.parameters.size()) return bad("too many arguments", arg.position);
      key = function.parameters[i];
    }
    if (!arguments.emplace(key, named ? named->value.get() : &arg).second) {
      return bad("argument " + std::string(key) + " is given twice", arg.position);
    }
  }
  size_t required = function.parameters.size() - (function.optional_last ? 1 : 0);
  for (size_t i = 0; i < required; ++i) {
    if (!arguments.contains(function.parameters[i])) {
      return bad("argument " + std::string(function.parameters[i]) + " is missing", call.position);
    }
  }
  return arguments;
}

class WindowFunctionBinder {
 public:
  WindowFunctionBinder(StatementContext& statement, RowContext* outer, const CommonTables* common)
      : statement_(statement), outer_(outer), common_(common) {}

  Result<Relation> bind(const WindowFunction& function, const sql::FunctionCall& call) {
    ASSIGN_OR_RETURN(Arguments arguments, matchArguments(function, call));
    ASSIGN_OR_RETURN(Relation input, bindData(*arguments.at("DATA")));
    WindowSpec window;
    window.kind = function.kind;
    RETURN_IF_ERROR(bindTime(*arguments.at("TIMECOL"), input, window));
    RETURN_IF_ERROR(bindSizes(function, arguments, window));
    window.partition_keys = partition_keys_;
    if (!partition_keys_.empty() && function.kind != WindowKind::SESSION) {
      return Status::plan("PARTITION BY belongs to SESSION, not to " + std::string(function.name), call.position);
    }
    return finish(std::move(input), std::move(window));
  }

 private:
  Result<Relation> bindData(const sql::Expr& data) {
    if (const auto* query = sql::tryAs<sql::Subquery>(data)) {
      ASSIGN_OR_RETURN(LogicalNodePtr node, QueryBinder(statement_, outer_, common_).bind(*query->query));
      return Relation{node, Scope::ofTable({}, node->schema)};
    }
    const auto* argument = sql::tryAs<sql::TableArgument>(data);
    if (!argument) return Status::plan("DATA must be a table: TABLE t, or a query in parentheses", data.position);
    FromBinder from(statement_, outer_, common_);
    ASSIGN_OR_RETURN(Relation input, from.bind(*argument->table));
    ScopeContext rows(input.scope, outer_, "PARTITION BY");
    std::vector<sql::ExprPtr> keys;
    for (const sql::ExprPtr& key : argument->partition_by) {
      const auto* row = sql::tryAs<sql::RowConstructor>(*key);
      if (row) keys.insert(keys.end(), row->fields.begin(), row->fields.end());
      else keys.push_back(key);
    }
    for (const sql::ExprPtr& key : keys) {
      ASSIGN_OR_RETURN(BoundExprPtr column, ExpressionBinder(*statement_.environment, rows).bind(*key));
      if (!column->isColumn() || column->index >= kOuterStride) {
        return Status::plan("PARTITION BY of a window takes columns only", key->position);
      }
      partition_keys_.push_back(column->index);
    }
    if (!argument->order_by.empty()) return Status::plan("ORDER BY is not allowed in a window's table argument", data.position);
    return input;
  }

  Status bindTime(const sql::Expr& expr, const Relation& input, WindowSpec& window) {
    const auto* descriptor = sql::tryAs<sql::Descriptor>(expr);
    if (!descriptor || descriptor->columns.empty()) {
      return Status::plan("TIMECOL must be DESCRIPTOR(column) with the column of the time", expr.position);
    }
    ASSIGN_OR_RETURN(auto match, input.scope.findPlain(descriptor->columns[0]));
    if (!match) {
      sql::QualifiedName name{{descriptor->columns[0]}, descriptor->columns[0].position};
      return unknownColumn(input.scope, name);
    }
    const ScopeColumn& column = *match->column;
    const DataType& type = column.expr->type;
    bool batch = statement_.environment->batch_mode;
    bool usable = column.time != TimeAttribute::NONE || (batch && type.isTimestamp());
    if (!usable || !column.expr->isColumn()) {
      return Status::plan("the window's time column '" + column.name + "' must be a time attribute, but is " + type.toString() +
                          "; declare a WATERMARK for it, and keep it unchanged on the way here", expr.position);
    }
    window.time_column = column.expr->index;
    window.local_time = type.kind() == TypeKind::TIMESTAMP_LTZ;
    window.processing_time = column.time == TimeAttribute::PROCTIME;
    return Status::ok();
  }

  Result<int64_t> bindInterval(std::string_view name, const sql::Expr& expr) {
    NoColumns rows("an argument of a window function");
    ASSIGN_OR_RETURN(BoundExprPtr value, ExpressionBinder(*statement_.environment, rows).bind(expr));
    if (!value->isLiteral() || value->type.kind() != TypeKind::INTERVAL_DAY_TIME || value->value.isNull()) {
      return Status::plan(std::string(name) + " must be a constant interval of days and shorter units, but is " +
                          value->type.toString(), expr.position);
    }
    return value->value.asInt();
  }

  Status bindSizes(const WindowFunction& function, const Arguments& arguments, WindowSpec& window) {
    for (const auto& [name, expr] : arguments) {
      if (name == "DATA" || name == "TIMECOL") continue;
      ASSIGN_OR_RETURN(int64_t millis, bindInterval(name, *expr));
      if (name != "OFFSET" && millis <= 0) {
        return Status::plan(std::string(name) + " must be longer than 0", expr->position);
      }
      if (name == "SIZE" || name == "GAP") window.size_ms = millis;
      else if (name == "OFFSET") window.offset_ms = millis;
      else window.slide_ms = millis;
    }
    // HOP is held to this only where its windows are aggregated.
    if (function.kind == WindowKind::CUMULATE && (window.size_ms < window.slide_ms || window.size_ms % window.slide_ms != 0)) {
      return Status::plan(std::string(function.name) + " needs a SIZE that is a multiple of its " +
                          std::string(function.parameters[2]) + ", but has " + std::to_string(window.size_ms) + " ms and " +
                          std::to_string(window.slide_ms) + " ms", arguments.at("SIZE")->position);
    }
    int64_t offset = window.offset_ms < 0 ? -window.offset_ms : window.offset_ms;
    // So is it to a short OFFSET.
    if (offset != 0 && offset >= window.size_ms && function.kind != WindowKind::HOP) {
      return Status::plan("the window's OFFSET must be shorter than its SIZE", arguments.at("OFFSET")->position);
    }
    return Status::ok();
  }

  Result<Relation> finish(Relation input, WindowSpec window) {
    std::vector<Column> columns = input.node->schema.columns();
    size_t width = columns.size();
    const Column& time = columns[static_cast<size_t>(window.time_column)];
    DataType time_type = window.processing_time || window.local_time ? DataType::timestampLtz(3, false)
                                                                     : DataType::timestamp(3, false);
    TimeAttribute attribute = time.time == TimeAttribute::NONE ? TimeAttribute::NONE : time.time;
    columns.push_back({"window_start", DataType::timestamp(3, false)});
    columns.push_back({"window_end", DataType::timestamp(3, false)});
    columns.push_back({"window_time", time_type, attribute});
    Scope scope = input.scope;
    for (size_t i = width; i < columns.size(); ++i) {
      // They belong to the table that the function makes, which an alias names as a whole.
      scope.addColumn({columns[i].name, BoundExpr::column(static_cast<int>(i), columns[i].type), columns[i].time, -1});
    }
    auto node = std::make_shared<LogicalWindowTvf>(input.node, std::move(window), Schema(std::move(columns)));
    return Relation{std::move(node), anonymous(scope)};
  }

  /// The function's result is a table of its own, without a name.
  static Scope anonymous(const Scope& scope) {
    Scope out;
    int table = out.addTable({});
    for (ScopeColumn column : scope.columns()) {
      column.table = table;
      if (!column.hidden) out.addColumn(std::move(column));
    }
    return out;
  }

  StatementContext& statement_;
  RowContext* outer_;
  const CommonTables* common_;
  std::vector<int> partition_keys_;
};

}  // namespace

Result<std::optional<Relation>> bindWindowFunction(StatementContext& statement, RowContext* outer,
                                                   const CommonTables* common, const sql::FunctionCall& call) {
  if (!call.name.isSimple()) return std::optional<Relation>();
  std::string name = upperName(call.name.last());
  for (const WindowFunction& function : windowFunctions()) {
    if (function.name != name) continue;
    ASSIGN_OR_RETURN(Relation relation, WindowFunctionBinder(statement, outer, common).bind(function, call));
    return std::optional<Relation>(std::move(relation));
  }
  return std::optional<Relation>();
}

}  // namespace thalweg
