// ALTER TABLE: each action changes a copy of the definition, which is then checked as at CREATE.
#include <algorithm>

#include "common/base/edit_distance.h"
#include "common/plan/catalog/table_declaration.h"
#include "common/plan/expressions/ast_walk.h"
#include "common/plan/expressions/literal_binder.h"
#include "common/plan/statements/statement_binder.h"

namespace thalweg {
namespace {

namespace alter = sql::alter;

/// Whether an expression names the column.
bool mentions(const sql::Expr& expr, const std::string& column) {
  return anyPart(expr, [&](const sql::Expr& part) {
    const auto* ref = sql::tryAs<sql::ColumnRef>(part);
    return ref && ref->name.parts[0].text == column;
  });
}

class TableChange {
 public:
  TableChange(TableDefinition definition, SourcePosition position) : d_(std::move(definition)), position_(position) {}

  Status operator()(const alter::SetOptions& set) {
    for (const sql::Option& option : set.options) d_.options[option.key] = option.value;
    return Status::ok();
  }
  Status operator()(const alter::ResetOptions& reset) {
    if (reset.keys.empty()) return refuse("RESET needs the keys to reset");
    for (const std::string& key : reset.keys) {
      if (key == "connector") return refuse("the option 'connector' cannot be reset; SET another value");
      d_.options.erase(key);
    }
    return Status::ok();
  }
  Status operator()(const alter::SetComment& comment) {
    d_.comment = comment.comment;
    return Status::ok();
  }

  Status operator()(const alter::AddElements& add) {
    for (const sql::ColumnDefinition& column : add.elements.columns) {
      if (find(column.name.last()) >= 0) return refuse("there is a column '" + column.name.last() + "' already", column.position);
      ASSIGN_OR_RETURN(TableColumn declared, declareColumn(column));
      RETURN_IF_ERROR(place(std::move(declared), column));
    }
    ASSIGN_OR_RETURN(auto key, declaredKey(add.elements));
    if (key) {
      if (!d_.primary_key.empty()) return refuse("the table has a PRIMARY KEY already; use MODIFY", key->position);
      RETURN_IF_ERROR(setKey(*key));
    }
    if (add.elements.watermark) {
      if (d_.watermark) return refuse("the table has a WATERMARK already; use MODIFY", add.elements.watermark->position);
      setWatermark(*add.elements.watermark);
    }
    return Status::ok();
  }

  Status operator()(const alter::ModifyElements& modify) {
    for (const sql::ColumnDefinition& column : modify.elements.columns) {
      if (!column.name.isSimple()) return Status::notSupported("MODIFY of fields of rows is not built", column.position);
      int index = find(column.name.last());
      if (index < 0) return unknown(column.name.last(), column.position);
      ASSIGN_OR_RETURN(TableColumn declared, declareColumn(column));
      bool in_key = std::find(d_.primary_key.begin(), d_.primary_key.end(), declared.name) != d_.primary_key.end();
      if (in_key) declared.type = declared.type.notNull();
      if (declared.comment.empty()) declared.comment = d_.columns[static_cast<size_t>(index)].comment;
      if (column.place == sql::ColumnPlace::UNSPECIFIED) {
        d_.columns[static_cast<size_t>(index)] = std::move(declared);
        continue;
      }
      d_.columns.erase(d_.columns.begin() + index);
      RETURN_IF_ERROR(place(std::move(declared), column));
    }
    ASSIGN_OR_RETURN(auto key, declaredKey(modify.elements));
    if (key) {
      if (d_.primary_key.empty()) return refuse("the table has no PRIMARY KEY to modify; use ADD", key->position);
      RETURN_IF_ERROR(setKey(*key));
    }
    if (modify.elements.watermark) {
      if (!d_.watermark) return refuse("the table has no WATERMARK to modify; use ADD", modify.elements.watermark->position);
      setWatermark(*modify.elements.watermark);
    }
    return Status::ok();
  }

  Status operator()(const alter::DropColumns& drop) {
    std::vector<std::string> names;
    for (const sql::QualifiedName& name : drop.columns) {
      if (!name.isSimple()) return Status::notSupported("DROP of fields of rows is not built", name.position);
      if (find(name.last()) < 0) return unknown(name.last(), name.position);
      if (std::find(names.begin(), names.end(), name.last()) != names.end()) {
        return refuse("column '" + name.last() + "' is named twice", name.position);
      }
      names.push_back(name.last());
    }
    for (const std::string& name : names) {
      if (std::find(d_.primary_key.begin(), d_.primary_key.end(), name) != d_.primary_key.end()) {
        return refuse("column '" + name + "' belongs to the PRIMARY KEY; drop that first");
      }
      RETURN_IF_ERROR(checkUnused(name, names));
    }
    std::erase_if(d_.columns, [&](const TableColumn& c) { return std::find(names.begin(), names.end(), c.name) != names.end(); });
    return Status::ok();
  }

  Status operator()(const alter::RenameColumn& rename) {
    if (!rename.from.isSimple()) return Status::notSupported("RENAME of fields of rows is not built", rename.from.position);
    const std::string& from = rename.from.last();
    const std::string& to = rename.to.last();
    int index = find(from);
    if (index < 0) return unknown(from, rename.from.position);
    if (find(to) >= 0) return refuse("there is a column '" + to + "' already", rename.to.position);
    RETURN_IF_ERROR(checkUnused(from, {}));
    TableColumn& column = d_.columns[static_cast<size_t>(index)];
    column.name = to;
    std::replace(d_.primary_key.begin(), d_.primary_key.end(), from, to);
    return Status::ok();
  }

  Status operator()(const alter::DropPrimaryKey&) {
    if (d_.primary_key.empty()) return refuse("the table has no PRIMARY KEY");
    d_.primary_key.clear();
    d_.primary_key_name.clear();
    return Status::ok();
  }
  Status operator()(const alter::DropConstraint& drop) {
    if (d_.primary_key.empty() || d_.primary_key_name != drop.name.text) {
      return refuse("the table has no constraint '" + drop.name.text + "'", drop.name.position);
    }
    return (*this)(alter::DropPrimaryKey{});
  }
  Status operator()(const alter::DropWatermark&) {
    if (!d_.watermark) return refuse("the table has no WATERMARK");
    d_.watermark.reset();
    return Status::ok();
  }

  Status operator()(const alter::AddDistribution& add) {
    if (!d_.distribution.empty()) return refuse("the table is DISTRIBUTED already; use MODIFY");
    ASSIGN_OR_RETURN(d_.distribution, distributionText(add.distribution, d_));
    return Status::ok();
  }
  Status operator()(const alter::ModifyDistribution& modify) {
    if (d_.distribution.empty()) return refuse("the table is not DISTRIBUTED; use ADD");
    ASSIGN_OR_RETURN(d_.distribution, distributionText(modify.distribution, d_));
    return Status::ok();
  }
  Status operator()(const alter::DropDistribution&) {
    if (d_.distribution.empty()) return refuse("the table is not DISTRIBUTED");
    d_.distribution.clear();
    return Status::ok();
  }

  Status operator()(const alter::AddPartitions& add) {
    for (const alter::NewPartition& partition : add.partitions) {
      ASSIGN_OR_RETURN(auto values, partitionValues(partition.partition));
      if (std::find(d_.partitions.begin(), d_.partitions.end(), values) == d_.partitions.end()) d_.partitions.push_back(values);
      else if (!add.if_not_exists) return refuse("the partition is there already");
    }
    return Status::ok();
  }
  Status operator()(const alter::DropPartitions& drop) {
    for (const sql::PartitionSpec& partition : drop.partitions) {
      ASSIGN_OR_RETURN(auto values, partitionValues(partition));
      bool dropped = std::erase(d_.partitions, values) > 0;
      if (!dropped && !drop.if_exists) return refuse("there is no such partition");
    }
    return Status::ok();
  }

  template <typename Other>
  Status operator()(const Other&) {
    return Status::notSupported("this ALTER TABLE is not built", position_);
  }

  TableDefinition take() { return std::move(d_); }

 private:
  Status refuse(std::string why, SourcePosition at = {}) const { return Status::plan(std::move(why), at.known() ? at : position_); }

  Status unknown(const std::string& name, SourcePosition at) const {
    std::vector<std::string> names;
    for (const TableColumn& column : d_.columns) names.push_back(column.name);
    return refuse("the table has no column '" + name + "'" + didYouMean(name, std::span<const std::string>(names)), at);
  }

  int find(const std::string& name) const {
    for (size_t i = 0; i < d_.columns.size(); ++i) {
      if (d_.columns[i].name == name) return static_cast<int>(i);
    }
    return -1;
  }

  Status place(TableColumn column, const sql::ColumnDefinition& declared) {
    if (declared.place == sql::ColumnPlace::FIRST) {
      d_.columns.insert(d_.columns.begin(), std::move(column));
    } else if (declared.place == sql::ColumnPlace::AFTER) {
      int after = find(declared.after->last());
      if (after < 0) return unknown(declared.after->last(), declared.after->position);
      d_.columns.insert(d_.columns.begin() + after + 1, std::move(column));
    } else {
      d_.columns.push_back(std::move(column));
    }
    return Status::ok();
  }

  Status setKey(const sql::TableConstraint& key) {
    d_.primary_key.clear();
    d_.primary_key_name = key.name ? key.name->text : "PK";
    for (const sql::Identifier& name : key.columns) {
      int index = find(name.text);
      if (index < 0) return unknown(name.text, name.position);
      TableColumn& column = d_.columns[static_cast<size_t>(index)];
      if (column.kind != TableColumn::Kind::PHYSICAL) {
        return refuse("PRIMARY KEY can only name physical columns, but '" + name.text + "' is none", name.position);
      }
      column.type = column.type.notNull();
      d_.primary_key.push_back(name.text);
      if (!key.name) d_.primary_key_name += "_" + name.text;
    }
    return Status::ok();
  }

  void setWatermark(const sql::WatermarkDefinition& watermark) {
    d_.watermark = TableDefinition::Watermark{watermark.column.toString(), watermark.expression};
  }

  /// Nothing but columns in `going` may depend on the column.
  Status checkUnused(const std::string& name, const std::vector<std::string>& going) const {
    if (d_.watermark && (d_.watermark->column == name || mentions(*d_.watermark->expression, name))) {
      return refuse("column '" + name + "' is used by the WATERMARK; drop that first");
    }
    if (std::find(d_.partition_keys.begin(), d_.partition_keys.end(), name) != d_.partition_keys.end()) {
      return refuse("column '" + name + "' is a partition column");
    }
    for (const TableColumn& column : d_.columns) {
      bool goes = std::find(going.begin(), going.end(), column.name) != going.end();
      if (!goes && column.kind == TableColumn::Kind::COMPUTED && mentions(*column.expression, name)) {
        return refuse("column '" + name + "' is used by the computed column '" + column.name + "'");
      }
    }
    return Status::ok();
  }

  Result<std::map<std::string, std::string>> partitionValues(const sql::PartitionSpec& partition) const {
    std::map<std::string, std::string> values;
    for (const sql::PartitionItem& item : partition) {
      const auto* literal = item.value ? sql::tryAs<sql::Literal>(*item.value) : nullptr;
      if (!literal) return refuse("PARTITION needs a constant for '" + item.key.text + "'", item.key.position);
      values[item.key.text] = literal->text;
    }
    bool complete = values.size() == d_.partition_keys.size() &&
                    std::all_of(d_.partition_keys.begin(), d_.partition_keys.end(),
                                [&](const std::string& key) { return values.contains(key); });
    if (!complete) return refuse("PARTITION must name exactly the table's partition columns");
    return values;
  }

  TableDefinition d_;
  SourcePosition position_;
};

}  // namespace

Result<TableDefinition> alterDefinition(const BindEnvironment& environment, const ObjectPath& path,
                                        TableDefinition definition, const sql::AlterStatement& alter_statement) {
  TableChange change(std::move(definition), alter_statement.position);
  RETURN_IF_ERROR(std::visit(change, alter_statement.action));
  TableDefinition changed = change.take();
  RETURN_IF_ERROR(checkDefinition(environment, path, changed, alter_statement.position));
  return changed;
}

}  // namespace thalweg
