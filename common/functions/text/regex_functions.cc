// The REGEXP functions, over Java's syntax (java_regex.h).
//
// A literal expression is compiled once; others are cached by their text. One that is not valid gives NULL (FALSE for
// REGEXP), as in Flink; one that uses what this engine lacks is refused, at planning if it is a literal.
#include "common/functions/collections/nested_columns.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/compiled_cache.h"
#include "common/functions/text/java_regex.h"
#include "common/functions/text/text_slice.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

/// Where the expressions of a call come from; copies share what is compiled.
class RegexSource {
 public:
  RegexSource() : cache_(std::make_shared<CompiledCache<JavaRegex>>()) {}

  /// The compiled expression, null if the text is none; fails for what is not supported.
  Result<const JavaRegex*> get(std::string_view pattern) {
    const Result<JavaRegex>& found = cache_->get(pattern, JavaRegex::compile);
    if (found.isOk()) return &*found;
    if (found.status().code() == StatusCode::NOT_SUPPORTED) return found.status();
    return static_cast<const JavaRegex*>(nullptr);
  }

 private:
  std::shared_ptr<CompiledCache<JavaRegex>> cache_;
};

/// signature() that also refuses literal expressions which use what is not supported.
Resolve regexSignature(std::vector<Parameter> more, ResultRule result) {
  std::vector<Parameter> parameters = {param::text("text"), param::text("regex")};
  parameters.insert(parameters.end(), more.begin(), more.end());
  return [types = signature(std::move(parameters), std::move(result))](
             std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    ASSIGN_OR_RETURN(ResolvedSignature resolved, types(arguments));
    const std::optional<Value>& literal = arguments[1].literal;
    if (literal && !literal->isNull()) {
      const Status status = JavaRegex::compile(literal->asString()).status();
      if (status.code() == StatusCode::NOT_SUPPORTED) return status;
    }
    return resolved;
  };
}

using Groups = std::array<std::string_view, JavaRegex::kGroupsMax + 1>;

std::span<std::string_view> room(Groups& groups, int64_t group) {
  return std::span(groups).first(static_cast<size_t>(group) + 1);
}

bool hasGroup(const JavaRegex& regex, int64_t group) {
  return group >= 0 && group <= regex.groupCount() && group <= JavaRegex::kGroupsMax;
}

/// REGEXP_EXTRACT: a group of the first match.
Result<std::unique_ptr<ScalarKernel>> makeExtract(const FunctionCall& call) {
  auto extract = [source = RegexSource()](
                           std::string_view text, std::string_view pattern,
                           auto group_number) mutable -> Result<std::optional<std::string_view>> {
    const auto group = static_cast<int64_t>(group_number);
    ASSIGN_OR_RETURN(const JavaRegex* regex, source.get(pattern));
    Groups groups;
    std::optional<std::string_view> found;
    if (regex && hasGroup(*regex, group) && regex->find(text, 0, room(groups, group))) {
      const std::string_view part = groups[static_cast<size_t>(group)];
      if (part.data() != nullptr) found = part;
    }
    return found;
  };
  if (call.arguments.size() == 2) {
    return sliceKernel<0, std::string_view>(
        call.result_type,
        [extract](std::string_view text, std::string_view pattern) mutable { return extract(text, pattern, 0); });
  }
  return sliceKernel<0, std::string_view, AnyInteger>(call.result_type, extract);
}

/// REGEXP_EXTRACT_ALL: a group of every match, as an array.
class ExtractAllKernel final : public ScalarKernel {
 public:
  explicit ExtractAllKernel(const FunctionCall& call) : result_type_(call.result_type) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const ColumnReader<std::string_view> text(*arguments[0]);
    const ColumnReader<std::string_view> pattern(*arguments[1]);
    std::optional<RowReader<AnyInteger>> group;
    if (arguments.size() > 2) group.emplace(*arguments[2]);
    ListOffsets lists(result_type_, rows);
    StringBuilder parts(result_type_.child(0), rows);
    const size_t token = parts.adopt(*arguments[0]);
    for (size_t row = 0; row < rows; ++row) {
      bool valid = !text.isNull(row) && !pattern.isNull(row) && !(group && group->isNullRow(row));
      if (valid) {
        ASSIGN_OR_RETURN(const JavaRegex* regex, source_.get(pattern[row]));
        valid = regex != nullptr && append(*regex, text[row], text.stored(row), group ? (*group)[row] : 1, parts, token);
      }
      if (valid) lists.endRow(parts.size());
      else lists.endNull(parts.size());
    }
    return lists.finish({parts.finish()});
  }

 private:
  static bool append(const JavaRegex& regex, std::string_view text, const StringRef& stored, int64_t group,
                     StringBuilder& parts, size_t token) {
    if (!hasGroup(regex, group)) return false;
    Groups groups;
    regex.forEachMatch(text, room(groups, group), [&] {
      const std::string_view part = groups[static_cast<size_t>(group)];
      if (part.data() == nullptr) parts.appendNull();
      else parts.appendShared(part, stored, token);
      return true;
    });
    return true;
  }

  DataType result_type_;
  RegexSource source_;
};

/// REGEXP_REPLACE: the replacement stands for itself, without groups.
Result<std::unique_ptr<ScalarKernel>> makeReplace(const FunctionCall& call) {
  return functionKernel<std::string(std::string_view, std::string_view, std::string_view)>(
      call.result_type,
      [source = RegexSource()](std::string_view text, std::string_view pattern,
                                                       std::string_view replacement) mutable -> Result<std::optional<std::string>> {
        ASSIGN_OR_RETURN(const JavaRegex* regex, source.get(pattern));
        std::optional<std::string> replaced;
        if (regex == nullptr) return replaced;
        replaced.emplace();
        std::string_view match[1];
        size_t begin = 0;
        regex->forEachMatch(text, match, [&] {
          const auto at = static_cast<size_t>(match[0].data() - text.data());
          replaced->append(text.substr(begin, at - begin)).append(replacement);
          begin = at + match[0].size();
          return true;
        });
        replaced->append(text.substr(begin));
        return replaced;
      });
}

/// A number about text and expression; none for an expression that is not valid.
template <typename Measure>
KernelMaker measureMaker(Measure measure) {
  return [measure](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    return functionKernel<int32_t(std::string_view, std::string_view)>(
        call.result_type, [measure, source = RegexSource()](
                              std::string_view text, std::string_view pattern) mutable -> Result<std::optional<int32_t>> {
          ASSIGN_OR_RETURN(const JavaRegex* regex, source.get(pattern));
          std::optional<int32_t> number;
          if (regex) number = measure(*regex, text);
          return number;
        });
  };
}

int32_t countMatches(const JavaRegex& regex, std::string_view text) {
  int32_t count = 0;
  std::string_view match[1];
  regex.forEachMatch(text, match, [&] { return ++count > 0; });
  return count;
}

int32_t positionOfMatch(const JavaRegex& regex, std::string_view text) {
  std::string_view match[1];
  if (!regex.find(text, 0, match)) return 0;
  return static_cast<int32_t>(codePointCount(text.substr(0, static_cast<size_t>(match[0].data() - text.data())))) + 1;
}

Result<std::unique_ptr<ScalarKernel>> makeRegexp(const FunctionCall& call) {
  return functionKernel<bool(std::string_view, std::string_view)>(
      call.result_type, [source = RegexSource()](
                            std::string_view text, std::string_view pattern) mutable -> Result<std::optional<bool>> {
        ASSIGN_OR_RETURN(const JavaRegex* regex, source.get(pattern));
        return std::optional<bool>(regex && !pattern.empty() && regex->contains(text));
      });
}

Result<std::unique_ptr<ScalarKernel>> makeSubstring(const FunctionCall& call) {
  return sliceKernel<0, std::string_view>(
      call.result_type, [source = RegexSource()](
                            std::string_view text, std::string_view pattern) mutable -> Result<std::optional<std::string_view>> {
        ASSIGN_OR_RETURN(const JavaRegex* regex, source.get(pattern));
        std::string_view match[1];
        std::optional<std::string_view> found;
        if (regex && regex->find(text, 0, match)) found = match[0];
        return found;
      });
}

}  // namespace

void addRegexFunctions(ScalarList& list) {
  const auto add = [&](std::string name, std::string more, std::string description, std::string example, size_t max_arguments,
                       Resolve resolve, KernelMaker make) {
    list.push_back({.name = name,
                    .category = "string",
                    .signature = name + "(text, regex" + more + ")",
                    .description = std::move(description),
                    .example = std::move(example),
                    .min_arguments = name == "REGEXP_REPLACE" ? size_t{3} : size_t{2},
                    .max_arguments = max_arguments,
                    .resolve = std::move(resolve),
                    .make = std::move(make),
                    .strict = true,
                    .can_fail = true});
  };
  const Parameter group = param::optional(param::integer("group"));
  add("REGEXP", "", "Whether a regular expression matches some part of a text.", "REGEXP('abc1', '[0-9]')", 2,
      regexSignature({}, returns(DataType::boolean())), makeRegexp);
  add("REGEXP_EXTRACT", "[, group]", "A group (0 is the whole) of the first match; NULL without one.",
      "REGEXP_EXTRACT('a=1', '(\\w)=(\\d)', 2) = '1'", 3, regexSignature({param::optional(param::bigint("group"))}, returnsNullable(DataType::string())), makeExtract);
  add("REGEXP_EXTRACT_ALL", "[, group]", "A group (1 unless said) of every match, as an array.",
      "CARDINALITY(REGEXP_EXTRACT_ALL('a1b2', '([0-9])')) = 2", 3,
      regexSignature({group}, returnsNullable(DataType::array(DataType::string()))),
      [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> { return std::make_unique<ExtractAllKernel>(call); });
  add("REGEXP_REPLACE", ", replacement", "The text with every match replaced; the replacement is plain text.",
      "REGEXP_REPLACE('a1b22', '[0-9]+', '#') = 'a#b#'", 3,
      regexSignature({param::text("replacement")}, returns(DataType::string())), makeReplace);
  add("REGEXP_COUNT", "", "The number of matches.", "REGEXP_COUNT('banana', 'an') = 2", 2,
      regexSignature({}, returnsNullable(DataType::integer())), measureMaker(countMatches));
  add("REGEXP_INSTR", "", "The position of the first match, from 1; 0 without one.", "REGEXP_INSTR('abc1', '[0-9]') = 4", 2,
      regexSignature({}, returnsNullable(DataType::integer())), measureMaker(positionOfMatch));
  add("REGEXP_SUBSTR", "", "The first match; NULL without one.", "REGEXP_SUBSTR('abc12', '[0-9]+') = '12'", 2,
      regexSignature({}, returnsNullable(DataType::string())), makeSubstring);
}

}  // namespace thalweg
