// RAND, RAND_INTEGER and UUID. Without a seed they draw from the operator's seeded source; with one they give the
// sequence of java.util.Random, as in Flink: a constant seed starts one sequence per task, any other one a row.
#include <optional>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {

namespace {

/// The linear congruential generator of java.util.Random.
class JavaRandom {
 public:
  explicit JavaRandom(int64_t seed) : state_((static_cast<uint64_t>(seed) ^ kMultiplier) & kMask) {}

  double nextDouble() {
    const int64_t high = nextBits(26);
    return static_cast<double>((high << 27) + nextBits(27)) * 0x1.0p-53;
  }

  /// Uniform in [0, bound), bound > 0.
  int32_t nextInt(int32_t bound) {
    int32_t bits = nextBits(31);
    const int32_t mask = bound - 1;
    if ((bound & mask) == 0) return static_cast<int32_t>((int64_t{bound} * bits) >> 31);
    for (int32_t value = bits % bound;; value = bits % bound) {
      if (int64_t{bits} - value + mask <= INT32_MAX) return value;
      bits = nextBits(31);
    }
  }

 private:
  static constexpr uint64_t kMultiplier = 0x5DEECE66DULL;
  static constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;

  int32_t nextBits(int count) {
    state_ = (state_ * kMultiplier + 0xB) & kMask;
    return static_cast<int32_t>(static_cast<int64_t>(state_ >> (48 - count)));
  }

  uint64_t state_;
};

Status boundError(int32_t bound) {
  return Status::runtime("the bound of RAND_INTEGER must be positive, but is " + std::to_string(bound));
}

std::optional<int32_t> literalSeed(const FunctionCall& call) {
  const Value* seed = literalArgument(call, 0);
  return seed == nullptr || seed->isNull() ? std::nullopt : std::optional(static_cast<int32_t>(seed->asInt()));
}

Result<std::unique_ptr<ScalarKernel>> makeRand(const FunctionCall& call) {
  if (call.arguments.empty()) {
    return functionKernel<double()>(
        call.result_type, [](EvalContext& context) { return static_cast<double>(context.random() >> 11) * 0x1.0p-53; });
  }
  if (const std::optional<int32_t> seed = literalSeed(call)) {
    return functionKernel<double(int32_t)>(
        call.result_type, [random = JavaRandom(*seed)](int32_t) mutable { return random.nextDouble(); });
  }
  return functionKernel<double(int32_t)>(call.result_type, [](int32_t seed) { return JavaRandom(seed).nextDouble(); });
}

Result<std::unique_ptr<ScalarKernel>> makeRandInteger(const FunctionCall& call) {
  if (call.arguments.size() == 1) {
    return functionKernel<int32_t(int32_t)>(
        call.result_type, [](EvalContext& context, int32_t bound, int32_t& out) -> Status {
          if (bound <= 0) return boundError(bound);
          out = static_cast<int32_t>(((context.random() >> 32) * static_cast<uint64_t>(bound)) >> 32);
          return {};
        });
  }
  const auto draw = [](JavaRandom& random, int32_t bound, int32_t& out) -> Status {
    if (bound <= 0) return boundError(bound);
    out = random.nextInt(bound);
    return {};
  };
  if (const std::optional<int32_t> seed = literalSeed(call)) {
    return functionKernel<int32_t(int32_t, int32_t)>(
        call.result_type, [draw, random = JavaRandom(*seed)](int32_t, int32_t bound, int32_t& out) mutable {
          return draw(random, bound, out);
        });
  }
  return functionKernel<int32_t(int32_t, int32_t)>(call.result_type, [draw](int32_t seed, int32_t bound, int32_t& out) {
    JavaRandom random(seed);
    return draw(random, bound, out);
  });
}

/// Version 4: 122 random bits.
void appendUuid(EvalContext& context, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  uint64_t high = context.random();
  uint64_t low = context.random();
  high = (high & ~uint64_t{0xF000}) | 0x4000;
  low = (low & ~(uint64_t{3} << 62)) | (uint64_t{1} << 63);
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) out += '-';
    const uint64_t half = digit < 16 ? high : low;
    out += kDigits[(half >> (60 - 4 * (digit % 16))) & 15];
  }
}

}  // namespace

void addRandomFunctions(ScalarList& list) {
  list.push_back({.name = "RAND",
                  .category = "math",
                  .signature = "RAND([seed])",
                  .description = "A random DOUBLE from 0 up to, but without 1; the same sequence for the same seed.",
                  .example = "RAND() < 1",
                  .min_arguments = 0,
                  .max_arguments = 1,
                  .resolve = signature({param::optional(param::integer("seed"))}, returns(DataType::float64())),
                  .make = makeRand,
                  .determinism = Determinism::NON_DETERMINISTIC});
  list.push_back({.name = "RAND_INTEGER",
                  .category = "math",
                  .signature = "RAND_INTEGER([seed, ]bound)",
                  .description = "A random INT from 0 up to, but without the bound.",
                  .example = "RAND_INTEGER(1) = 0",
                  .min_arguments = 1,
                  .max_arguments = 2,
                  .resolve = signature({param::integer("bound"), param::optional(param::integer("bound"))},
                                       returns(DataType::integer())),
                  .make = makeRandInteger,
                  .determinism = Determinism::NON_DETERMINISTIC,
                  .can_fail = true});
  list.push_back({.name = "UUID",
                  .category = "math",
                  .signature = "UUID()",
                  .description = "A random identifier (RFC 4122, version 4).",
                  .example = "CHAR_LENGTH(UUID()) = 36",
                  .resolve = signature({}, returnsNotNull(DataType::character(36))),
                  .make = kernelMaker<std::string()>(appendUuid),
                  .determinism = Determinism::NON_DETERMINISTIC});
}

}  // namespace thalweg
