// Slice kernels: text functions whose result is a part of one argument. Nothing is copied: long parts refer to the
// argument's string buffers.
//
//   sliceKernel<0, AnyInteger>(call.result_type, [](std::string_view text, int64_t n) { return leftOf(text, n); })
//
// The function takes the text and then the other arguments in order (words as in kernel_adapters.h) and returns a
// std::string_view, an optional of it or a Result of that, which lies within the text or has at most 12 bytes.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "common/columnar/builder.h"
#include "common/functions/row_access.h"
#include "common/functions/scalar_function.h"
#include "common/functions/strict_nulls.h"

namespace thalweg {

template <size_t kText, typename Slice, typename... As>
class SliceKernel final : public ScalarKernel {
 public:
  SliceKernel(DataType result_type, std::array<size_t, sizeof...(As)> others, Slice slice)
      : result_type_(std::move(result_type)), others_(others), slice_(std::move(slice)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    return run(arguments, rows, std::index_sequence_for<As...>{});
  }

 private:
  template <size_t... I>
  Result<VectorPtr> run(std::span<const VectorPtr> arguments, size_t rows, std::index_sequence<I...>) {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    return fill(*arguments[kText], rows, RowReader<As>(*arguments[others_[I]])...);
  }

  template <typename... Readers>
  Result<VectorPtr> fill(const Vector& column, size_t rows, Readers... readers) {
    const ColumnReader<std::string_view> text(column);
    StringBuilder out(result_type_, rows);
    const size_t token = out.adopt(column);
    const bool check_nulls = text.mayHaveNulls() || (readers.makesNull() || ...);
    for (size_t row = 0; row < rows; ++row) {
      if (check_nulls && (text.isNull(row) || (readers.isNullRow(row) || ...))) {
        out.appendNull();
        continue;
      }
      std::optional<std::string_view> part;
      if constexpr (std::is_constructible_v<std::optional<std::string_view>, decltype(slice_(text[row], readers[row]...))>) {
        part = slice_(text[row], readers[row]...);
      } else {
        ASSIGN_OR_RETURN(part, slice_(text[row], readers[row]...));
      }
      if (part) out.appendShared(*part, text.stored(row), token);
      else out.appendNull();
    }
    return out.finish();
  }

  DataType result_type_;
  std::array<size_t, sizeof...(As)> others_;
  Slice slice_;
};

/// The text is argument kText, the As are arguments 0, 1, … without it.
template <size_t kText, typename... As, typename Slice>
std::unique_ptr<ScalarKernel> sliceKernel(DataType result_type, Slice slice) {
  std::array<size_t, sizeof...(As)> others{};
  for (size_t i = 0; i < others.size(); ++i) others[i] = i < kText ? i : i + 1;
  return std::make_unique<SliceKernel<kText, Slice, As...>>(std::move(result_type), others, std::move(slice));
}

}  // namespace thalweg
