// Joining texts: ||, CONCAT, CONCAT_WS, and the choice among them, ELT.
#include <algorithm>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/positions.h"
#include "common/types/type_rules.h"

namespace thalweg {
namespace {

using TextReader = ColumnReader<std::string_view>;

std::vector<TextReader> readers(std::span<const VectorPtr> arguments) {
  std::vector<TextReader> readers;
  for (const VectorPtr& argument : arguments) readers.emplace_back(*argument);
  return readers;
}

/// Joins all arguments, writing straight into the result's buffer; NULL if one is.
class ConcatKernel final : public ScalarKernel {
 public:
  explicit ConcatKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const std::vector<TextReader> parts = readers(arguments);
    StringBuilder out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (std::ranges::any_of(parts, [row](const TextReader& part) { return part.isNull(row); })) {
        out.appendNull();
        continue;
      }
      size_t size = 0;
      for (const TextReader& part : parts) size += part.stored(row).length;
      char inlined[StringRef::kInlineMax];
      const bool is_short = size <= StringRef::kInlineMax;
      char* target = is_short ? inlined : out.reserve(size);
      for (const TextReader& part : parts) {
        const std::string_view text = part[row];
        std::memcpy(target, text.data(), text.size());
        target += text.size();
      }
      if (is_short) out.append({inlined, size});
      else out.commit(size);
    }
    return out.finish();
  }

 private:
  DataType result_type_;
};

/// Joins the arguments that are not NULL with the first one between them.
class ConcatWithSeparatorKernel final : public ScalarKernel {
 public:
  explicit ConcatWithSeparatorKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const std::vector<TextReader> texts = readers(arguments);
    StringBuilder out(result_type_, rows);
    for (size_t row = 0; row < rows; ++row) {
      if (texts[0].isNull(row)) {
        out.appendNull();
        continue;
      }
      joined_.clear();
      bool first = true;
      for (size_t i = 1; i < texts.size(); ++i) {
        if (texts[i].isNull(row)) continue;
        if (!first) joined_.append(texts[0][row]);
        first = false;
        joined_.append(texts[i][row]);
      }
      out.append(joined_);
    }
    return out.finish();
  }

 private:
  DataType result_type_;
  std::string joined_;
};

/// ELT(index, a, b, …): the index-th of the others.
class EltKernel final : public ScalarKernel {
 public:
  explicit EltKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const RowReader<AnyInteger> index(*arguments[0]);
    const std::vector<TextReader> texts = readers(arguments.subspan(1));
    StringBuilder out(result_type_, rows);
    std::vector<size_t> tokens;
    for (const VectorPtr& argument : arguments.subspan(1)) tokens.push_back(out.adopt(*argument));
    for (size_t row = 0; row < rows; ++row) {
      const int64_t chosen = index.isNullRow(row) ? 0 : index[row];
      if (chosen < 1 || chosen > static_cast<int64_t>(texts.size()) || texts[static_cast<size_t>(chosen - 1)].isNull(row)) {
        out.appendNull();
        continue;
      }
      const auto at = static_cast<size_t>(chosen - 1);
      out.appendShared(texts[at][row], texts[at].stored(row), tokens[at]);
    }
    return out.finish();
  }

 private:
  DataType result_type_;
};

/// CHAR joined with CHAR stays CHAR; lengths add up.
DataType joinedType(std::span<const DataType> types) {
  int64_t length = 0;
  bool fixed = true;
  for (const DataType& type : types) {
    length += type.length();
    fixed = fixed && type.kind() == TypeKind::CHAR;
  }
  const int shown = static_cast<int>(std::min<int64_t>(length, DataType::kMaxLength));
  const bool nullable = anyNullable(types);
  return fixed ? DataType::character(shown, nullable) : DataType::varchar(shown, nullable);
}

/// The common type of the choices, as varying text or bytes unless they are all of one CHAR or BINARY type.
Result<ResolvedSignature> resolveElt(std::span<const ArgumentInfo> arguments) {
  static const Resolve texts = signature({positionParameter("index"), param::repeated(param::text("text"))}, returnsArgument(1));
  static const Resolve bytes = signature({positionParameter("index"), param::repeated(param::binary("bytes"))}, returnsArgument(1));
  static const Resolve both = anyOf({texts, bytes});
  ASSIGN_OR_RETURN(ResolvedSignature resolved, both(arguments));
  const bool of_bytes = std::ranges::any_of(arguments.subspan(1), [](const ArgumentInfo& argument) { return argument.type.isBinary(); });
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i].type.isNull()) resolved.argument_types[i] = of_bytes ? DataType::varbinary(1) : DataType::varchar(1);
  }
  const std::span<const DataType> choices = std::span(resolved.argument_types).subspan(1);
  resolved.result_type = leastRestrictive(choices).value_or(DataType::string()).asNullable();
  return resolved;
}

}  // namespace

void addStringConcatFunctions(ScalarList& list) {
  list.push_back({.name = "||",
                  .category = "string",
                  .signature = "text || text",
                  .description = "Two texts as one.",
                  .example = "'ab' || 'c' = 'abc'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::text("text"), param::text("text")}, joinedType),
                  .make = makerOf<ConcatKernel>(),
                  .strict = true,
                  .listed = false});
  list.push_back({.name = "CONCAT",
                  .category = "string",
                  .signature = "CONCAT(text[, text…])",
                  .description = "All texts as one; NULL if one of them is.",
                  .example = "CONCAT('a', 'b', 'c') = 'abc'",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = signature({param::repeated(param::text("text"))}, returns(DataType::string())),
                  .make = makerOf<ConcatKernel>(),
                  .strict = true});
  list.push_back({.name = "CONCAT_WS",
                  .category = "string",
                  .signature = "CONCAT_WS(separator[, text…])",
                  .description = "All texts that are not NULL as one, with a separator between them.",
                  .example = "CONCAT_WS('-', 'a', CAST(NULL AS STRING), 'b') = 'a-b'",
                  .min_arguments = 1,
                  .max_arguments = SIZE_MAX,
                  .resolve = signature({param::text("separator"), param::optional(param::repeated(param::text("text")))},
                                       returns(DataType::string())),
                  .make = makerOf<ConcatWithSeparatorKernel>()});
  list.push_back({.name = "ELT",
                  .category = "string",
                  .signature = "ELT(index, text[, text…])",
                  .description = "The text (or bytes) at a position of the list, counted from 1; NULL outside of it.",
                  .example = "ELT(2, 'a', 'b') = 'b'",
                  .min_arguments = 2,
                  .max_arguments = SIZE_MAX,
                  .resolve = resolveElt,
                  .make = withIntPositions("ELT", makerOf<EltKernel>())});
}

}  // namespace thalweg
