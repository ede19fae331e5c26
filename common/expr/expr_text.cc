// The text of bound expressions, for EXPLAIN, error contexts and digests of operators. Equal trees have equal text.
#include <algorithm>
#include <cctype>

#include "common/expr/bound_expr.h"
#include "common/types/value_text.h"

namespace thalweg {

namespace {

class TextWriter {
 public:
  explicit TextWriter(const Schema* input) : input_(input) {}

  void write(const BoundExpr& expr) {
    switch (expr.kind) {
      case BoundKind::LITERAL: return writeLiteral(expr);
      case BoundKind::COLUMN: return writeColumn(expr.index);
      case BoundKind::FIELD:
        write(*expr.args[0]);
        text_ += "." + expr.args[0]->type.fieldName(static_cast<size_t>(expr.index));
        return;
      case BoundKind::CALL: return writeCall(expr);
      case BoundKind::CAST: return writeCast("CAST(", expr);
      case BoundKind::TRY_CAST: return writeCast("TRY_CAST(", expr);
      case BoundKind::CASE: return writeList("CASE(", ", ", expr);
      case BoundKind::AND: return writeList("(", " AND ", expr);
      case BoundKind::OR: return writeList("(", " OR ", expr);
    }
  }

  std::string take() { return std::move(text_); }

 private:
  void writeList(std::string_view open, std::string_view separator, const BoundExpr& expr) {
    text_ += open;
    for (size_t i = 0; i < expr.args.size(); ++i) {
      if (i > 0) text_ += separator;
      write(*expr.args[i]);
    }
    text_ += ")";
  }

  void writeColumn(int index) {
    if (input_ != nullptr && static_cast<size_t>(index) < input_->size())
      text_ += input_->column(static_cast<size_t>(index)).name;
    else
      text_ += "$" + std::to_string(index);
  }

  void writeCast(std::string_view open, const BoundExpr& expr) {
    text_ += open;
    write(*expr.args[0]);
    text_ += " AS " + expr.type.asNullable().toString() + ")";
  }

  void writeCall(const BoundExpr& expr) {
    const std::string& name = expr.function->name;
    const bool is_symbolic = std::ranges::none_of(name, [](unsigned char c) { return std::isalnum(c); });
    const bool is_predicate = name.starts_with("IS ");
    if (expr.args.size() == 2 && (is_symbolic || is_predicate)) return writeList("(", " " + name + " ", expr);
    if (name == "NEGATE") {
      text_ += "-";
      write(*expr.args[0]);
    } else if (expr.args.size() == 1 && is_predicate) {
      text_ += "(";
      write(*expr.args[0]);
      text_ += " " + name + ")";
    } else {
      writeList(name + "(", ", ", expr);
    }
  }

  void writeLiteral(const BoundExpr& expr) {
    if (expr.value.isNull()) {
      text_ += "NULL";
    } else if (expr.type.kind() == TypeKind::SYMBOL) {
      text_ += expr.value.asString();
    } else if (expr.type.isString()) {
      writeQuoted(expr.value.asString());
    } else if (expr.type.isNumeric() || expr.type.kind() == TypeKind::BOOLEAN || expr.type.isNested()) {
      appendCastForm(text_, expr.value, expr.type, TimeZone());
    } else if (expr.type.isBinary()) {
      text_ += "x";
      writeQuoted(hexText(expr.value.asString()));
    } else {
      text_ += std::string(typeKindName(expr.type.kind())) + " ";
      writeQuoted(castForm(expr.value, expr.type, TimeZone()));
    }
  }

  static std::string hexText(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      hex += kDigits[byte >> 4];
      hex += kDigits[byte & 15];
    }
    return hex;
  }

  void writeQuoted(std::string_view content) {
    text_ += '\'';
    for (const char c : content) {
      text_ += c;
      if (c == '\'') text_ += c;
    }
    text_ += '\'';
  }

  const Schema* input_;
  std::string text_;
};

}  // namespace

std::string exprText(const BoundExpr& expr, const Schema* input) {
  TextWriter writer(input);
  writer.write(expr);
  return writer.take();
}

}  // namespace thalweg
