// ARRAY_*: search, change, order and combine arrays. Elements compare as values: NULL equals NULL, NaN equals NaN.
#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"
#include "common/types/value_text.h"

namespace thalweg {
namespace {

using Values = std::vector<Value>;

/// Order of two non-NULL values of one type.
bool lessThan(const Value& a, const Value& b) {
  if (std::holds_alternative<bool>(a.content())) return a.asBool() < b.asBool();
  if (std::holds_alternative<int64_t>(a.content())) return a.asInt() < b.asInt();
  if (std::holds_alternative<int128>(a.content())) return a.asDecimal() < b.asDecimal();
  if (std::holds_alternative<double>(a.content())) {
    const double x = a.asDouble();
    const double y = b.asDouble();
    return x < y || (y != y && x == x);
  }
  if (std::holds_alternative<std::string>(a.content())) return a.asString() < b.asString();
  if (std::holds_alternative<TimestampValue>(a.content())) return a.asTimestamp() < b.asTimestamp();
  return false;
}

bool contains(const Values& list, const Value& value) { return std::find(list.begin(), list.end(), value) != list.end(); }

Values distinct(const Values& list) {
  Values result;
  for (const Value& value : list) {
    if (!contains(result, value)) result.push_back(value);
  }
  return result;
}

/// Types of (array, element): the element must be storable in the array, which becomes nullable inside if it is.
Result<ResolvedSignature> resolveWithElement(std::span<const ArgumentInfo> arguments, bool changes) {
  const DataType& array = arguments[0].type;
  if (array.isNull()) return argumentError(0, "array", "an ARRAY", array);
  if (array.kind() != TypeKind::ARRAY) return argumentError(0, "array", "an ARRAY", array);
  const DataType& element = array.child(0);
  const DataType& given = arguments[1].type;
  const bool fits = given.isNull() || given.sameIgnoringNullability(element) || supportsImplicitCast(given, element);
  if (!fits) return argumentError(1, "element", "a " + element.asNullable().toString(), given);
  const bool nullable_element = element.nullable() || (changes && given.nullable());
  ResolvedSignature resolved;
  resolved.argument_types = {DataType::array(element.withNullable(nullable_element), array.nullable()), element.withNullable(given.nullable())};
  resolved.result_type = resolved.argument_types[0];
  return resolved;
}

Resolve withElement(bool changes, ResultRule result) {
  return [changes, result](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    ASSIGN_OR_RETURN(ResolvedSignature resolved, resolveWithElement(arguments, changes));
    if (result) resolved.result_type = result(resolved.argument_types);
    return resolved;
  };
}

/// All arrays cast to their common type, which the result has.
Result<ResolvedSignature> resolveArrays(std::span<const ArgumentInfo> arguments) {
  std::vector<DataType> types;
  bool nullable = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].type.kind() != TypeKind::ARRAY && !arguments[i].type.isNull()) return argumentError(i, "array", "an ARRAY", arguments[i].type);
    types.push_back(arguments[i].type);
    nullable = nullable || arguments[i].type.nullable();
  }
  const auto common = leastRestrictive(types);
  if (!common || common->kind() != TypeKind::ARRAY) return Status::plan("the arrays must have a common type");
  ResolvedSignature resolved;
  resolved.argument_types.assign(arguments.size(), common->withNullable(nullable));
  resolved.result_type = common->withNullable(nullable);
  return resolved;
}

Result<Value> containsElement(EvalContext&, std::span<const Value> v) {
  if (v[0].isNull()) return Value();
  return Value::boolean(contains(v[0].asList(), v[1]));
}

Result<Value> position(EvalContext&, std::span<const Value> v) {
  const Values& list = v[0].asList();
  const auto at = std::find(list.begin(), list.end(), v[1]);
  return Value::integer(at == list.end() ? 0 : at - list.begin() + 1);
}

Result<Value> append(EvalContext&, std::span<const Value> v) {
  if (v[0].isNull()) return Value();
  Values list = v[0].asList();
  list.push_back(v[1]);
  return Value::list(std::move(list));
}

Result<Value> prepend(EvalContext&, std::span<const Value> v) {
  if (v[0].isNull()) return Value();
  Values list = v[0].asList();
  list.insert(list.begin(), v[1]);
  return Value::list(std::move(list));
}

Result<Value> remove(EvalContext&, std::span<const Value> v) {
  if (v[0].isNull()) return Value();
  Values list;
  for (const Value& value : v[0].asList()) {
    if (!(value == v[1])) list.push_back(value);
  }
  return Value::list(std::move(list));
}

Result<Value> concatArrays(EvalContext&, std::span<const Value> v) {
  Values list;
  for (const Value& part : v) list.insert(list.end(), part.asList().begin(), part.asList().end());
  return Value::list(std::move(list));
}

Result<Value> distinctArray(EvalContext&, std::span<const Value> v) { return Value::list(distinct(v[0].asList())); }

Result<Value> reverseArray(EvalContext&, std::span<const Value> v) {
  const Values& list = v[0].asList();
  return Value::list({list.rbegin(), list.rend()});
}

Result<Value> unionArrays(EvalContext& context, std::span<const Value> v) {
  ASSIGN_OR_RETURN(const Value all, concatArrays(context, v));
  return Value::list(distinct(all.asList()));
}

Result<Value> exceptArrays(EvalContext&, std::span<const Value> v) {
  Values result;
  for (const Value& value : v[0].asList()) {
    if (!contains(v[1].asList(), value) && !contains(result, value)) result.push_back(value);
  }
  return Value::list(std::move(result));
}

Result<Value> intersectArrays(EvalContext&, std::span<const Value> v) {
  Values result;
  for (const Value& value : v[0].asList()) {
    if (contains(v[1].asList(), value) && !contains(result, value)) result.push_back(value);
  }
  return Value::list(std::move(result));
}

/// From and to are both included; negative ones count from the end, 0 acts as 1.
Result<Value> slice(EvalContext&, std::span<const Value> v) {
  const Values& list = v[0].asList();
  const auto size = static_cast<int64_t>(list.size());
  const auto place = [size](int64_t at) { return at < 0 ? std::max<int64_t>(at + size + 1, 1) : std::max<int64_t>(at, 1); };
  const int64_t from = place(v[1].asInt());
  int64_t to = size;
  if (v.size() > 2) {
    const int64_t given = v[2].asInt();
    to = given < 0 ? given + size + 1 : given == 0 ? 1 : std::min(given, size);
  }
  if (from > to || from > size) return Value::list({});
  return Value::list({list.begin() + (from - 1), list.begin() + to});
}

Result<Value> sortArray(EvalContext&, std::span<const Value> v) {
  if (v[0].isNull()) return Value();
  for (const Value& argument : v) {
    if (argument.isNull()) return Value();
  }
  const bool ascending = v.size() < 2 || v[1].asBool();
  const bool nulls_first = v.size() < 3 ? ascending : v[2].asBool();
  Values list = v[0].asList();
  std::stable_sort(list.begin(), list.end(), [&](const Value& a, const Value& b) {
    if (a.isNull() || b.isNull()) return a.isNull() != b.isNull() && a.isNull() == nulls_first;
    return ascending ? lessThan(a, b) : lessThan(b, a);
  });
  return Value::list(std::move(list));
}

/// The greatest or least element that is not NULL.
ValueFunction extreme(bool greatest) {
  return [greatest](EvalContext&, std::span<const Value> v) -> Result<Value> {
    const Value* best = nullptr;
    for (const Value& value : v[0].asList()) {
      if (value.isNull()) continue;
      if (best == nullptr || (greatest ? lessThan(*best, value) : lessThan(value, *best))) best = &value;
    }
    return best == nullptr ? Value() : *best;
  };
}

Result<Value> join(EvalContext&, std::span<const Value> v) {
  std::string text;
  bool first = true;
  for (const Value& value : v[0].asList()) {
    if (value.isNull() && v.size() < 3) continue;
    if (!first) text += v[1].asString();
    first = false;
    text += value.isNull() ? v[2].asString() : value.asString();
  }
  return Value::string(std::move(text));
}

DataType elementOf(std::span<const DataType> types) { return types[0].child(0).asNullable(); }

ScalarFunction arrayFunction(std::string name, std::string text, std::string description, std::string example, size_t min, size_t max,
                             Resolve resolve, ValueFunction function, NullCalls nulls = NullCalls::STRICT) {
  return {.name = std::move(name),
          .category = "collection",
          .signature = std::move(text),
          .description = std::move(description),
          .example = std::move(example),
          .min_arguments = min,
          .max_arguments = max,
          .resolve = std::move(resolve),
          .make = valueKernelMaker(std::move(function), nulls)};
}

}  // namespace

void addArrayFunctions(ScalarList& list) {
  const auto keeps = returnsArgument(0);
  list.push_back(arrayFunction("ARRAY_CONTAINS", "ARRAY_CONTAINS(array, element)", "Whether the array holds the element; NULL is found, too.",
                               "ARRAY_CONTAINS(ARRAY[1, 2], 2)", 2, 2,
                               withElement(false, [](std::span<const DataType> t) { return DataType::boolean(t[0].nullable()); }), containsElement, NullCalls::CALLED));
  list.push_back(arrayFunction("ARRAY_POSITION", "ARRAY_POSITION(array, element)", "The first place of the element, from 1; 0 if it is not there.",
                               "ARRAY_POSITION(ARRAY[5, 6], 6) = 2", 2, 2, withElement(false, returns(DataType::integer())), position));
  list.push_back(arrayFunction("ARRAY_APPEND", "ARRAY_APPEND(array, element)", "The array with the element behind it.",
                               "ARRAY_APPEND(ARRAY[1], 2)[2] = 2", 2, 2, withElement(true, nullptr), append, NullCalls::CALLED));
  list.push_back(arrayFunction("ARRAY_PREPEND", "ARRAY_PREPEND(array, element)", "The array with the element in front.",
                               "ARRAY_PREPEND(ARRAY[1], 2)[1] = 2", 2, 2, withElement(true, nullptr), prepend, NullCalls::CALLED));
  list.push_back(arrayFunction("ARRAY_REMOVE", "ARRAY_REMOVE(array, element)", "The array without the elements equal to the given one.",
                               "CARDINALITY(ARRAY_REMOVE(ARRAY[1, 2, 1], 1)) = 1", 2, 2, withElement(false, nullptr), remove, NullCalls::CALLED));
  list.push_back(arrayFunction("ARRAY_CONCAT", "ARRAY_CONCAT(array, …)", "The arrays one after the other.",
                               "CARDINALITY(ARRAY_CONCAT(ARRAY[1], ARRAY[2])) = 2", 1, SIZE_MAX, resolveArrays, concatArrays));
  list.push_back(arrayFunction("ARRAY_DISTINCT", "ARRAY_DISTINCT(array)", "Each element once, in the order of first occurrence.",
                               "CARDINALITY(ARRAY_DISTINCT(ARRAY[1, 1])) = 1", 1, 1, signature({param::array("array")}, keeps), distinctArray));
  list.push_back(arrayFunction("ARRAY_REVERSE", "ARRAY_REVERSE(array)", "The array from its end.", "ARRAY_REVERSE(ARRAY[1, 2])[1] = 2", 1, 1,
                               signature({param::array("array")}, keeps), reverseArray));
  list.push_back(arrayFunction("ARRAY_UNION", "ARRAY_UNION(array, array)", "The elements of both, each once.",
                               "CARDINALITY(ARRAY_UNION(ARRAY[1], ARRAY[1, 2])) = 2", 2, 2, resolveArrays, unionArrays));
  list.push_back(arrayFunction("ARRAY_EXCEPT", "ARRAY_EXCEPT(array, array)", "The elements of the first that the second lacks, each once.",
                               "CARDINALITY(ARRAY_EXCEPT(ARRAY[1, 2], ARRAY[2])) = 1", 2, 2, resolveArrays, exceptArrays));
  list.push_back(arrayFunction("ARRAY_INTERSECT", "ARRAY_INTERSECT(array, array)", "The elements that both have, each once.",
                               "CARDINALITY(ARRAY_INTERSECT(ARRAY[1, 2], ARRAY[2])) = 1", 2, 2, resolveArrays, intersectArrays));
  list.push_back(arrayFunction("ARRAY_SLICE", "ARRAY_SLICE(array, from[, to])", "The elements between two places, both included; negative places count from the end.",
                               "ARRAY_SLICE(ARRAY[1, 2, 3], 2)[1] = 2", 2, 3,
                               signature({param::array("array"), param::integer("from"), param::optional(param::integer("to"))}, keeps), slice));
  list.push_back(arrayFunction("ARRAY_SORT", "ARRAY_SORT(array[, ascending[, nulls first]])", "The array in order; NULLs first when ascending, last when descending, unless said.",
                               "ARRAY_SORT(ARRAY[2, 1])[1] = 1", 1, 3,
                               signature({param::array("array"), param::optional(param::boolean("ascending")), param::optional(param::boolean("nulls first"))}, keeps),
                               sortArray));
  list.push_back(arrayFunction("ARRAY_MAX", "ARRAY_MAX(array)", "The greatest element; NULLs do not count.", "ARRAY_MAX(ARRAY[1, 3]) = 3", 1, 1,
                               signature({param::array("array")}, elementOf), extreme(true)));
  list.push_back(arrayFunction("ARRAY_MIN", "ARRAY_MIN(array)", "The least element; NULLs do not count.", "ARRAY_MIN(ARRAY[1, 3]) = 1", 1, 1,
                               signature({param::array("array")}, elementOf), extreme(false)));
  list.push_back(arrayFunction("ARRAY_JOIN", "ARRAY_JOIN(array, delimiter[, null text])", "The texts with the delimiter between them; NULLs are left out or replaced.",
                               "ARRAY_JOIN(ARRAY['a', 'b'], '-') = 'a-b'", 2, 3,
                               signature({param::array("array"), param::text("delimiter"), param::optional(param::text("null text"))}, returnsNullable(DataType::string())),
                               join));
}

}  // namespace thalweg
