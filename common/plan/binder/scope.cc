#include "common/plan/binder/scope.h"

#include <algorithm>

namespace thalweg {

BoundExprPtr shiftColumns(const BoundExprPtr& expr, int offset) {
  if (offset == 0) return expr;
  auto copy = std::make_shared<BoundExpr>(*expr);
  if (copy->isColumn()) {
    if (copy->index < kOuterStride) copy->index += offset;
    return copy;
  }
  for (BoundExprPtr& arg : copy->args) arg = shiftColumns(arg, offset);
  return copy;
}

Scope Scope::ofTable(ScopeTable table, const Schema& schema, int first_column) {
  Scope scope;
  int id = scope.addTable(std::move(table));
  for (size_t i = 0; i < schema.size(); ++i) {
    const Column& column = schema.column(i);
    scope.addColumn({column.name, BoundExpr::column(first_column + static_cast<int>(i), column.type), column.time, id});
  }
  return scope;
}

int Scope::addTable(ScopeTable table) {
  tables_.push_back(std::move(table));
  return static_cast<int>(tables_.size()) - 1;
}

Scope Scope::concat(const Scope& left, const Scope& right, int offset) {
  Scope scope = left;
  int tables = static_cast<int>(left.tables_.size());
  for (const ScopeTable& table : right.tables_) scope.tables_.push_back(table);
  for (ScopeColumn column : right.columns_) {
    column.expr = shiftColumns(column.expr, offset);
    if (column.table >= 0) column.table += tables;
    scope.columns_.push_back(std::move(column));
  }
  return scope;
}

Scope Scope::nullable() const {
  Scope scope = *this;
  for (ScopeColumn& column : scope.columns_) {
    auto copy = std::make_shared<BoundExpr>(*column.expr);
    copy->type = copy->type.asNullable();
    for (BoundExprPtr& arg : copy->args) {
      auto arg_copy = std::make_shared<BoundExpr>(*arg);
      arg_copy->type = arg_copy->type.asNullable();
      arg = arg_copy;
    }
    column.expr = copy;
  }
  return scope;
}

std::optional<int> Scope::findTable(const std::vector<std::string>& qualifier) const {
  for (size_t i = 0; i < tables_.size(); ++i) {
    const ScopeTable& table = tables_[i];
    bool match = false;
    if (qualifier.size() == 1) {
      match = !table.alias.empty() && table.alias == qualifier[0];
    } else if (table.path) {
      const ObjectPath& path = *table.path;
      if (qualifier.size() == 2) match = qualifier[0] == path.database && qualifier[1] == path.object;
      if (qualifier.size() == 3) {
        match = qualifier[0] == path.catalog && qualifier[1] == path.database && qualifier[2] == path.object;
      }
    }
    if (match) return static_cast<int>(i);
  }
  return std::nullopt;
}

Result<std::optional<ScopeMatch>> Scope::findPlain(const sql::Identifier& name) const {
  std::optional<ScopeMatch> match;
  for (const ScopeColumn& column : columns_) {
    if (column.hidden || column.name != name.text) continue;
    if (match) return Status::plan("column '" + name.text + "' is ambiguous; put its table's name in front", name.position);
    match = ScopeMatch{&column, 1};
  }
  return match;
}

Result<std::optional<ScopeMatch>> Scope::find(const sql::QualifiedName& name) const {
  std::vector<std::string> parts = name.texts();
  for (size_t table_parts = std::min<size_t>(parts.size() - 1, 3); table_parts > 0; --table_parts) {
    std::vector<std::string> qualifier(parts.begin(), parts.begin() + static_cast<ptrdiff_t>(table_parts));
    std::optional<int> table = findTable(qualifier);
    if (!table) continue;
    const ScopeColumn* found = nullptr;
    for (const ScopeColumn& column : columns_) {
      if (column.table != *table || column.name != parts[table_parts]) continue;
      if (found) return Status::plan("column '" + name.toString() + "' is ambiguous", name.position);
      found = &column;
    }
    if (found) return std::optional(ScopeMatch{found, table_parts + 1});
  }
  return findPlain(name.parts[0]);
}

std::optional<std::vector<int>> Scope::star(const std::vector<sql::Identifier>& qualifier) const {
  std::vector<int> positions;
  std::optional<int> table;
  if (!qualifier.empty()) {
    std::vector<std::string> parts;
    for (const sql::Identifier& part : qualifier) parts.push_back(part.text);
    table = findTable(parts);
    if (!table) return std::nullopt;
  }
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (table ? columns_[i].table == *table : !columns_[i].hidden) positions.push_back(static_cast<int>(i));
  }
  return positions;
}

std::vector<std::string> Scope::columnNames() const {
  std::vector<std::string> names;
  for (const ScopeColumn& column : columns_) names.push_back(column.name);
  return names;
}

std::vector<std::string> Scope::tableNames() const {
  std::vector<std::string> names;
  for (const ScopeTable& table : tables_) names.push_back(table.alias);
  return names;
}

}  // namespace thalweg
