// PRINTF.
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/java_format.h"

namespace thalweg {
namespace {

Result<std::unique_ptr<ScalarKernel>> makePrintf(const FunctionCall& call) {
  std::vector<DataType> types;
  for (const ArgumentInfo& argument : call.arguments) types.push_back(argument.type);
  return valueKernel(
      call.result_type,
      [types = std::move(types)](EvalContext& context, std::span<const Value> values) -> Result<Value> {
        if (values[0].isNull()) return Value::null();
        std::optional<std::string> text =
            formatJava(values[0].asString(), values.subspan(1), std::span(types).subspan(1), *context.session_zone);
        return text ? Value::string(std::move(*text)) : Value::null();
      },
      NullCalls::CALLED);
}

}  // namespace

void addStringFormatFunctions(ScalarList& list) {
  list.push_back({.name = "PRINTF",
                  .category = "string",
                  .signature = "PRINTF(format[, value…])",
                  .description = "A text by a pattern such as '%s has %5.2f', as Java's String.format (and C's printf) reads "
                                 "it; NULL for a pattern that does not fit the values.",
                  .example = "PRINTF('%05d', 42) = '00042'",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = signature({param::text("format"), param::optional(param::repeated(param::anything("value")))},
                                       returnsNullable(DataType::string())),
                  .make = makePrintf});
}

}  // namespace thalweg
