// ABS, SIGN, BIN, HEX, UNHEX and the constants E and PI.
#include <bit>
#include <cmath>
#include <numbers>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/decimal.h"

namespace thalweg {

namespace {

template <typename T>
std::unique_ptr<ScalarKernel> absolute(const DataType& type) {
  return functionKernel<T(T)>(type, [](T value) {
    if constexpr (std::is_floating_point_v<T>)
      return std::fabs(value);
    else if constexpr (std::is_same_v<T, int128>)
      return value < 0 ? -value : value;
    else
      return value < 0 ? static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(value)) : value;  // lowest: itself
  });
}

Result<std::unique_ptr<ScalarKernel>> makeAbs(const FunctionCall& call) {
  const DataType& type = call.result_type;
  switch (type.physicalType()) {
    case PhysicalType::INT8: return absolute<int8_t>(type);
    case PhysicalType::INT16: return absolute<int16_t>(type);
    case PhysicalType::INT32: return absolute<int32_t>(type);
    case PhysicalType::INT64: return absolute<int64_t>(type);
    case PhysicalType::INT128: return absolute<int128>(type);
    case PhysicalType::FLOAT32: return absolute<float>(type);
    case PhysicalType::FLOAT64: return absolute<double>(type);
    default: return Status::internal("no absolute value of " + type.toString());
  }
}

/// -1, 0 or 1; -0.0 and NaN stay what they are.
template <typename T>
T signOf(T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value > 0 ? T{1} : value < 0 ? T{-1} : value;
  else
    return static_cast<T>((value > 0) - (value < 0));
}

Result<std::unique_ptr<ScalarKernel>> makeSign(const FunctionCall& call) {
  const DataType& type = call.result_type;
  if (type.kind() == TypeKind::DECIMAL) {
    const int128 one = powerOfTen(type.scale());
    return functionKernel<AnyDecimal(AnyDecimal)>(type, [one](int128 value) { return signOf(value) * one; });
  }
  if (type.kind() == TypeKind::FLOAT) return functionKernel<float(float)>(type, signOf<float>);
  if (type.kind() == TypeKind::DOUBLE) return functionKernel<double(double)>(type, signOf<double>);
  return functionKernel<AnyInteger(AnyInteger)>(type, signOf<int64_t>);
}

void appendDigits(std::string& out, uint64_t value, int bits_per_digit) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const int used_bits = std::max(1, 64 - std::countl_zero(value));
  for (int digit = (used_bits - 1) / bits_per_digit; digit >= 0; --digit) {
    out += kDigits[(value >> (digit * bits_per_digit)) & ((1U << bits_per_digit) - 1)];
  }
}

void appendHex(std::string_view bytes, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4];
    out += kDigits[static_cast<unsigned char>(c) & 15];
  }
}

Result<std::unique_ptr<ScalarKernel>> makeHex(const FunctionCall& call) {
  if (call.arguments[0].type.physicalType() == PhysicalType::STRING) {
    return functionKernel<std::string(std::string_view)>(call.result_type, appendHex);
  }
  return functionKernel<std::string(int64_t)>(
      call.result_type, [](int64_t value, std::string& out) { appendDigits(out, static_cast<uint64_t>(value), 4); });
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// False (NULL) for a character that is no digit. Of an odd number of digits the first counts as a zero byte, as in
/// Flink.
bool unhex(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (hexDigit(c) < 0) return false;
  }
  if (text.size() % 2 == 1) {
    out += '\0';
    text.remove_prefix(1);
  }
  for (size_t i = 0; i < text.size(); i += 2) out += static_cast<char>(hexDigit(text[i]) * 16 + hexDigit(text[i + 1]));
  return true;
}

void addConstant(ScalarList& list, std::string name, double value, std::string description, std::string example) {
  list.push_back({.name = name,
                  .category = "math",
                  .signature = name + "()",
                  .description = std::move(description),
                  .example = std::move(example),
                  .resolve = signature({}, returnsNotNull(DataType::float64())),
                  .make = kernelMaker<double()>([value] { return value; })});
}

}  // namespace

void addBasicMathFunctions(ScalarList& list) {
  list.push_back({.name = "ABS",
                  .category = "math",
                  .signature = "ABS(number)",
                  .description = "The absolute value. Of the lowest integer of a type it is that integer.",
                  .example = "ABS(-5) = 5",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::number("number")}, returnsArgument(0)),
                  .make = makeAbs,
                  .strict = true});
  list.push_back({.name = "SIGN",
                  .category = "math",
                  .signature = "SIGN(number)",
                  .description = "-1, 0 or 1, in the type of the argument.",
                  .example = "SIGN(-5) = -1",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::number("number")}, returnsArgument(0)),
                  .make = makeSign,
                  .strict = true});
  addConstant(list, "E", std::numbers::e, "Euler's number.", "E() = 2.718281828459045");
  addConstant(list, "PI", std::numbers::pi, "The ratio of a circle's circumference to its diameter.",
              "PI() = 3.141592653589793");
  list.push_back({.name = "BIN",
                  .category = "math",
                  .signature = "BIN(integer)",
                  .description = "The binary digits; of a negative number those of its 64 bits.",
                  .example = "BIN(10) = '1010'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::bigint("integer")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(int64_t)>(
                      [](int64_t value, std::string& out) { appendDigits(out, static_cast<uint64_t>(value), 1); }),
                  .strict = true});
  list.push_back(
      {.name = "HEX",
       .category = "math",
       .signature = "HEX(integer | text)",
       .description = "The hexadecimal digits of a number (of 64 bits if negative) or of the bytes of a text.",
       .example = "HEX(255) = 'FF'",
       .min_arguments = 1,
       .max_arguments = 1,
       .resolve = anyOf({signature({param::bigint("value")}, returns(DataType::string())),
                         signature({param::text("value")}, returns(DataType::string()))}),
       .make = makeHex,
       .strict = true});
  list.push_back({.name = "UNHEX",
                  .category = "math",
                  .signature = "UNHEX(text)",
                  .description = "The bytes that hexadecimal digits stand for; NULL for other text.",
                  .example = "HEX(UNHEX('466C')) = '466C'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returnsNullable(DataType::bytes())),
                  .make = kernelMaker<std::string(std::string_view)>(unhex),
                  .strict = true});
}

}  // namespace thalweg
