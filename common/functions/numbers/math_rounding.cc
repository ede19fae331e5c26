// CEIL, FLOOR, ROUND and TRUNCATE. Approximate numbers are rounded by their decimal text, as java.math.BigDecimal
// does: ROUND(1.005e0, 2) is 1.01. Ties go away from zero.
#include <charconv>
#include <cmath>
#include <string>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/numbers/rounding.h"
#include "common/functions/signatures.h"
#include "common/types/decimal.h"
#include "common/types/java_text.h"
#include "common/types/time_unit.h"

namespace thalweg {

namespace {

enum class Mode { ROUND, TRUNCATE };

/// unscaled * 10^-scale, the digits that the number prints with.
struct PrintedNumber {
  int64_t unscaled = 0;
  int scale = 0;
};

PrintedNumber printed(double value) {
  char text[kDoubleTextMax];
  const char* end = writeDouble(text, value);
  PrintedNumber number;
  bool is_negative = false;
  bool in_fraction = false;
  for (const char* c = text; c != end; ++c) {
    if (*c == '-') {
      is_negative = true;
    } else if (*c == '.') {
      in_fraction = true;
    } else if (*c == 'E') {
      int exponent = 0;
      std::from_chars(c + 1, end, exponent);
      number.scale -= exponent;
      break;
    } else {
      number.unscaled = number.unscaled * 10 + (*c - '0');
      number.scale += in_fraction ? 1 : 0;
    }
  }
  if (is_negative) number.unscaled = -number.unscaled;
  return number;
}

/// The double that `unscaled` * 10^-digits is.
double assembled(int64_t unscaled, int digits) {
  const std::string text = std::to_string(unscaled) + "e" + std::to_string(-int64_t{digits});
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

double roundApproximate(Mode mode, double value, int digits) {
  if (!std::isfinite(value)) return value;
  if (value == 0) return 0;
  const PrintedNumber number = printed(value);
  const int64_t dropped = int64_t{number.scale} - digits;
  if (dropped <= 0) return value;
  if (dropped > 18) return 0;  // more than all digits
  const auto power = static_cast<int64_t>(powerOfTen(static_cast<int>(dropped)));
  int64_t kept = number.unscaled / power;
  const int64_t rest = std::abs(number.unscaled % power);
  if (mode == Mode::ROUND && rest >= power - rest) kept += number.unscaled < 0 ? -1 : 1;
  return kept == 0 ? 0.0 : assembled(kept, digits);
}

int64_t roundInteger(Mode mode, int64_t value, int digits) {
  if (digits >= 0) return value;
  if (digits < -19) return 0;
  const int128 power = powerOfTen(-digits);
  int128 kept = value / power;
  const int128 rest = value < 0 ? -(value % power) : value % power;
  if (mode == Mode::ROUND && rest >= power - rest) kept += value < 0 ? -1 : 1;
  return static_cast<int64_t>(kept * power);
}

std::optional<int128> roundExact(Mode mode, int128 value, int scale, int digits, DecimalSpec to) {
  const std::optional<int128> rounded =
      mode == Mode::ROUND ? roundDecimalAt(value, scale, digits) : truncateDecimalAt(value, scale, digits);
  return rounded ? rescaleDecimal(*rounded, scale, to) : std::nullopt;
}

/// The kernel of f(number, digits), digits 0 if left out.
Result<std::unique_ptr<ScalarKernel>> makeRounding(Mode mode, const FunctionCall& call) {
  const DataType& type = call.result_type;
  const bool has_digits = call.arguments.size() == 2;
  const auto kernel = [&]<typename R>(R, auto compute) -> std::unique_ptr<ScalarKernel> {
    using A = typename RowReader<R>::Value;
    if (has_digits) return functionKernel<R(R, int32_t)>(type, compute);
    return functionKernel<R(R)>(type, [compute](A value) { return compute(value, 0); });
  };
  if (type.kind() == TypeKind::DECIMAL) {
    const int scale = call.arguments[0].type.scale();
    const DecimalSpec to = *decimalSpecOf(type);
    return kernel(AnyDecimal{},
                  [=](int128 value, int32_t digits) { return roundExact(mode, value, scale, digits, to); });
  }
  if (type.kind() == TypeKind::DOUBLE) {
    return kernel(double{}, [=](double value, int32_t digits) { return roundApproximate(mode, value, digits); });
  }
  if (type.kind() == TypeKind::FLOAT) {
    return kernel(float{}, [=](float value, int32_t digits) {
      return static_cast<float>(roundApproximate(mode, static_cast<double>(value), digits));
    });
  }
  return kernel(AnyInteger{}, [=](int64_t value, int32_t digits) { return roundInteger(mode, value, digits); });
}

/// The type follows the digits when they are constant.
Result<ResolvedSignature> resolveRounding(std::span<const ArgumentInfo> arguments) {
  static const Resolve kPlain =
      signature({param::number("number"), param::optional(param::integer("digits"))}, returnsArgument(0));
  ASSIGN_OR_RETURN(ResolvedSignature resolved, kPlain(arguments));
  const bool is_constant = arguments.size() == 1 || (arguments[1].literal && !arguments[1].literal->isNull());
  if (resolved.result_type.kind() == TypeKind::DECIMAL && is_constant) {
    const int64_t digits = arguments.size() == 1 ? 0 : arguments[1].literal->asInt();
    const int bounded =
        static_cast<int>(std::clamp<int64_t>(digits, -DataType::kMaxDecimalPrecision, DataType::kMaxDecimalPrecision));
    const DecimalSpec spec = roundedDecimalSpec(*decimalSpecOf(resolved.result_type), bounded);
    resolved.result_type = DataType::decimal(spec.precision, spec.scale, resolved.result_type.nullable());
  }
  return resolved;
}

void addRounding(ScalarList& list, std::string name, Mode mode, std::string description, std::string example) {
  list.push_back({.name = name,
                  .category = "math",
                  .signature = name + "(number[, digits])",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 1,
                  .max_arguments = 2,
                  .resolve = resolveRounding,
                  .make = [mode](const FunctionCall& call) { return makeRounding(mode, call); },
                  .strict = true});
}

/// A whole number is its own floor.
class IdentityKernel final : public ScalarKernel {
 public:
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t) override {
    return arguments[0];
  }
};

Result<std::unique_ptr<ScalarKernel>> makeWhole(bool up, const FunctionCall& call) {
  if (call.arguments.size() == 2) return makeTemporalRounding(up, call);
  const DataType& type = call.result_type;
  if (type.kind() == TypeKind::DECIMAL) {
    const int scale = call.arguments[0].type.scale();
    return functionKernel<AnyDecimal(AnyDecimal)>(
        type, [up, scale](int128 value) { return up ? ceilDecimal(value, scale) : floorDecimal(value, scale); });
  }
  if (type.kind() == TypeKind::DOUBLE) {
    return up ? functionKernel<double(double)>(type, [](double value) { return std::ceil(value); })
              : functionKernel<double(double)>(type, [](double value) { return std::floor(value); });
  }
  if (type.kind() == TypeKind::FLOAT) {
    return up ? functionKernel<float(float)>(type, [](float value) { return std::ceil(value); })
              : functionKernel<float(float)>(type, [](float value) { return std::floor(value); });
  }
  return std::make_unique<IdentityKernel>();
}

DataType wholeType(std::span<const DataType> arguments) {
  const DataType& type = arguments[0];
  return type.kind() == TypeKind::DECIMAL ? DataType::decimal(type.precision(), 0, type.nullable()) : type;
}

Result<ResolvedSignature> resolveWhole(std::span<const ArgumentInfo> arguments) {
  if (arguments.size() < 2) return signature({param::number("number")}, wholeType)(arguments);
  const Parameter moment{.name = "value",
                         .expected = "a DATE, TIME or TIMESTAMP",
                         .accepts = [](const DataType& type) { return type.isTemporal(); },
                         .cast = [](const DataType& type) { return type; },
                         .plain = DataType::timestamp(3)};
  ASSIGN_OR_RETURN(const ResolvedSignature resolved,
                   signature({moment, param::symbol("unit")}, returnsArgument(0))(arguments));
  const std::optional<TimeUnit> unit =
      arguments[1].literal ? parseTimeUnit(arguments[1].literal->asString()) : std::nullopt;
  if (!unit || !isFloorUnit(*unit)) {
    return Status::plan(
        "the unit must be YEAR, QUARTER, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND, MILLISECOND, DECADE, "
        "CENTURY or MILLENNIUM");
  }
  return resolved;
}

void addWhole(ScalarList& list, std::string name, std::vector<std::string> aliases, bool up, std::string description,
              std::string example) {
  list.push_back({.name = name,
                  .aliases = std::move(aliases),
                  .category = "math",
                  .signature = name + "(number), " + name + "(time TO unit)",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 1,
                  .max_arguments = 2,
                  .resolve = resolveWhole,
                  .make = [up](const FunctionCall& call) { return makeWhole(up, call); },
                  .strict = true});
}

}  // namespace

void addRoundingFunctions(ScalarList& list) {
  addWhole(list, "CEIL", {"CEILING"}, true,
           "The whole number at or above a number; the beginning of the unit at or after a date, time or timestamp.",
           "CEIL(2.1) = 3");
  addWhole(list, "FLOOR", {}, false,
           "The whole number at or below a number; the beginning of the unit that holds a date, time or timestamp.",
           "FLOOR(TIMESTAMP '2024-05-05 07:31:00' TO HOUR) = TIMESTAMP '2024-05-05 07:00:00'");
  addRounding(list, "ROUND", Mode::ROUND,
              "The number rounded half up to `digits` after the point, before it if negative.",
              "ROUND(2.345, 2) = 2.35");
  addRounding(list, "TRUNCATE", Mode::TRUNCATE, "The number cut to `digits` after the point, before it if negative.",
              "TRUNCATE(2.345, 2) = 2.34");
}

}  // namespace thalweg
