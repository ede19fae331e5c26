// Equality of text and bytes over the 16-byte views: most pairs differ in length or in the first four bytes, which
// stand side by side.
#include <cstring>

#include "common/columnar/builder.h"
#include "common/columnar/column_reader.h"
#include "common/functions/conditions/comparison.h"
#include "common/functions/strict_nulls.h"

namespace thalweg {

namespace {

uint64_t firstHalf(const StringRef& ref) {
  uint64_t half;
  std::memcpy(&half, &ref, sizeof half);
  return half;
}

uint64_t secondHalf(const StringRef& ref) {
  uint64_t half;
  std::memcpy(&half, reinterpret_cast<const char*>(&ref) + 8, sizeof half);
  return half;
}

class TextEqualityKernel final : public ScalarKernel {
 public:
  TextEqualityKernel(bool negated, DataType result_type) : negated_(negated), result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const bool swap = arguments[0]->isConstant();
    const ColumnReader<std::string_view> left(*arguments[swap ? 1 : 0]);
    const ColumnReader<std::string_view> right(*arguments[swap ? 0 : 1]);
    FlatBuilder<bool> builder(result_type_, rows);
    uint8_t* out = builder.raw();
    const auto flip = static_cast<uint8_t>(negated_);
    if (rows > 0 && right.isConstant() && right.stored(0).isInline()) {
      const uint64_t first = firstHalf(right.stored(0));
      const uint64_t second = secondHalf(right.stored(0));
      for (size_t row = 0; row < rows; ++row) {
        const StringRef& ref = left.stored(row);
        const bool equal = firstHalf(ref) == first && secondHalf(ref) == second;
        out[row] = static_cast<uint8_t>(equal) ^ flip;
      }
    } else {
      const uint8_t* const* left_bases = left.mapping().flat().stringBases();
      const uint8_t* const* right_bases = right.mapping().flat().stringBases();
      for (size_t row = 0; row < rows; ++row) {
        out[row] = static_cast<uint8_t>(equals(left.stored(row), left_bases, right.stored(row), right_bases)) ^ flip;
      }
    }
    return mergeArgumentNulls(builder.finish(), arguments);
  }

 private:
  static bool equals(const StringRef& a, const uint8_t* const* a_bases, const StringRef& b,
                     const uint8_t* const* b_bases) {
    if (firstHalf(a) != firstHalf(b)) return false;
    if (a.isInline()) return secondHalf(a) == secondHalf(b);
    return a.view(a_bases) == b.view(b_bases);
  }

  bool negated_;
  DataType result_type_;
};

}  // namespace

std::unique_ptr<ScalarKernel> makeTextEqualityKernel(bool negated, const DataType& result_type) {
  return std::make_unique<TextEqualityKernel>(negated, result_type);
}

}  // namespace thalweg
