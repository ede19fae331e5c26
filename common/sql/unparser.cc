#include "common/sql/unparser.h"

#include "common/sql/unparse/writer.h"

namespace thalweg::sql {

std::string unparse(const Expr& expr) {
  Writer writer;
  writer.expr(expr);
  return writer.take();
}

std::string unparse(const Query& query) {
  Writer writer;
  writer.query(query);
  return writer.take();
}

std::string unparse(const TypeSpec& type) {
  Writer writer;
  writer.type(type);
  return writer.take();
}

std::string unparse(const Statement& statement) {
  Writer writer;
  writer.statement(statement);
  return writer.take();
}

std::string unparse(const QualifiedName& name) {
  Writer writer;
  writer.name(name);
  return writer.take();
}

}  // namespace thalweg::sql
