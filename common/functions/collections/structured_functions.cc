// OBJECT_OF and OBJECT_UPDATE: values of structured types, which are rows with the name of a class.
#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

const std::string* textLiteral(const ArgumentInfo& argument) {
  return argument.literal && !argument.literal->isNull() && argument.type.isString() ? &argument.literal->asString() : nullptr;
}

/// Names joined by dots, each of letters, digits, `_` and `$`, no digit first.
bool isClassName(std::string_view name) {
  bool at_start = true;
  for (const char c : name) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || (c & 0x80) != 0;
    if (at_start ? !letter : !letter && !digit && c != '.') return false;
    at_start = c == '.';
  }
  return !at_start;
}

/// The names of the fields that a call names from argument 1 on, each with a value behind it.
Result<std::vector<std::string>> fieldNames(std::span<const ArgumentInfo> arguments) {
  if (arguments.size() % 2 == 0) return Status::plan("every field needs a value: pairs of 'name', value are expected");
  std::vector<std::string> names;
  for (size_t i = 1; i < arguments.size(); i += 2) {
    const std::string* name = textLiteral(arguments[i]);
    if (name == nullptr) return argumentError(i, "field", "a text literal, the name of a field", arguments[i].type);
    if (std::ranges::find(names, *name) != names.end()) return Status::plan("the field '" + *name + "' is named twice");
    names.push_back(*name);
  }
  return names;
}

ResolvedSignature keptArguments(std::span<const ArgumentInfo> arguments) {
  ResolvedSignature resolved;
  for (const ArgumentInfo& argument : arguments) resolved.argument_types.push_back(argument.type);
  return resolved;
}

Result<ResolvedSignature> resolveObjectOf(std::span<const ArgumentInfo> arguments) {
  const std::string* class_name = textLiteral(arguments[0]);
  if (class_name == nullptr) return argumentError(0, "class", "a text literal, the name of a class", arguments[0].type);
  if (!isClassName(*class_name)) return Status::plan("'" + *class_name + "' is no name of a class");
  ASSIGN_OR_RETURN(const std::vector<std::string> names, fieldNames(arguments));
  std::vector<Field> fields;
  for (size_t i = 0; i < names.size(); ++i) fields.push_back({names[i], arguments[2 * i + 2].type});
  ResolvedSignature resolved = keptArguments(arguments);
  resolved.result_type = DataType::structured(*class_name, std::move(fields));
  return resolved;
}

Result<ResolvedSignature> resolveObjectUpdate(std::span<const ArgumentInfo> arguments) {
  const DataType& object = arguments[0].type;
  if (!object.isStructured()) return argumentError(0, "object", "a value of a structured type", object);
  ASSIGN_OR_RETURN(const std::vector<std::string> names, fieldNames(arguments));
  std::vector<Field> fields = object.fields();
  for (size_t i = 0; i < names.size(); ++i) {
    const int field = object.fieldIndex(names[i]);
    if (field < 0) return Status::plan("there is no field '" + names[i] + "' in " + object.asNullable().toString());
    fields[static_cast<size_t>(field)].type = arguments[2 * i + 2].type;
  }
  ResolvedSignature resolved = keptArguments(arguments);
  resolved.result_type = DataType::structured(object.className(), std::move(fields), object.nullable());
  return resolved;
}

/// Every second argument is a field.
class ObjectOfKernel final : public ScalarKernel {
 public:
  explicit ObjectOfKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    std::vector<VectorPtr> fields;
    for (size_t i = 2; i < arguments.size(); i += 2) fields.push_back(arguments[i]);
    return Vector::flat({.type = result_type_, .size = rows, .children = std::move(fields)});
  }

 private:
  DataType result_type_;
};

/// The fields of the first argument, some of them exchanged.
class ObjectUpdateKernel final : public ScalarKernel {
 public:
  explicit ObjectUpdateKernel(const FunctionCall& call) : result_type_(call.result_type) {
    for (size_t i = 1; i < call.arguments.size(); i += 2) {
      fields_.push_back(static_cast<size_t>(call.arguments[0].type.fieldIndex(call.arguments[i].literal->asString())));
    }
  }

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments.first(1))) return Vector::nulls(result_type_, rows);
    const VectorPtr object = arguments[0]->flatten();
    std::vector<VectorPtr> fields(object->children().begin(), object->children().end());
    for (size_t i = 0; i < fields_.size(); ++i) fields[fields_[i]] = arguments[2 * i + 2];
    return Vector::flat({.type = result_type_, .size = rows, .validity = object->validityBuffer(), .children = std::move(fields)});
  }

 private:
  DataType result_type_;
  std::vector<size_t> fields_;
};

}  // namespace

void addStructuredFunctions(ScalarList& list) {
  list.push_back({.name = "OBJECT_OF",
                  .category = "collection",
                  .signature = "OBJECT_OF('class'[, 'field', value]…)",
                  .description = "A value of the structured type with that class name and those fields.",
                  .example = "OBJECT_OF('com.example.Point', 'x', 3, 'y', 4).y = 4",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveObjectOf,
                  .make = makerOf<ObjectOfKernel>()});
  list.push_back({.name = "OBJECT_UPDATE",
                  .category = "collection",
                  .signature = "OBJECT_UPDATE(object[, 'field', value]…)",
                  .description = "The object with other values of some fields, which may have other types, too.",
                  .example = "OBJECT_UPDATE(OBJECT_OF('Point', 'x', 3), 'x', 5).x = 5",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveObjectUpdate,
                  .make = makerOf<ObjectUpdateKernel>()});
}

}  // namespace thalweg
