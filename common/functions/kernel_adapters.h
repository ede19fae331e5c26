// Kernel adapters: turn a plain C++ function over one row into a vectorised ScalarKernel.
//
//   functionKernel<int64_t(int64_t, int64_t)>(call.result_type, [](int64_t a, int64_t b) { return a + b; })
//   .make = kernelMaker<int32_t(std::string_view)>([](std::string_view text) { … })
//
// The signature says how columns are read and written, R(A, B, …):
//   bool, int8_t … int64_t, int128, float, double     fixed-width columns of that physical type
//   std::string_view                                   CHAR, VARCHAR, BINARY, VARBINARY (arguments)
//   std::string                                        the same (results)
//   AnyInteger, AnyDecimal, AnyTimestamp               every width or precision, seen as int64_t, int128, TimestampValue
//   Nullable<A>                                        an argument that arrives as std::optional; others make the row NULL
// What the function looks like decides the loop:
//   R f(A…)                                total: one tight loop over all rows, nulls merged afterwards
//   std::optional<R> f(A…)                 NULL where empty
//   Status f(A…, R& out)                   may fail; never called on rows with a NULL argument
//   Result<std::optional<R>> f(A…)         may fail or be NULL
//   void / bool / Status f(A…, std::string& out)   text results: `out` is an empty scratch string; false means NULL
//   std::string_view f(A…), std::optional<std::string_view> f(A…)   text results that are copied
// Each may take EvalContext& in front. A total function may also be called on the zeroed data of null rows.
// The function object is copied into every kernel, so it may keep scratch memory (mutable lambdas).
//
// Nested types go through valueKernel(): slow, a row at a time over Values.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"
#include "common/functions/row_access.h"
#include "common/functions/scalar_function.h"
#include "common/functions/strict_nulls.h"

namespace thalweg {

namespace adapters {

/// What the function returns decides how a row is written.
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <typename F, typename Out, typename... As>
constexpr bool kTakesOut = std::is_invocable_v<F&, As..., Out&> || std::is_invocable_v<F&, EvalContext&, As..., Out&>;

template <typename F, typename... Args>
struct Returns {
  using Type = std::invoke_result_t<F&, EvalContext&, Args...>;
};
template <typename F, typename... Args>
  requires std::is_invocable_v<F&, Args...>
struct Returns<F, Args...> {
  using Type = std::invoke_result_t<F&, Args...>;
};

template <typename Signature, typename F>
class FunctionKernel;

template <typename R, typename... As, typename F>
class FunctionKernel<R(As...), F> final : public ScalarKernel {
  using Out = typename RowWriter<R>::Value;
  static constexpr bool kOutParameter = kTakesOut<F, Out, typename RowReader<As>::Value...>;
  static constexpr bool kAnyNullable = (RowReader<As>::kNullable || ...);

  template <typename... Values>
  static auto invoke(F& function, EvalContext& context, Values&&... values) {
    if constexpr (std::is_invocable_v<F&, EvalContext&, Values...>) {
      return function(context, std::forward<Values>(values)...);
    } else {
      return function(std::forward<Values>(values)...);
    }
  }
  using Returned = typename std::conditional_t<kOutParameter, Returns<F, typename RowReader<As>::Value..., Out&>,
                                               Returns<F, typename RowReader<As>::Value...>>::Type;
  static constexpr bool kTotal = !kOutParameter && !kAnyNullable && RowWriter<R>::kFixedWidth &&
                                 !IsOptional<Returned>::value && std::is_convertible_v<Returned, Out>;

 public:
  FunctionKernel(DataType result_type, F function) : result_type_(std::move(result_type)), function_(std::move(function)) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    CHECK(arguments.size() == sizeof...(As));
    if (!kAnyNullable && anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    return run(context, arguments, rows, std::index_sequence_for<As...>{});
  }

 private:
  template <size_t... I>
  Result<VectorPtr> run(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows, std::index_sequence<I...>) {
    if constexpr (kTotal) {
      RowWriter<R> writer(result_type_, rows);
      if constexpr (sizeof...(As) == 1) {
        withOperand<As...>(*arguments[0], [&](auto a) { fill(context, writer, rows, a); });
      } else if constexpr (sizeof...(As) == 2) {
        fillBinary<As...>(context, writer, arguments, rows);
      } else {
        fill(context, writer, rows, RowReader<As>(*arguments[I])...);
      }
      return mergeArgumentNulls(writer.finish(), arguments);
    } else {
      return runRows(context, rows, RowReader<As>(*arguments[I])...);
    }
  }

  template <typename A, typename B>
  void fillBinary(EvalContext& context, RowWriter<R>& writer, std::span<const VectorPtr> arguments, size_t rows) {
    const Vector& left = *arguments[0];
    const Vector& right = *arguments[1];
    if constexpr (HasRaw<A> && HasRaw<B>) {
      const RowReader<A> a(left);
      const RowReader<B> b(right);
      if (a.isIdentity() && b.isIdentity()) return fill(context, writer, rows, a.flat(), b.flat());
      if (a.isIdentity() && b.isConstant()) return fill(context, writer, rows, a.flat(), b.constant());
      if (a.isConstant() && b.isIdentity()) return fill(context, writer, rows, a.constant(), b.flat());
    }
    fill(context, writer, rows, RowReader<A>(left), RowReader<B>(right));
  }

  template <typename A, typename Action>
  static void withOperand(const Vector& argument, Action&& action) {
    const RowReader<A> reader(argument);
    if constexpr (HasRaw<A>) {
      if (reader.isIdentity()) return action(reader.flat());
    }
    action(reader);
  }

  /// The tight loop of total functions.
  template <typename... Operands>
  void fill(EvalContext& context, RowWriter<R>& writer, size_t rows, Operands... operands) {
    if constexpr (RowWriter<R>::kRaw) {
      auto* __restrict out = writer.raw();
      for (size_t row = 0; row < rows; ++row) {
        out[row] = static_cast<std::remove_reference_t<decltype(out[row])>>(
            static_cast<Out>(invoke(function_, context, operands[row]...)));
      }
    } else {
      for (size_t row = 0; row < rows; ++row) writer.set(row, invoke(function_, context, operands[row]...));
    }
  }

  /// The careful loop: nulls looked at first, results that may be NULL or fail.
  template <typename... Readers>
  Result<VectorPtr> runRows(EvalContext& context, size_t rows, Readers... readers) {
    RowWriter<R> writer(result_type_, rows);
    const bool check_nulls = (readers.makesNull() || ...);
    [[maybe_unused]] Out scratch{};
    for (size_t row = 0; row < rows; ++row) {
      if (check_nulls && (readers.isNullRow(row) || ...)) {
        writer.setNull(row);
        continue;
      }
      if constexpr (kOutParameter) {
        if constexpr (std::is_same_v<Out, std::string>) scratch.clear();
        if constexpr (std::is_same_v<Returned, void>) {
          invoke(function_, context, readers[row]..., scratch);
        } else if constexpr (std::is_same_v<Returned, bool>) {
          if (!invoke(function_, context, readers[row]..., scratch)) {
            writer.setNull(row);
            continue;
          }
        } else {
          if (Status status = invoke(function_, context, readers[row]..., scratch); !status.isOk()) return status;
        }
        writer.set(row, scratch);
      } else if constexpr (IsOptional<Returned>::value) {
        writeOptional(writer, row, invoke(function_, context, readers[row]...));
      } else if constexpr (std::is_convertible_v<Returned, Out> || std::is_same_v<Returned, std::string_view>) {
        writer.set(row, invoke(function_, context, readers[row]...));
      } else {
        auto result = invoke(function_, context, readers[row]...);
        if (!result.isOk()) return result.status();
        writeOptional(writer, row, *result);
      }
    }
    return writer.finish();
  }

  template <typename Optional>
  static void writeOptional(RowWriter<R>& writer, size_t row, const Optional& value) {
    if (value) writer.set(row, *value);
    else writer.setNull(row);
  }

  DataType result_type_;
  F function_;
};

}  // namespace adapters

/// The kernel that applies `function` to every row; see the head of this file.
template <typename Signature, typename F>
std::unique_ptr<ScalarKernel> functionKernel(DataType result_type, F function) {
  return std::make_unique<adapters::FunctionKernel<Signature, F>>(std::move(result_type), std::move(function));
}

using KernelMaker = std::function<Result<std::unique_ptr<ScalarKernel>>(const FunctionCall&)>;

/// ScalarFunction::make for functions whose kernel depends on nothing but the result type.
template <typename Signature, typename F>
KernelMaker kernelMaker(F function) {
  return [function](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    return functionKernel<Signature>(call.result_type, function);
  };
}

/// ScalarFunction::make for a kernel class: made from the call if it wants the call, else from the result type; what
/// tells functions with one kernel apart follows.
template <typename Kernel, typename... More>
KernelMaker makerOf(More... more) {
  return [more...](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    if constexpr (std::is_constructible_v<Kernel, const FunctionCall&, More...>) return std::make_unique<Kernel>(call, more...);
    else return std::make_unique<Kernel>(call.result_type, more...);
  };
}

/// Whether a value kernel sees NULL arguments.
enum class NullCalls : uint8_t {
  STRICT,  ///< rows with a NULL argument are NULL, the function is not called
  CALLED,  ///< the function sees NULLs
};

/// One row as Values; the slow path, for nested types and odd shapes.
using ValueFunction = std::function<Result<Value>(EvalContext&, std::span<const Value>)>;
std::unique_ptr<ScalarKernel> valueKernel(DataType result_type, ValueFunction function, NullCalls nulls = NullCalls::STRICT);
KernelMaker valueKernelMaker(ValueFunction function, NullCalls nulls = NullCalls::STRICT);

/// `inner` over some of the arguments: those at `positions`, in that order. For keywords and constants that the
/// kernel knows already, and for swapping two.
std::unique_ptr<ScalarKernel> overArguments(std::vector<size_t> positions, std::unique_ptr<ScalarKernel> inner);

/// The literal that argument `i` is, or null if it is not constant (or left out).
inline const Value* literalArgument(const FunctionCall& call, size_t i) {
  return i < call.arguments.size() && call.arguments[i].literal ? &*call.arguments[i].literal : nullptr;
}

}  // namespace thalweg
