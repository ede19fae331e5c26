// x IN (v1, v2, …): by a hash set when all values are constants, else by one comparison a value.
#include <string>
#include <unordered_set>

#include "common/functions/conditions/comparison.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

/// Up to this many values a scan beats a hash set.
constexpr size_t kScanMax = 4;

template <typename T>
struct ValueHash {
  using is_transparent = void;
  size_t operator()(const T& value) const { return std::hash<T>{}(value); }
};
template <>
struct ValueHash<int128> {
  size_t operator()(int128 value) const {
    return std::hash<uint64_t>{}(static_cast<uint64_t>(value) ^
                                 (static_cast<uint64_t>(value >> 64) * 0x9E3779B97F4A7C15ULL));
  }
};
template <>
struct ValueHash<TimestampValue> {
  size_t operator()(const TimestampValue& value) const {
    return std::hash<int64_t>{}(value.millis * 1'000'003 + value.nanos);
  }
};

/// Membership of values read as A. A miss is NULL when the list has a NULL.
template <typename A, typename Stored>
std::unique_ptr<ScalarKernel> setKernel(const DataType& result_type, std::vector<Stored> values, bool has_null) {
  using T = typename RowReader<A>::Value;
  if (!has_null && values.size() <= kScanMax) {
    return functionKernel<bool(A)>(result_type, [values](T value) {
      bool found = false;
      for (const Stored& candidate : values) found = found || T(candidate) == value;
      return found;
    });
  }
  auto owned = std::make_shared<const std::vector<Stored>>(std::move(values));
  std::unordered_set<T, ValueHash<T>> set(owned->begin(), owned->end());
  return functionKernel<bool(A)>(result_type, [owned, set = std::move(set), has_null](T value) -> std::optional<bool> {
    if (set.contains(value)) return true;
    if (has_null) return std::nullopt;
    return false;
  });
}

template <typename A, typename Stored, typename Get>
std::unique_ptr<ScalarKernel> setOf(const FunctionCall& call, Get get) {
  std::vector<Stored> values;
  bool has_null = false;
  for (size_t i = 1; i < call.arguments.size(); ++i) {
    const Value& value = *call.arguments[i].literal;
    if (value.isNull())
      has_null = true;
    else
      values.push_back(get(value));
  }
  return setKernel<A>(call.result_type, std::move(values), has_null);
}

/// The kernel for constants, or null for types without one.
std::unique_ptr<ScalarKernel> constantsKernel(const FunctionCall& call) {
  const DataType& type = call.arguments[0].type;
  if (type.isNested() || type.isApproximateNumeric()) return nullptr;  // 0.0 = -0.0, NaN: by comparison
  if (type.kind() == TypeKind::DECIMAL) {
    return setOf<AnyDecimal, int128>(call, [](const Value& v) { return v.asDecimal(); });
  }
  if (type.isTimestamp())
    return setOf<AnyTimestamp, TimestampValue>(call, [](const Value& v) { return v.asTimestamp(); });
  switch (type.physicalType()) {
    case PhysicalType::INT8:
    case PhysicalType::INT16: return setOf<AnyInteger, int64_t>(call, [](const Value& v) { return v.asInt(); });
    case PhysicalType::INT32:
      return setOf<int32_t, int32_t>(call, [](const Value& v) { return static_cast<int32_t>(v.asInt()); });
    case PhysicalType::INT64: return setOf<int64_t, int64_t>(call, [](const Value& v) { return v.asInt(); });
    case PhysicalType::STRING:
      return setOf<std::string_view, std::string>(call, [](const Value& v) { return v.asString(); });
    default: return nullptr;
  }
}

/// TRUE if one comparison is, else NULL if one is, else FALSE.
class ComparingInKernel final : public ScalarKernel {
 public:
  explicit ComparingInKernel(const FunctionCall& call) : result_type_(call.result_type) {
    for (size_t i = 1; i < call.arguments.size(); ++i) {
      equal_.push_back(
          makeCompareKernel(CompareOp::EQUAL, call.arguments[0].type, call.arguments[i].type, DataType::boolean()));
    }
  }

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    std::vector<uint8_t> found(rows, 0);
    std::vector<uint8_t> open(rows, 0);
    for (size_t i = 0; i < equal_.size(); ++i) {
      const VectorPtr pair[] = {arguments[0], arguments[i + 1]};
      ASSIGN_OR_RETURN(const VectorPtr equal, equal_[i]->evaluate(context, pair, rows));
      const ColumnReader<bool> reader(*equal);
      for (size_t row = 0; row < rows; ++row) {
        if (reader.isNull(row))
          open[row] = 1;
        else
          found[row] |= static_cast<uint8_t>(reader[row]);
      }
    }
    FlatBuilder<bool> builder(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (found[row] == 0 && open[row] != 0)
        builder.setNull(row);
      else
        builder.set(row, found[row] != 0);
    }
    return builder.finish();
  }

 private:
  DataType result_type_;
  std::vector<std::unique_ptr<ScalarKernel>> equal_;
};

Result<std::unique_ptr<ScalarKernel>> makeInKernel(const FunctionCall& call) {
  bool all_literal = true;
  for (size_t i = 1; i < call.arguments.size(); ++i) all_literal = all_literal && call.arguments[i].literal.has_value();
  if (all_literal) {
    if (std::unique_ptr<ScalarKernel> kernel = constantsKernel(call)) {
      return overArguments({0}, std::move(kernel));
    }
  }
  return std::make_unique<ComparingInKernel>(call);
}

Result<ResolvedSignature> resolveIn(std::span<const ArgumentInfo> arguments) {
  std::vector<DataType> types;
  bool is_nullable = false;
  for (const ArgumentInfo& argument : arguments) {
    is_nullable = is_nullable || argument.type.nullable();
    if (!argument.type.isNull()) types.push_back(argument.type);
  }
  std::optional<DataType> common = types.empty() ? DataType::boolean() : types[0];
  for (size_t i = 1; i < types.size() && common; ++i) {
    if (common->isString() && isTextCoercible(types[i]))
      common = types[i];
    else if (types[i].isString() && isTextCoercible(*common))
      continue;
    else if (!isEquatable(*common, types[i]))
      common = std::nullopt;
    else
      common = comparisonType(*common, types[i]);
  }
  if (!common) {
    return Status::plan("the values of IN must be comparable with " + arguments[0].type.asNullable().toString() +
                        "; cast those of other types");
  }
  ResolvedSignature resolved;
  for (const ArgumentInfo& argument : arguments) {
    resolved.argument_types.push_back(common->withNullable(argument.type.nullable()));
  }
  resolved.result_type = DataType::boolean(is_nullable);
  return resolved;
}

}  // namespace

void addInFunction(ScalarList& list) {
  list.push_back({.name = "IN",
                  .category = "comparison",
                  .signature = "x IN (value, …)",
                  .description = "TRUE if one of the values equals x; NULL if none does but one is NULL.",
                  .example = "2 IN (1, 2, 3)",
                  .min_arguments = 2,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveIn,
                  .make = makeInKernel,
                  .listed = false});
}

}  // namespace thalweg
