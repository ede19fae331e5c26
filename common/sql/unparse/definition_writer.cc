// The parts of DDL: columns, constraints, options, partitions.
#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {

void Writer::options(const OptionList& options) {
  text("(\n");
  list(options, ",\n",
       [this](const Option& option) { text("  " + quoteString(option.key) + " = " + quoteString(option.value)); });
  text("\n)");
}

void Writer::withOptions(const OptionList& list) {
  if (list.empty()) return;
  text("\nWITH ");
  options(list);
}

void Writer::keys(const std::vector<std::string>& keys) {
  text("(\n");
  list(keys, ",\n", [this](const std::string& key) { text("  " + quoteString(key)); });
  text("\n)");
}

void Writer::comment(const std::optional<std::string>& comment) {
  if (comment) text("\nCOMMENT " + quoteString(*comment));
}

void Writer::partition(const PartitionSpec& spec) {
  text("PARTITION (");
  list(spec, ", ", [this](const PartitionItem& item) {
    identifier(item.key);
    if (item.value == nullptr) return;
    text(" = ");
    expr(*item.value);
  });
  text(")");
}

void Writer::tableDefinition(const TableDefinition& definition) {
  const TableElements& parts = definition.elements;
  if (!parts.columns.empty() || !parts.constraints.empty() || parts.watermark) {
    text(" ");
    elements(parts);
  }
  comment(definition.comment);
  if (definition.distribution) {
    text("\nDISTRIBUTED");
    distribution(*definition.distribution);
  }
  if (!definition.partitioned_by.empty()) {
    text("\nPARTITIONED BY ");
    identifiers(definition.partitioned_by);
  }
}

void Writer::elements(const TableElements& elements) {
  std::string_view separator = "(\n  ";
  const auto begin = [&] {
    text(separator);
    separator = ",\n  ";
  };
  for (const ColumnDefinition& item : elements.columns) {
    begin();
    column(item);
  }
  for (const TableConstraint& item : elements.constraints) {
    begin();
    constraint(item);
  }
  if (elements.watermark) {
    begin();
    watermark(*elements.watermark);
  }
  text("\n)");
}

void Writer::column(const ColumnDefinition& column) {
  name(column.name);
  if (column.type) {
    text(" ");
    type(*column.type);
  }
  if (column.kind == ColumnKind::METADATA) {
    text(" METADATA");
    if (column.metadata_key) text(" FROM " + quoteString(*column.metadata_key));
    if (column.is_virtual) text(" VIRTUAL");
  }
  if (column.kind == ColumnKind::COMPUTED) {
    text(" AS ");
    expr(*column.expression);
  }
  if (column.comment) text(" COMMENT " + quoteString(*column.comment));
  if (column.place == ColumnPlace::FIRST) text(" FIRST");
  if (column.place == ColumnPlace::AFTER) {
    text(" AFTER ");
    name(*column.after);
  }
}

void Writer::constraint(const TableConstraint& constraint) {
  if (constraint.name) {
    text("CONSTRAINT ");
    identifier(*constraint.name);
    text(" ");
  }
  text(constraint.kind == ConstraintKind::PRIMARY_KEY ? "PRIMARY KEY " : "UNIQUE ");
  identifiers(constraint.columns);
  if (constraint.enforced) text(*constraint.enforced ? " ENFORCED" : " NOT ENFORCED");
}

void Writer::watermark(const WatermarkDefinition& watermark) {
  text("WATERMARK FOR ");
  name(watermark.column);
  text(" AS ");
  expr(*watermark.expression);
}

void Writer::distribution(const Distribution& distribution) {
  if (!distribution.columns.empty()) {
    text(" BY ");
    if (distribution.kind) text(*distribution.kind);
    identifiers(distribution.columns);
  }
  if (distribution.buckets) text(" INTO " + std::to_string(*distribution.buckets) + " BUCKETS");
}

void Writer::columnBlock(std::string_view word, const std::vector<ColumnDefinition>& columns) {
  if (columns.empty()) return;
  text("\n");
  text(word);
  text(" (\n  ");
  list(columns, ",\n  ", [this](const ColumnDefinition& item) { column(item); });
  text("\n)");
}

void Writer::like(const LikeClause& like) {
  static constexpr std::string_view kFeatures[] = {"ALL",      "CONSTRAINTS", "DISTRIBUTION", "GENERATED",
                                                   "METADATA", "OPTIONS",     "PARTITIONS",   "WATERMARKS"};
  static constexpr std::string_view kStrategies[] = {"INCLUDING", "EXCLUDING", "OVERWRITING"};
  text("\nLIKE ");
  name(like.source);
  if (like.options.empty()) return;
  text(" (\n");
  for (const LikeOption& option : like.options) {
    text("  ");
    text(kStrategies[static_cast<std::size_t>(option.strategy)]);
    text(" ");
    text(kFeatures[static_cast<std::size_t>(option.feature)]);
    text("\n");
  }
  text(")");
}

}  // namespace thalweg::sql
