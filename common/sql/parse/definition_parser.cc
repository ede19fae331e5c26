// Columns, constraints and watermarks; the other parts are in definition_clauses.cc.
#include "common/sql/parse/definition_parser.h"

#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/type_parser.h"

namespace thalweg::sql {

Result<TableElements> DefinitionParser::parseTableElements() {
  TableElements elements;
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  if (cursor_.atIdentifier() && (cursor_.atSymbol(",", 1) || cursor_.atSymbol(")", 1))) {
    do {
      const std::size_t start = cursor_.mark();
      ColumnDefinition column;
      column.kind = ColumnKind::NAME_ONLY;
      ASSIGN_OR_RETURN(Identifier name, cursor_.expectIdentifier("a column name"));
      column.position = cursor_.since(start);
      column.name = {{std::move(name)}, column.position};
      elements.columns.push_back(std::move(column));
    } while (cursor_.acceptSymbol(","));
    if (!cursor_.atSymbol(")")) {
      return cursor_.unexpected("',' or ')': columns have either all a type or, before AS, all none");
    }
  } else {
    do {
      RETURN_IF_ERROR(parseElement(elements, Context::CREATE));
    } while (cursor_.acceptSymbol(","));
  }
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return elements;
}

Result<TableElements> DefinitionParser::parseAlterElements() {
  TableElements elements;
  const bool parentheses = cursor_.acceptSymbol("(");
  do {
    RETURN_IF_ERROR(parseElement(elements, Context::ALTER));
  } while (parentheses && cursor_.acceptSymbol(","));
  if (parentheses) RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return elements;
}

Result<std::vector<ColumnDefinition>> DefinitionParser::parseModelColumns() {
  ASSIGN_OR_RETURN(TableElements elements, parseTableElements());
  for (const ColumnDefinition& column : elements.columns) {
    if (column.kind != ColumnKind::PHYSICAL) {
      return Status::parse("a model's columns are names with types and comments", column.position);
    }
  }
  if (!elements.constraints.empty() || elements.watermark) {
    return Status::parse("a model has neither constraints nor a watermark", cursor_.previous().position);
  }
  return std::move(elements.columns);
}

Status DefinitionParser::parseElement(TableElements& elements, Context context) {
  if (cursor_.at("WATERMARK")) return parseWatermark(elements);
  if (cursor_.atAny({"CONSTRAINT", "PRIMARY", "UNIQUE"})) return parseTableConstraint(elements);
  return parseColumn(elements, context);
}

Status DefinitionParser::parseColumn(TableElements& elements, Context context) {
  const std::size_t start = cursor_.mark();
  ColumnDefinition column;
  if (context == Context::ALTER) {
    ASSIGN_OR_RETURN(column.name, cursor_.expectQualifiedName("a column name"));
  } else {
    ASSIGN_OR_RETURN(Identifier name, cursor_.expectIdentifier("a column name, a constraint or WATERMARK"));
    column.name = {{std::move(name)}, cursor_.since(start)};
  }
  RETURN_IF_ERROR(cursor_.at("AS") ? parseComputed(column) : parseTypedColumn(column, elements));
  ASSIGN_OR_RETURN(column.comment, parseOptionalComment());
  if (context == Context::ALTER) RETURN_IF_ERROR(parsePlace(column));
  column.position = cursor_.since(start);
  elements.columns.push_back(std::move(column));
  return Status::ok();
}

Status DefinitionParser::parseComputed(ColumnDefinition& column) {
  cursor_.skip();
  column.kind = ColumnKind::COMPUTED;
  ASSIGN_OR_RETURN(column.expression, parseNonQuery("a computed column"));
  return Status::ok();
}

Result<ExprPtr> DefinitionParser::parseNonQuery(std::string_view where) {
  ASSIGN_OR_RETURN(ExprPtr expr, ExpressionParser(cursor_).parse());
  if (expr->kind != ExprKind::SUBQUERY) return expr;
  return Status::parse("expected an expression without a query for " + std::string(where), expr->position);
}

Status DefinitionParser::parseTypedColumn(ColumnDefinition& column, TableElements& elements) {
  if (cursor_.atSymbol(",") || cursor_.atSymbol(")")) {
    return cursor_.unexpected("the type of column " + column.name.toString());
  }
  ASSIGN_OR_RETURN(column.type, TypeParser(cursor_).parseNullable());
  if (cursor_.at("METADATA")) return parseMetadata(column);
  if (cursor_.atAny({"CONSTRAINT", "PRIMARY", "UNIQUE"})) return parseColumnConstraint(column, elements);
  return Status::ok();
}

Status DefinitionParser::parseMetadata(ColumnDefinition& column) {
  cursor_.skip();
  column.kind = ColumnKind::METADATA;
  if (cursor_.accept("FROM")) {
    ASSIGN_OR_RETURN(column.metadata_key, cursor_.expectString("a metadata key in quotes"));
  }
  column.is_virtual = cursor_.accept("VIRTUAL");
  return Status::ok();
}

Status DefinitionParser::parsePlace(ColumnDefinition& column) {
  if (cursor_.accept("FIRST")) {
    column.place = ColumnPlace::FIRST;
  } else if (cursor_.accept("AFTER")) {
    column.place = ColumnPlace::AFTER;
    ASSIGN_OR_RETURN(column.after, cursor_.expectQualifiedName("a column name behind AFTER"));
  }
  return Status::ok();
}

// --- constraints and watermarks ----------------------------------------------------------------------

Result<TableConstraint> DefinitionParser::parseConstraintKind() {
  TableConstraint constraint;
  if (cursor_.accept("CONSTRAINT")) {
    ASSIGN_OR_RETURN(constraint.name, cursor_.expectIdentifier("a constraint's name"));
  }
  if (cursor_.accept("UNIQUE")) {
    constraint.kind = ConstraintKind::UNIQUE;
    return constraint;
  }
  RETURN_IF_ERROR(cursor_.expectWords({"PRIMARY", "KEY"}));
  return constraint;
}

void DefinitionParser::parseEnforcement(TableConstraint& constraint) {
  if (cursor_.acceptWords({"NOT", "ENFORCED"})) {
    constraint.enforced = false;
  } else if (cursor_.accept("ENFORCED")) {
    constraint.enforced = true;
  }
}

Status DefinitionParser::parseColumnConstraint(const ColumnDefinition& column, TableElements& elements) {
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(TableConstraint constraint, parseConstraintKind());
  parseEnforcement(constraint);
  constraint.columns.push_back(column.name.parts.back());
  constraint.position = cursor_.since(start);
  elements.constraints.push_back(std::move(constraint));
  return Status::ok();
}

Status DefinitionParser::parseTableConstraint(TableElements& elements) {
  const std::size_t start = cursor_.mark();
  ASSIGN_OR_RETURN(TableConstraint constraint, parseConstraintKind());
  ASSIGN_OR_RETURN(constraint.columns, cursor_.expectIdentifierList("a column name"));
  parseEnforcement(constraint);
  constraint.position = cursor_.since(start);
  elements.constraints.push_back(std::move(constraint));
  return Status::ok();
}

Status DefinitionParser::parseWatermark(TableElements& elements) {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  WatermarkDefinition watermark;
  RETURN_IF_ERROR(cursor_.expect("FOR"));
  ASSIGN_OR_RETURN(watermark.column, cursor_.expectQualifiedName("the column of the watermark"));
  RETURN_IF_ERROR(cursor_.expect("AS"));
  ASSIGN_OR_RETURN(watermark.expression, parseNonQuery("a watermark"));
  watermark.position = cursor_.since(start);
  if (elements.watermark) return Status::parse("a table has at most one WATERMARK", watermark.position);
  elements.watermark = std::move(watermark);
  return Status::ok();
}

}  // namespace thalweg::sql
