#include "common/formats/json/json_column.h"

#include "common/formats/column_parts.h"
#include "common/formats/format_list.h"

namespace thalweg::format {
namespace {

using Paths = JsonColumn::Paths;

std::string_view textFrom(const JsonContext& context, const char* begin) {
  return {begin, static_cast<size_t>(context.cursor.position() - begin)};
}

/// What to do with a value that was consumed and is not of the column's type.
JsonOutcome refuse(JsonColumn& column, JsonContext& context, const DataType& type, size_t row, std::string_view found) {
  if (context.settings.ignore_errors) {
    column.setNull(row);
    return JsonOutcome::OK;
  }
  context.problem = "expected " + type.asNullable().toString() + ", found " + quoted(found);
  return JsonOutcome::BAD_FIELD;
}

/// Consumes a value that is not of the column's type; null is NULL.
JsonOutcome refuseNext(JsonColumn& column, JsonContext& context, const DataType& type, size_t row) {
  context.cursor.peek();
  const char* begin = context.cursor.position();
  if (!context.cursor.skipValue()) return JsonOutcome::BAD_SYNTAX;
  const std::string_view found = textFrom(context, begin);
  if (found != "null") return refuse(column, context, type, row, found);
  column.setNull(row);
  return JsonOutcome::OK;
}

class ScalarJsonColumn final : public JsonColumn {
 public:
  ScalarJsonColumn(DataType type, std::unique_ptr<CellColumn> cells) : type_(std::move(type)), cells_(std::move(cells)) {}

  void reserve(size_t rows) override { cells_->reserve(rows); }
  void useBuffer(const BufferPtr& buffer) override { cells_->useBuffer(buffer); }
  void setNull(size_t row) override { cells_->setNull(row); }
  VectorPtr finish(size_t rows) override { return cells_->finish(rows); }
  CellColumn* cells() override { return cells_.get(); }

  JsonOutcome read(JsonContext& context, size_t row) override {
    JsonCursor& cursor = context.cursor;
    Cell cell;
    const bool is_text = cursor.peek() == '"';
    switch (cursor.peek()) {
      case '"':
        if (!cursor.readString(cell.text, cell.shared)) return JsonOutcome::BAD_SYNTAX;
        break;
      case '-': case '0': case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
        if (!cursor.readNumber(cell.text)) return JsonOutcome::BAD_SYNTAX;
        cell.shared = cell.number = true;
        break;
      case '{': case '[': return readNested(context, row);
      default:
        if (!cursor.readWord(cell.text)) return JsonOutcome::BAD_SYNTAX;
        cell.shared = true;
        if (cell.text[0] == 'n') {
          cells_->setNull(row);
          return JsonOutcome::OK;
        }
    }
    const bool fits = is_text || !type_.isBinary();   // bytes are text in base 64
    if (fits && cells_->set(row, cell)) return JsonOutcome::OK;
    return refuse(*this, context, type_, row, cell.text);
  }

 private:
  /// Text takes any value as its JSON; a BOOLEAN is false for all that is not `true`, as in Flink.
  JsonOutcome readNested(JsonContext& context, size_t row) {
    if (!type_.isString() && type_.kind() != TypeKind::BOOLEAN) return refuseNext(*this, context, type_, row);
    compact_.clear();
    if (!context.cursor.compactValue(compact_)) return JsonOutcome::BAD_SYNTAX;
    cells_->set(row, {.text = compact_});
    return JsonOutcome::OK;
  }

  DataType type_;
  std::unique_ptr<CellColumn> cells_;
  std::string compact_;
};

class ListJsonColumn final : public JsonColumn {
 public:
  ListJsonColumn(DataType type, std::unique_ptr<JsonColumn> child) : type_(std::move(type)), child_(std::move(child)) {}

  void reserve(size_t rows) override { ends_.reserve(rows); }
  void useBuffer(const BufferPtr& buffer) override { child_->useBuffer(buffer); }
  void setNull(size_t row) override {
    ends_.setEnd(row, ends_.begin(row));
    nulls_.setNull(row);
  }
  VectorPtr finish(size_t rows) override {
    ends_.reserve(rows);
    VectorPtr child = child_->finish(ends_.end(rows));
    BufferPtr validity = nulls_.finish(rows);
    return Vector::flat({.type = type_, .size = rows, .validity = std::move(validity), .data = ends_.finish(rows), .children = {child}});
  }

  JsonOutcome read(JsonContext& context, size_t row) override {
    JsonCursor& cursor = context.cursor;
    if (!cursor.take('[')) return refuseNext(*this, context, type_, row);
    size_t at = ends_.begin(row);
    if (!cursor.take(']')) {
      do {
        child_->reserve(at + 1);
        if (const JsonOutcome outcome = child_->read(context, at++); outcome != JsonOutcome::OK) return outcome;
      } while (cursor.take(','));
      if (!cursor.take(']')) return cursor.fail("',' or ']'"), JsonOutcome::BAD_SYNTAX;
    }
    ends_.setEnd(row, at);
    nulls_.setValid(row);
    return JsonOutcome::OK;
  }

 private:
  DataType type_;
  std::unique_ptr<JsonColumn> child_;
  ListEnds ends_;
  NullMarks nulls_;
};

/// MAP and MULTISET with text keys. Of equal keys the last value counts, at the place of the first.
class MapJsonColumn final : public JsonColumn {
 public:
  MapJsonColumn(DataType type, std::unique_ptr<CellColumn> keys, std::unique_ptr<JsonColumn> values)
      : type_(std::move(type)), keys_(std::move(keys)), values_(std::move(values)) {}

  void reserve(size_t rows) override {
    ends_.reserve(rows);
    kept_ends_.reserve(rows);
  }
  void useBuffer(const BufferPtr& buffer) override {
    keys_->useBuffer(buffer);
    values_->useBuffer(buffer);
  }
  void setNull(size_t row) override {
    ends_.setEnd(row, ends_.begin(row));
    kept_ends_.setEnd(row, kept_ends_.begin(row));
    nulls_.setNull(row);
  }

  JsonOutcome read(JsonContext& context, size_t row) override {
    JsonCursor& cursor = context.cursor;
    if (!cursor.take('{')) return refuseNext(*this, context, type_, row);
    size_t at = ends_.begin(row);
    kept_.resize(kept_ends_.begin(row));
    place_of_.clear();
    if (!cursor.take('}')) {
      do {
        if (const JsonOutcome outcome = readEntry(context, at++); outcome != JsonOutcome::OK) return outcome;
      } while (cursor.take(','));
      if (!cursor.take('}')) return cursor.fail("',' or '}'"), JsonOutcome::BAD_SYNTAX;
    }
    ends_.setEnd(row, at);
    kept_ends_.setEnd(row, kept_.size());
    nulls_.setValid(row);
    return JsonOutcome::OK;
  }

  VectorPtr finish(size_t rows) override {
    reserve(rows);
    const size_t entries = ends_.end(rows);
    VectorPtr keys = keys_->finish(entries);
    VectorPtr values = values_->finish(entries);
    kept_.resize(kept_ends_.end(rows));
    if (kept_.size() < entries) {
      keys = gather(*keys, kept_);
      values = gather(*values, kept_);
    }
    kept_.clear();
    ends_.finish(rows);
    BufferPtr validity = nulls_.finish(rows);
    return Vector::flat({.type = type_, .size = rows, .validity = std::move(validity), .data = kept_ends_.finish(rows), .children = {keys, values}});
  }

 private:
  JsonOutcome readEntry(JsonContext& context, size_t at) {
    JsonCursor& cursor = context.cursor;
    if (cursor.peek() != '"') return cursor.fail("a key"), JsonOutcome::BAD_SYNTAX;
    Cell key;
    if (!cursor.readString(key.text, key.shared)) return JsonOutcome::BAD_SYNTAX;
    const auto [place, is_new] = place_of_.try_emplace(std::string(key.text), kept_.size());
    if (is_new) kept_.push_back(static_cast<RowIndex>(at));
    else kept_[place->second] = static_cast<RowIndex>(at);
    keys_->reserve(at + 1);
    values_->reserve(at + 1);
    keys_->set(at, key);
    if (!cursor.expect(':')) return JsonOutcome::BAD_SYNTAX;
    return values_->read(context, at);
  }

  DataType type_;
  std::unique_ptr<CellColumn> keys_;
  std::unique_ptr<JsonColumn> values_;
  ListEnds ends_;        // of all entries read
  ListEnds kept_ends_;   // of those that count
  std::vector<RowIndex> kept_;
  std::unordered_map<std::string, size_t> place_of_;
  NullMarks nulls_;
};

class RowJsonColumn final : public JsonColumn {
 public:
  RowJsonColumn(DataType type, JsonFields fields) : type_(std::move(type)), fields_(std::move(fields)) {}

  void reserve(size_t rows) override { fields_.reserve(rows); }
  void useBuffer(const BufferPtr& buffer) override { fields_.useBuffer(buffer); }
  void setNull(size_t row) override {
    fields_.setNull(row);
    nulls_.setNull(row);
  }
  VectorPtr finish(size_t rows) override {
    return Vector::flat({.type = type_, .size = rows, .validity = nulls_.finish(rows), .children = fields_.finish(rows)});
  }
  JsonOutcome read(JsonContext& context, size_t row) override {
    if (context.cursor.peek() != '{') return refuseNext(*this, context, type_, row);
    const JsonOutcome outcome = fields_.read(context, row);
    nulls_.setValid(row);
    return outcome;
  }

 private:
  DataType type_;
  JsonFields fields_;
  NullMarks nulls_;
};

/// The paths that begin with `field`, without it; `wanted` says whether there are any.
Paths pathsBelow(const Paths& paths, int field, bool& wanted) {
  Paths below;
  bool whole = false;
  wanted = paths.empty();
  for (const auto& path : paths) {
    if (path.empty()) whole = wanted = true;
    if (path.empty() || path[0] != field) continue;
    wanted = true;
    if (path.size() == 1) whole = true;
    below.emplace_back(path.begin() + 1, path.end());
  }
  return whole ? Paths() : below;
}

Result<std::unique_ptr<JsonColumn>> makeRow(const DataType& type, const JsonSettings& settings, const Paths& paths) {
  JsonFields fields;
  for (size_t i = 0; i < type.childCount(); ++i) {
    bool wanted = false;
    const Paths below = pathsBelow(paths, static_cast<int>(i), wanted);
    std::unique_ptr<JsonColumn> child;
    if (wanted) {
      ASSIGN_OR_RETURN(child, JsonColumn::make(type.child(i), settings, below));
    }
    fields.add(type.fieldName(i), type.child(i), std::move(child));
  }
  return std::unique_ptr<JsonColumn>(std::make_unique<RowJsonColumn>(type, std::move(fields)));
}

Result<std::unique_ptr<JsonColumn>> makeMap(const DataType& type, const JsonSettings& settings) {
  const std::vector<DataType> children = childTypes(type);
  if (!children[0].isString()) {
    return Status::notSupported("json maps with keys of type " + children[0].toString() + "; keys must be text");
  }
  ASSIGN_OR_RETURN(auto keys, CellColumn::make(children[0], settings.rules));
  ASSIGN_OR_RETURN(auto values, JsonColumn::make(children[1], settings, {}));
  return std::unique_ptr<JsonColumn>(std::make_unique<MapJsonColumn>(type, std::move(keys), std::move(values)));
}

}  // namespace

Result<std::unique_ptr<JsonColumn>> JsonColumn::make(const DataType& type, const JsonSettings& settings, const Paths& used_paths) {
  switch (type.kind()) {
    case TypeKind::ROW: return makeRow(type, settings, used_paths);
    case TypeKind::MAP: case TypeKind::MULTISET: return makeMap(type, settings);
    case TypeKind::ARRAY: {
      ASSIGN_OR_RETURN(auto child, make(type.child(0), settings, {}));
      return std::unique_ptr<JsonColumn>(std::make_unique<ListJsonColumn>(type, std::move(child)));
    }
    default: {
      ASSIGN_OR_RETURN(auto cells, CellColumn::make(type, settings.rules));
      return std::unique_ptr<JsonColumn>(std::make_unique<ScalarJsonColumn>(type, std::move(cells)));
    }
  }
}

}  // namespace thalweg::format
