// LIKE and SIMILAR TO. A literal pattern is compiled once, at planning's end: a faulty one is a plan error there and a
// failure of the job when it comes from a column.
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/compiled_cache.h"
#include "common/functions/text/java_regex.h"
#include "common/functions/text/like_pattern.h"
#include "common/functions/text/similar_pattern.h"

namespace thalweg {
namespace {

Result<LikePattern> compilePattern(const LikePattern*, std::string_view pattern, std::optional<std::string_view> escape) {
  return LikePattern::compile(pattern, escape);
}
Result<JavaRegex> compilePattern(const JavaRegex*, std::string_view pattern, std::optional<std::string_view> escape) {
  return compileSimilarPattern(pattern, escape);
}
bool matches(const LikePattern& pattern, std::string_view text) { return pattern.matches(text); }
bool matches(const JavaRegex& pattern, std::string_view text) { return pattern.matchesWhole(text); }

/// The pattern if it (and its escape) are literals; compiling it is what fails.
template <typename Pattern>
Result<std::optional<Pattern>> literalPattern(std::span<const ArgumentInfo> arguments) {
  std::optional<Pattern> compiled;
  const auto isKnown = [](const ArgumentInfo& argument) { return argument.literal && !argument.literal->isNull(); };
  if (!isKnown(arguments[1]) || (arguments.size() > 2 && !isKnown(arguments[2]))) return compiled;
  std::optional<std::string_view> escape;
  if (arguments.size() > 2) escape = arguments[2].literal->asString();
  Result<Pattern> pattern = compilePattern(static_cast<const Pattern*>(nullptr), arguments[1].literal->asString(), escape);
  if (!pattern.isOk() && pattern.status().code() == StatusCode::RUNTIME_ERROR) return compiled;   // the job's to fail
  ASSIGN_OR_RETURN(compiled, std::move(pattern));
  return compiled;
}

/// Of a literal pattern: only the text is looked at.
template <typename Pattern>
class LiteralMatchKernel final : public ScalarKernel {
 public:
  LiteralMatchKernel(const DataType& result_type, Pattern pattern)
      : inner_(functionKernel<bool(std::string_view)>(
            result_type, [shared = std::make_shared<const Pattern>(std::move(pattern))](std::string_view text) {
              return matches(*shared, text);
            })) {}
  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    return inner_->evaluate(context, arguments.first(1), rows);
  }

 private:
  std::unique_ptr<ScalarKernel> inner_;
};

template <typename Pattern>
Result<std::unique_ptr<ScalarKernel>> makeMatcher(const FunctionCall& call) {
  ASSIGN_OR_RETURN(std::optional<Pattern> literal, literalPattern<Pattern>(call.arguments));
  if (literal) return std::make_unique<LiteralMatchKernel<Pattern>>(call.result_type, std::move(*literal));
  const auto match = [cache = std::make_shared<CompiledCache<Pattern>>()](
                         std::string_view text, std::string_view key, std::string_view source,
                         std::optional<std::string_view> escape) -> Result<std::optional<bool>> {
    const Result<Pattern>& found = cache->get(
        key, [&](std::string_view) { return compilePattern(static_cast<const Pattern*>(nullptr), source, escape); });
    if (!found.isOk()) return Status::runtime(found.status().message());
    return std::optional<bool>(matches(*found, text));
  };
  if (call.arguments.size() == 2) {
    return functionKernel<bool(std::string_view, std::string_view)>(
        call.result_type, [match](std::string_view text, std::string_view source) -> Result<std::optional<bool>> {
          return match(text, source, source, std::nullopt);
        });
  }
  return functionKernel<bool(std::string_view, std::string_view, std::string_view)>(
      call.result_type, [match](std::string_view text, std::string_view source,
                                std::string_view escape) -> Result<std::optional<bool>> {
        const std::string key = std::string(escape) + '\0' + std::string(source);
        return match(text, key, source, escape);
      });
}

template <typename Pattern>
Result<ResolvedSignature> resolveMatcher(std::span<const ArgumentInfo> arguments) {
  static const Resolve types =
      signature({param::text("text"), param::text("pattern"), param::optional(param::text("escape"))}, returns(DataType::boolean()));
  ASSIGN_OR_RETURN(ResolvedSignature resolved, types(arguments));
  RETURN_IF_ERROR(literalPattern<Pattern>(arguments).status());
  return resolved;
}

}  // namespace

void addStringLikeFunctions(ScalarList& list) {
  list.push_back({.name = "LIKE",
                  .category = "comparison",
                  .signature = "text LIKE pattern [ESCAPE character]",
                  .description = "Whether the whole text fits a pattern, in which % is any characters and _ is one.",
                  .example = "'item_91' LIKE 'item%'",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = resolveMatcher<LikePattern>,
                  .make = makeMatcher<LikePattern>,
                  .strict = true,
                  .can_fail = true,
                  .listed = false});
  list.push_back({.name = "SIMILAR TO",
                  .category = "comparison",
                  .signature = "text SIMILAR TO pattern [ESCAPE character]",
                  .description = "Whether the whole text fits a regular expression of the SQL standard.",
                  .example = "'AB-100' SIMILAR TO '(AB|CD)-[0-9]+'",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = resolveMatcher<JavaRegex>,
                  .make = makeMatcher<JavaRegex>,
                  .strict = true,
                  .can_fail = true,
                  .listed = false});
}

}  // namespace thalweg
