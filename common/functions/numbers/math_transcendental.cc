// Roots, powers, logarithms and angles: always of DOUBLE, IEEE values outside their domain, never a failure.
#include <cmath>
#include <numbers>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {

namespace {

void addUnary(ScalarList& list, std::string name, double (*function)(double), std::string description,
              std::string example) {
  list.push_back({.name = name,
                  .category = "math",
                  .signature = name + "(number)",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::numberAsDouble("number")}, returns(DataType::float64())),
                  .make = kernelMaker<double(double)>(function),
                  .strict = true});
}

void addBinary(ScalarList& list, std::string name, std::string first, std::string second,
               double (*function)(double, double), std::string description, std::string example) {
  list.push_back({.name = name,
                  .category = "math",
                  .signature = name + "(" + first + ", " + second + ")",
                  .description = std::move(description),
                  .example = std::move(example),
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::numberAsDouble(first), param::numberAsDouble(second)},
                                       returns(DataType::float64())),
                  .make = kernelMaker<double(double, double)>(function),
                  .strict = true});
}

/// e^x of 0.35 <= x <= 22 rounded as Java's StrictMath rounds it, whose last digit may differ from std::exp's: the
/// multiples of ln 2 taken off in two parts, and a rational approximation of the rest.
double strictExp(double x) {
  constexpr double kLn2High = 6.93147180369123816490e-01;
  constexpr double kLn2Low = 1.90821492927058770002e-10;
  constexpr double kTerms[] = {1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
                               -1.65339022054652515390e-06, 4.13813679705723846039e-08};
  const int doublings = x < 1.5 * std::numbers::ln2 ? 1 : static_cast<int>(x / std::numbers::ln2 + 0.5);
  const double high = x - doublings * kLn2High;
  const double low = doublings * kLn2Low;
  const double rest = high - low;
  const double square = rest * rest;
  double sum = 0;
  for (int i = 4; i >= 0; --i) sum = kTerms[i] + square * sum;
  const double c = rest - square * sum;
  return std::ldexp(1 - ((low - rest * c / (2 - c)) - high), doublings);
}

double hyperbolicCosine(double x) {
  constexpr double kSmall = 0.5 * std::numbers::ln2;
  constexpr double kLarge = 22;
  const double size = std::fabs(x);
  if (!(size > kSmall && size < kLarge)) return std::cosh(x);
  const double power = strictExp(size);
  return 0.5 * power + 0.5 / power;
}

double logToBase(double base, double value) { return std::log(value) / std::log(base); }

Result<std::unique_ptr<ScalarKernel>> makeLog(const FunctionCall& call) {
  if (call.arguments.size() == 2) return functionKernel<double(double, double)>(call.result_type, logToBase);
  return functionKernel<double(double)>(call.result_type, [](double value) { return std::log(value); });
}

void addPowers(ScalarList& list) {
  addBinary(
      list, "POWER", "base", "exponent", [](double a, double b) { return std::pow(a, b); },
      "The base raised to the exponent.", "POWER(2, 10) = 1024");
  addUnary(
      list, "SQRT", [](double x) { return std::sqrt(x); }, "The square root; NaN of a negative number.", "SQRT(4) = 2");
  addUnary(
      list, "EXP", [](double x) { return std::exp(x); }, "E raised to the number.", "EXP(0) = 1");
  addUnary(
      list, "LN", [](double x) { return std::log(x); }, "The natural logarithm; -Infinity of zero.", "LN(1) = 0");
  addUnary(
      list, "LOG10", [](double x) { return static_cast<double>(std::log10(static_cast<long double>(x))); }, "The logarithm to base 10.", "LOG10(100) = 2");
  addUnary(
      list, "LOG2", [](double x) { return std::log(x) / std::numbers::ln2; }, "The logarithm to base 2.",
      "LOG2(8) = 3");
  list.push_back(
      {.name = "LOG",
       .category = "math",
       .signature = "LOG([base, ]number)",
       .description = "The logarithm to a base; the natural one without a base.",
       .example = "LOG(2, 8) = 3",
       .min_arguments = 1,
       .max_arguments = 2,
       .resolve = signature({param::numberAsDouble("number"), param::optional(param::numberAsDouble("number"))},
                            returns(DataType::float64())),
       .make = makeLog,
       .strict = true});
}

void addAngles(ScalarList& list) {
  addUnary(
      list, "SIN", [](double x) { return std::sin(x); }, "The sine of an angle in radians.", "SIN(0) = 0");
  addUnary(
      list, "SINH", [](double x) { return std::sinh(x); }, "The hyperbolic sine.", "SINH(0) = 0");
  addUnary(
      list, "COS", [](double x) { return std::cos(x); }, "The cosine of an angle in radians.", "COS(0) = 1");
  addUnary(
      list, "COSH", [](double x) { return hyperbolicCosine(x); }, "The hyperbolic cosine.", "COSH(0) = 1");
  addUnary(
      list, "TAN", [](double x) { return std::tan(x); }, "The tangent of an angle in radians.", "TAN(0) = 0");
  addUnary(
      list, "TANH", [](double x) { return std::tanh(x); }, "The hyperbolic tangent.", "TANH(0) = 0");
  addUnary(
      list, "COT", [](double x) { return 1.0 / std::tan(x); }, "The cotangent of an angle in radians.",
      "ROUND(COT(PI() / 4), 6) = 1");
  addUnary(
      list, "ASIN", [](double x) { return std::asin(x); }, "The arc sine; NaN outside [-1, 1].", "ASIN(0) = 0");
  addUnary(
      list, "ACOS", [](double x) { return std::acos(x); }, "The arc cosine; NaN outside [-1, 1].", "ACOS(1) = 0");
  addUnary(
      list, "ATAN", [](double x) { return std::atan(x); }, "The arc tangent.", "ATAN(0) = 0");
  addBinary(
      list, "ATAN2", "y", "x", [](double y, double x) { return std::atan2(y, x); },
      "The angle of the point (x, y), in radians.", "ATAN2(0, 1) = 0");
  addUnary(
      list, "DEGREES", [](double x) { return x * 57.29577951308232; }, "Radians as degrees.",
      "DEGREES(PI()) = 180");
  addUnary(
      list, "RADIANS", [](double x) { return x * 0.017453292519943295; }, "Degrees as radians.",
      "ROUND(RADIANS(180), 6) = 3.141593");
}

}  // namespace

void addTranscendentalFunctions(ScalarList& list) {
  addPowers(list);
  addAngles(list);
}

}  // namespace thalweg
