// Objects: names are met in the order of the columns most of the time, so the next column's name is tried first.
#include "common/formats/json/json_column.h"

namespace thalweg::format {

void JsonFields::add(std::string name, DataType type, std::unique_ptr<JsonColumn> column) {
  by_name_.emplace(name, fields_.size());
  wanted_count_ += column != nullptr;
  fields_.push_back({std::move(name), std::move(type), std::move(column)});
  seen_.push_back(0);
}

void JsonFields::reserve(size_t rows) {
  for (Field& field : fields_) {
    if (field.column) field.column->reserve(rows);
  }
}

void JsonFields::useBuffer(const BufferPtr& buffer) {
  for (Field& field : fields_) {
    if (field.column) field.column->useBuffer(buffer);
  }
}

void JsonFields::setNull(size_t row) {
  for (Field& field : fields_) {
    if (field.column) field.column->setNull(row);
  }
}

std::vector<VectorPtr> JsonFields::finish(size_t rows) {
  std::vector<VectorPtr> vectors;
  for (Field& field : fields_) vectors.push_back(field.column ? field.column->finish(rows) : nullptr);
  return vectors;
}

size_t JsonFields::find(std::string_view name) const {
  const auto found = by_name_.find(std::string(name));
  return found == by_name_.end() ? fields_.size() : found->second;
}

JsonOutcome JsonFields::read(JsonContext& context, size_t row) {
  std::fill(seen_.begin(), seen_.end(), uint8_t{0});
  seen_count_ = 0;
  const size_t fields_max = context.settings.stops_when_full ? wanted_count_ : ~size_t{0};
  if (const JsonOutcome outcome = readFields(context, row, fields_max); outcome != JsonOutcome::OK) return outcome;
  if (seen_count_ == wanted_count_) return JsonOutcome::OK;
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (seen_[i] != 0 || !fields_[i].column) continue;
    if (context.settings.fail_on_missing) {
      context.problem = "field '" + fields_[i].name + "' is missing";
      return JsonOutcome::BAD_FIELD;
    }
    fields_[i].column->setNull(row);
  }
  return JsonOutcome::OK;
}

JsonOutcome JsonFields::readFields(JsonContext& context, size_t row, size_t fields_max) {
  JsonCursor& cursor = context.cursor;
  if (!cursor.expect('{')) return JsonOutcome::BAD_SYNTAX;
  if (cursor.take('}')) return JsonOutcome::OK;
  size_t expected = 0;
  size_t met = 0;
  do {
    size_t field = kNone;
    if (!readName(context, expected, field) || !cursor.expect(':')) return JsonOutcome::BAD_SYNTAX;
    if (field != kNone) expected = field + 1;
    if (field == kNone || !fields_[field].column || met >= fields_max) {
      if (!cursor.skipValue()) return JsonOutcome::BAD_SYNTAX;
      continue;
    }
    ++met;
    if (const JsonOutcome outcome = readField(context, fields_[field], row); outcome != JsonOutcome::OK) return outcome;
    seen_count_ += seen_[field] == 0;
    seen_[field] = 1;
  } while (cursor.take(','));
  return cursor.take('}') ? JsonOutcome::OK : (cursor.fail("',' or '}'"), JsonOutcome::BAD_SYNTAX);
}

bool JsonFields::readName(JsonContext& context, size_t expected, size_t& field) {
  if (context.cursor.peek() != '"') return context.cursor.fail("a field name");
  if (expected < fields_.size() && context.cursor.takeName(fields_[expected].name)) {
    field = expected;
    return true;
  }
  std::string_view name;
  bool shared = false;
  if (!context.cursor.readString(name, shared)) return false;
  const auto found = by_name_.find(std::string(name));
  field = found == by_name_.end() ? kNone : found->second;
  return true;
}

JsonOutcome JsonFields::readField(JsonContext& context, Field& field, size_t row) {
  const JsonOutcome outcome = field.column->read(context, row);
  if (outcome == JsonOutcome::BAD_FIELD) context.problem = "field '" + field.name + "': " + context.problem;
  return outcome;
}

}  // namespace thalweg::format
