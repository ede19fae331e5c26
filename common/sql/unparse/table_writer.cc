// What stands in FROM.
#include <utility>

#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {

void Writer::table(const TableRef& node) {
  switch (node.kind) {
    case TableRefKind::NAMED: namedTable(as<NamedTable>(node)); break;
    case TableRefKind::DERIVED: derived(as<DerivedTable>(node)); break;
    case TableRefKind::JOIN: return join(as<Join>(node));
    case TableRefKind::FUNCTION: tableFunction(as<TableFunctionCall>(node)); break;
    case TableRefKind::UNNEST: unnest(as<Unnest>(node)); break;
    case TableRefKind::MATCH_RECOGNIZE: match(as<MatchRecognize>(node)); break;
  }
  aliases(node);
  if (node.sample) sample(*node.sample);
}

void Writer::aliases(const TableRef& node) {
  if (!node.alias) return;
  text(" AS ");
  identifier(*node.alias);
  if (node.column_aliases.empty()) return;
  text(" ");
  identifiers(node.column_aliases);
}

void Writer::namedTable(const NamedTable& node) {
  name(node.name);
  if (!node.hints.empty()) {
    text("\n");
    hints(node.hints);
  }
  if (node.system_time != nullptr) {
    text(" FOR SYSTEM_TIME AS OF ");
    expr(*node.system_time);
  }
}

void Writer::derived(const DerivedTable& node) {
  if (node.lateral) text("LATERAL ");
  subquery(*node.query);
}

void Writer::tableFunction(const TableFunctionCall& node) {
  text(node.lateral ? "LATERAL TABLE(" : "TABLE(");
  expr(*node.call);
  text(")");
  if (node.hints.empty()) return;
  text("\n");
  hints(node.hints);
}

void Writer::unnest(const Unnest& node) {
  text("UNNEST(");
  exprs(node.arguments);
  text(")");
  if (node.with_ordinality) text(" WITH ORDINALITY");
}

void Writer::sample(const TableSample& sample) {
  text(" TABLESAMPLE ");
  if (!sample.substitute.empty()) return text("SUBSTITUTE(" + quoteString(sample.substitute) + ")");
  text(sample.bernoulli ? "BERNOULLI(" : "SYSTEM(");
  text(sample.percentage + ")");
  if (sample.repeatable) text(" REPEATABLE(" + *sample.repeatable + ")");
}

void Writer::join(const Join& node) {
  const auto side = [this](const TableRef& ref, bool parentheses) {
    if (!parentheses) return table(ref);
    const bool outer = std::exchange(joins_on_one_line_, true);
    text("(");
    table(ref);
    text(")");
    joins_on_one_line_ = outer;
  };
  const auto isComma = [](const TableRef& ref) {
    return ref.kind == TableRefKind::JOIN && as<Join>(ref).type == JoinType::COMMA;
  };
  const bool comma = node.type == JoinType::COMMA;
  side(*node.left, !comma && isComma(*node.left));
  if (comma) {
    text(",\n");
    return side(*node.right, isComma(*node.right));
  }
  text(joins_on_one_line_ ? " " : "\n");
  if (node.natural) text("NATURAL ");
  switch (node.type) {
    case JoinType::INNER: text("INNER JOIN "); break;
    case JoinType::LEFT: text("LEFT JOIN "); break;
    case JoinType::RIGHT: text("RIGHT JOIN "); break;
    case JoinType::FULL: text("FULL JOIN "); break;
    case JoinType::CROSS: text("CROSS JOIN "); break;
    case JoinType::COMMA: break;
  }
  side(*node.right, node.right->kind == TableRefKind::JOIN);
  if (node.on != nullptr) {
    text(" ON ");
    expr(*node.on);
  }
  if (!node.using_columns.empty()) {
    text(" USING ");
    identifiers(node.using_columns);
  }
}

// --- MATCH_RECOGNIZE ---------------------------------------------------------------------------------

void Writer::match(const MatchRecognize& node) {
  table(*node.input);
  text(" MATCH_RECOGNIZE(");
  matchClauses(node);
  text("\nPATTERN (");
  if (node.starts_at_first) text("^ ");
  pattern(node.pattern, false);
  if (node.ends_at_last) text(" $");
  text(")");
  if (node.within != nullptr) {
    text(" WITHIN ");
    expr(*node.within);
  }
  if (!node.subsets.empty()) {
    text("\nSUBSET ");
    list(node.subsets, ", ", [this](const PatternSubset& subset) {
      identifier(subset.name);
      text(" = ");
      identifiers(subset.variables);
    });
  }
  text("\nDEFINE ");
  list(node.definitions, ", ", [this](const PatternDefinition& definition) {
    identifier(definition.variable);
    text(" AS ");
    expr(*definition.condition);
  });
  text(")");
}

void Writer::matchClauses(const MatchRecognize& node) {
  if (!node.partition_by.empty()) {
    text("\nPARTITION BY ");
    exprs(node.partition_by);
  }
  if (!node.order_by.empty()) {
    text("\nORDER BY ");
    orderItems(node.order_by);
  }
  if (!node.measures.empty()) {
    text("\nMEASURES ");
    selectItems(node.measures, ", ");
  }
  if (node.rows_per_match == RowsPerMatch::ONE_ROW) text("\nONE ROW PER MATCH");
  if (node.rows_per_match == RowsPerMatch::ALL_ROWS) text("\nALL ROWS PER MATCH");
  switch (node.after_match) {
    case AfterMatch::UNSPECIFIED: return;
    case AfterMatch::PAST_LAST_ROW: return text("\nAFTER MATCH SKIP PAST LAST ROW");
    case AfterMatch::TO_NEXT_ROW: return text("\nAFTER MATCH SKIP TO NEXT ROW");
    case AfterMatch::TO_FIRST: text("\nAFTER MATCH SKIP TO FIRST "); break;
    case AfterMatch::TO_LAST: text("\nAFTER MATCH SKIP TO LAST "); break;
  }
  identifier(*node.after_match_variable);
}

/// `inside`: within a sequence or below a quantifier, where alternatives need parentheses.
void Writer::pattern(const Pattern& node, bool inside) {
  const auto items = [&](std::string_view separator, bool nested) {
    list(node.items, separator, [&](const Pattern& item) { pattern(item, nested); });
  };
  switch (node.kind) {
    case PatternKind::VARIABLE: return identifier(node.name);
    case PatternKind::CONCAT: return items(" ", true);
    case PatternKind::ALTERNATE:
      if (inside) text("(");
      items(" | ", false);
      return text(inside ? ")" : "");
    case PatternKind::GROUP:
      text("(");
      items("", false);
      return text(")");
    case PatternKind::PERMUTE:
      text("PERMUTE (");
      items(", ", false);
      return text(")");
    case PatternKind::EXCLUDE:
      text("{- ");
      items("", false);
      return text(" -}");
    case PatternKind::QUANTIFIED: break;
  }
  items("", true);
  const std::string min = std::to_string(node.min);
  if (!node.max && node.min <= 1) {
    text(node.min == 0 ? " *" : " +");
  } else if (node.min == 0 && node.max == 1) {
    text(" ?");
  } else if (node.max == node.min) {
    text(" { " + min + " }");
  } else if (!node.max) {
    text(" { " + min + ", }");
  } else {
    text(" { " + min + ", " + std::to_string(*node.max) + " }");
  }
  if (node.reluctant) text(" ?");
}

}  // namespace thalweg::sql
