// ScalarFunction: what the engine knows of one built-in function, and ScalarKernel, its vectorised body.
//
// Life of a call: the binder looks the name up in the FunctionRegistry, calls resolve() with the argument types
// (and literal values) to learn which types the arguments must be cast to and what the result is, inserts casts,
// and keeps a FunctionCall. Each operator instance makes its own kernel from that with make(), so a kernel may
// keep scratch memory and compiled patterns; it is used by one thread at a time.
//
// A kernel computes all `rows` rows it is given: rows that must not be computed (CASE branches, filtered rows)
// never reach it. NULL handling is the kernel's own unless the function is STRICT: then the kernel need not look at
// nulls: rows with a NULL argument are NULL in the result, whatever the kernel wrote there — and the kernel must
// neither fail nor read outside buffers on them (their data is zero/empty). Use adapters (kernel_adapters.h).
// A value that the arithmetic refuses (division by zero, failed cast) is Status::runtime, naming value and cause.
// Registries are explicit tables: list.cc.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"
#include "common/types/time_zone.h"

namespace thalweg {

/// What a call sees besides its arguments. Owned by the operator; the engine updates the moving parts.
struct EvalContext {
  const TimeZone* session_zone = nullptr;          ///< table.local-time-zone; never null when evaluating
  int64_t query_start_ms = 0;                      ///< wall clock of the job's start: CURRENT_TIMESTAMP in BATCH
  std::function<int64_t()> now_ms;                 ///< the Clock seam: CURRENT_ROW_TIMESTAMP, streaming CURRENT_TIMESTAMP, PROCTIME()
  std::function<uint64_t()> random;                ///< seeded random source
  EventTime current_watermark = kMinWatermark;     ///< before the batch's first row (pieces never straddle a mark
                                                   ///< when an expression asks for it)
  bool batch_mode = false;
};

/// One argument as the binder knows it. `literal` is set for constants (after folding).
struct ArgumentInfo {
  DataType type;
  std::optional<Value> literal = std::nullopt;
};

/// The answer of resolve(): argument types after implicit casts (same count as given) and the result type.
struct ResolvedSignature {
  std::vector<DataType> argument_types;
  DataType result_type;
};

/// A resolved call, all a kernel is made of.
struct FunctionCall {
  std::vector<ArgumentInfo> arguments;   ///< types after casts; literals cast likewise
  DataType result_type;
};

class ScalarKernel {
 public:
  virtual ~ScalarKernel() = default;
  /// `arguments` have the resolved types, any encoding, `rows` rows each. The result has `rows` rows, any encoding.
  virtual Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) = 0;
};

/// When a call may be folded or repeated.
enum class Determinism : uint8_t {
  DETERMINISTIC,      ///< same arguments, same result: may be folded to a constant
  DYNAMIC,            ///< constant within one query run (CURRENT_DATE in batch)
  NON_DETERMINISTIC,  ///< differs per call (RAND, UUID, CURRENT_ROW_TIMESTAMP)
};

struct ScalarFunction {
  std::string name;                        ///< upper case, as SHOW FUNCTIONS lists it in lower case
  std::vector<std::string> aliases = {};   ///< further names, also infix operator texts: "+", "=", "||"
  std::string category;                    ///< section of the reference page: "string", "arithmetic", …
  std::string signature;                   ///< for people: `SUBSTRING(text, start[, length])`
  std::string description;                 ///< one or two sentences
  std::string example;                     ///< `SUBSTRING('abc', 2) = 'bc'`; run by the tests
  size_t min_arguments = 0;
  size_t max_arguments = 0;                ///< SIZE_MAX: variadic
  /// Types, or a PLAN_ERROR that says which argument is wrong and what was expected.
  std::function<Result<ResolvedSignature>(std::span<const ArgumentInfo>)> resolve;
  std::function<Result<std::unique_ptr<ScalarKernel>>(const FunctionCall&)> make;
  Determinism determinism = Determinism::DETERMINISTIC;
  bool strict = false;                     ///< NULL in, NULL out; the evaluator merges nulls after the kernel
  bool can_fail = false;                   ///< may return an error for some argument values: evaluated lazily in AND/OR/CASE
  bool listed = true;                      ///< shown by SHOW FUNCTIONS (operators and internal ones are not)
};

}  // namespace thalweg
