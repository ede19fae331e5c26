#include "common/plan/binder/match_binder.h"

#include <algorithm>
#include <set>

#include "common/base/edit_distance.h"
#include "common/plan/binder/match_context.h"
#include "common/plan/binder/query_binder.h"
#include "common/plan/expressions/expression_binder.h"

namespace thalweg {
namespace {

class MatchBinder {
 public:
  MatchBinder(const BindEnvironment& environment, const Relation& input, const sql::MatchRecognize& match, std::vector<MatchVariable> pattern)
      : ast_(match), input_(input), slots_(input.node, false), pattern_(pattern), clauses_{environment, input_, slots_, pattern_} {
    match_.pattern = std::move(pattern);
    for (const sql::PatternSubset& subset : match.subsets) clauses_.subsets.push_back(subset.name.text);
  }

  Result<Relation> bind() {
    if (ast_.rows_per_match == sql::RowsPerMatch::ALL_ROWS) {
      return Status::plan("ALL ROWS PER MATCH is not supported; ONE ROW PER MATCH is", ast_.position);
    }
    if (ast_.measures.empty()) return Status::plan("MATCH_RECOGNIZE needs MEASURES: they are its result", ast_.position);
    RETURN_IF_ERROR(bindPartition());
    RETURN_IF_ERROR(bindOrder());
    RETURN_IF_ERROR(bindSkip());
    RETURN_IF_ERROR(bindWithin());
    RETURN_IF_ERROR(bindDefinitions());
    RETURN_IF_ERROR(bindMeasures());
    return finish();
  }

 private:
  /// A column of the input by name; expressions are no keys here.
  Result<BoundExprPtr> inputColumn(const sql::Expr& expr, const char* clause) {
    ScopeContext rows(input_.scope, nullptr, clause);
    ASSIGN_OR_RETURN(BoundExprPtr column, ExpressionBinder(clauses_.environment, rows).bind(expr));
    if (!column->isColumn()) return Status::plan(std::string(clause) + " of MATCH_RECOGNIZE takes columns only", expr.position);
    return column;
  }

  const Column& columnOf(const BoundExpr& column) const { return input_.node->schema.column(static_cast<size_t>(column.index)); }

  Status bindPartition() {
    for (const sql::ExprPtr& expr : ast_.partition_by) {
      ASSIGN_OR_RETURN(BoundExprPtr column, inputColumn(*expr, "PARTITION BY"));
      match_.partition_keys.push_back(slots_.add(column));
      Column out = columnOf(*column);
      out.time = TimeAttribute::NONE;
      RETURN_IF_ERROR(addOutput(std::move(out), expr->position));
    }
    return Status::ok();
  }

  Status bindOrder() {
    if (ast_.order_by.empty()) return Status::plan("MATCH_RECOGNIZE needs ORDER BY with a time attribute", ast_.position);
    for (size_t i = 0; i < ast_.order_by.size(); ++i) {
      const sql::OrderItem& item = ast_.order_by[i];
      ASSIGN_OR_RETURN(BoundExprPtr column, inputColumn(*item.expr, "ORDER BY"));
      if (i > 0) {
        match_.order_by.push_back(sortKey(slots_.add(column), item));
        continue;
      }
      clauses_.time = column;
      clauses_.attribute = columnOf(*column).time;
      const bool is_time = clauses_.attribute != TimeAttribute::NONE || (clauses_.environment.batch_mode && column->type.isTimestamp());
      if (!is_time) {
        return Status::plan("the first column of ORDER BY in MATCH_RECOGNIZE must be a time attribute, but '" + columnOf(*column).name +
                            "' is " + column->type.toString() + "; declare a WATERMARK for it", item.expr->position);
      }
      if (clauses_.attribute == TimeAttribute::NONE) clauses_.attribute = TimeAttribute::ROWTIME;
      if (item.direction == sql::SortDirection::DESC) {
        return Status::plan("the time attribute in ORDER BY of MATCH_RECOGNIZE must be ascending", item.expr->position);
      }
      match_.time_column = slots_.add(column);
      match_.processing_time = clauses_.attribute == TimeAttribute::PROCTIME;
    }
    return Status::ok();
  }

  Status bindSkip() {
    switch (ast_.after_match) {
      case sql::AfterMatch::UNSPECIFIED:
      case sql::AfterMatch::TO_NEXT_ROW: match_.skip = MatchSkip::TO_NEXT_ROW; break;
      case sql::AfterMatch::PAST_LAST_ROW: match_.skip = MatchSkip::PAST_LAST_ROW; break;
      case sql::AfterMatch::TO_FIRST: match_.skip = MatchSkip::TO_FIRST; break;
      case sql::AfterMatch::TO_LAST: match_.skip = MatchSkip::TO_LAST; break;
    }
    if (!ast_.after_match_variable) return Status::ok();
    match_.skip_variable = variableNamed(ast_.after_match_variable->text);
    return match_.skip_variable >= 0 ? Status::ok() : unknownVariable(*ast_.after_match_variable);
  }

  int variableNamed(const std::string& name) const {
    const auto found = std::find_if(pattern_.begin(), pattern_.end(), [&](const MatchVariable& v) { return v.name == name; });
    return found == pattern_.end() ? -1 : static_cast<int>(found - pattern_.begin());
  }

  Status unknownVariable(const sql::Identifier& name) const {
    std::vector<std::string> names;
    for (const MatchVariable& variable : pattern_) names.push_back(variable.name);
    return Status::plan("there is no variable '" + name.text + "' in PATTERN" + didYouMean(name.text, std::span<const std::string>(names)),
                        name.position);
  }

  Status bindWithin() {
    if (!ast_.within) return Status::ok();
    NoColumns rows("WITHIN");
    ASSIGN_OR_RETURN(BoundExprPtr within, ExpressionBinder(clauses_.environment, rows).bind(*ast_.within));
    if (!within->isLiteral() || within->type.kind() != TypeKind::INTERVAL_DAY_TIME || within->value.isNull()) {
      return Status::plan("WITHIN takes a constant interval of days and shorter units, but has " + within->type.toString(), ast_.within->position);
    }
    match_.within_ms = within->value.asInt();
    return Status::ok();
  }

  Status bindDefinitions() {
    std::set<std::string> defined;
    for (const sql::PatternDefinition& definition : ast_.definitions) {
      if (!defined.insert(definition.variable.text).second) {
        return Status::plan("the variable '" + definition.variable.text + "' is defined twice", definition.variable.position);
      }
      const int variable = variableNamed(definition.variable.text);
      if (variable < 0) continue;  // what the pattern does not hold is never asked
      MatchContext context(clauses_, variable);
      ExpressionBinder binder(clauses_.environment, context);
      ASSIGN_OR_RETURN(BoundExprPtr condition, binder.bindCondition(*definition.condition, "the condition of '" + definition.variable.text + "'"));
      match_.pattern[static_cast<size_t>(variable)].condition = std::move(condition);
      match_.pattern[static_cast<size_t>(variable)].values = std::move(context.values());
    }
    return Status::ok();
  }

  Status bindMeasures() {
    MatchContext context(clauses_, -1);
    for (const sql::SelectItem& item : ast_.measures) {
      ASSIGN_OR_RETURN(BoundExprPtr measure, ExpressionBinder(clauses_.environment, context).bind(*item.expr));
      RETURN_IF_ERROR(addOutput({item.alias->text, measure->type, context.timeOf(*measure)}, item.position));
      match_.measures.push_back(std::move(measure));
    }
    match_.measure_values = std::move(context.values());
    return Status::ok();
  }

  Status addOutput(Column column, SourcePosition position) {
    for (const Column& other : columns_) {
      if (other.name != column.name) continue;
      return Status::plan("column '" + column.name + "' stands twice in the result of MATCH_RECOGNIZE; name the measure otherwise", position);
    }
    columns_.push_back(std::move(column));
    return Status::ok();
  }

  /// Slots become columns, now that all are known.
  void settle(std::vector<MatchValue>& values) const {
    for (MatchValue& value : values) {
      if (value.column >= 0) value.column = slots_.column(value.column);
      for (int& argument : value.call.arguments) argument = slots_.column(argument);
    }
  }

  Result<Relation> finish() {
    LogicalNodePtr node = slots_.finish();
    for (int& key : match_.partition_keys) key = slots_.column(key);
    for (SortKey& key : match_.order_by) key.column = slots_.column(key.column);
    match_.time_column = slots_.column(match_.time_column);
    settle(match_.measure_values);
    for (MatchVariable& variable : match_.pattern) settle(variable.values);
    auto matched = std::make_shared<LogicalMatch>(std::move(node), std::move(match_), Schema(std::move(columns_)));
    Scope scope = Scope::ofTable({}, matched->schema);
    return Relation{std::move(matched), std::move(scope)};
  }

  const sql::MatchRecognize& ast_;
  const Relation& input_;
  ColumnSlots slots_;
  const std::vector<MatchVariable> pattern_;
  MatchClauses clauses_;
  MatchSpec match_;
  std::vector<Column> columns_;
};

}  // namespace

Result<Relation> bindMatch(const BindEnvironment& environment, Relation input, const sql::MatchRecognize& match) {
  ASSIGN_OR_RETURN(std::vector<MatchVariable> pattern, bindPattern(match));
  return MatchBinder(environment, input, match, std::move(pattern)).bind();
}

}  // namespace thalweg
