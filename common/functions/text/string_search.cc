// Looking into a text: lengths, positions, beginnings and ends, character codes and classes.
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/positions.h"
#include "common/functions/text/unicode.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

/// Position of the first occurrence at or after the `start`-th character, from 1; 0 if there is none. An empty text
/// is always found at 1.
int32_t positionOf(std::string_view needle, std::string_view text, int64_t start) {
  if (needle.empty()) return 1;
  const size_t from = start <= 1 ? 0 : offsetOfCodePoint(text, static_cast<size_t>(start - 1));
  const size_t found = text.find(needle, from);
  if (found == std::string_view::npos) return 0;
  return static_cast<int32_t>(codePointCount(text.substr(0, found))) + 1;
}

/// INSTR with a start, which counts back from the end (and searches backwards) if negative, and the number of the
/// occurrence wanted; occurrences may overlap.
int32_t occurrenceOf(std::string_view text, std::string_view needle, int64_t start, int64_t occurrence) {
  if (start == 0) return 0;
  if (needle.empty()) return 1;
  const bool backwards = start < 0;
  size_t found = backwards ? offsetOfLast(text, static_cast<size_t>(-start))
                           : offsetOfCodePoint(text, static_cast<size_t>(start - 1));
  for (; occurrence > 0; --occurrence) {
    found = backwards ? text.rfind(needle, found) : text.find(needle, found);
    if (found == std::string_view::npos) return 0;
    if (occurrence == 1) break;
    if (backwards && found == 0) return 0;
    found = backwards ? found - 1 : found + 1;
  }
  return static_cast<int32_t>(codePointCount(text.substr(0, found))) + 1;
}

bool isAllLetters(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (!isLetter(nextCodePoint(text, at))) return false;
  }
  return !text.empty();
}
bool isAllDigits(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (!isDecimalDigit(nextCodePoint(text, at))) return false;
  }
  return !text.empty();
}
bool isNumberText(std::string_view text) { return parseDouble(text).has_value(); }

/// The character of a code below 256, larger ones by their last byte.
void characterOf(int64_t code, std::string& out) {
  if (code >= 0) appendCodePoint(out, static_cast<char32_t>(code & 0xff));
}

Result<std::unique_ptr<ScalarKernel>> makePosition(const FunctionCall& call) {
  if (call.arguments.size() == 3) {
    return functionKernel<int32_t(std::string_view, std::string_view, AnyInteger)>(call.result_type, positionOf);
  }
  return functionKernel<int32_t(std::string_view, std::string_view)>(
      call.result_type, [](std::string_view needle, std::string_view text) { return positionOf(needle, text, 1); });
}

Result<std::unique_ptr<ScalarKernel>> makeInstr(const FunctionCall& call) {
  if (call.arguments.size() == 2) {
    return functionKernel<int32_t(std::string_view, std::string_view)>(
        call.result_type, [](std::string_view text, std::string_view needle) { return positionOf(needle, text, 1); });
  }
  if (call.arguments.size() == 3) {
    return functionKernel<int32_t(std::string_view, std::string_view, AnyInteger)>(
        call.result_type, [](std::string_view text, std::string_view needle, int64_t start) {
          return occurrenceOf(text, needle, start, 1);
        });
  }
  return functionKernel<int32_t(std::string_view, std::string_view, AnyInteger, AnyInteger)>(
      call.result_type, [](std::string_view text, std::string_view needle, int64_t start, int64_t occurrence, int32_t& out) -> Status {
        if (occurrence < 1) return Status::runtime("INSTR counts occurrences from 1, found " + std::to_string(occurrence));
        out = occurrenceOf(text, needle, start, occurrence);
        return {};
      });
}

void addPositions(ScalarList& list) {
  const Resolve search = signature({param::text("part"), param::text("text"), param::optional(positionParameter("start"))},
                                   returns(DataType::integer()));
  list.push_back({.name = "POSITION",
                  .category = "string",
                  .signature = "POSITION(part IN text)",
                  .description = "Where a part first stands in a text, from 1; 0 if it does not.",
                  .example = "POSITION('na' IN 'banana') = 3",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = search,
                  .make = withIntPositions("LOCATE", makePosition),
                  .strict = true});
  list.push_back({.name = "LOCATE",
                  .category = "string",
                  .signature = "LOCATE(part, text[, start])",
                  .description = "Where a part first stands in a text at or after a position, from 1; 0 if it does not.",
                  .example = "LOCATE('a', 'banana', 3) = 4",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = search,
                  .make = withIntPositions("LOCATE", makePosition),
                  .strict = true});
  list.push_back({.name = "INSTR",
                  .category = "string",
                  .signature = "INSTR(text, part[, start[, occurrence]])",
                  .description = "Where a part stands in a text, from 1; 0 if it does not. A negative start searches back "
                                 "from the end.",
                  .example = "INSTR('banana', 'na') = 3",
                  .min_arguments = 2,
                  .max_arguments = 4,
                  .resolve = signature({param::text("text"), param::text("part"), param::optional(positionParameter("start")),
                                        param::optional(positionParameter("occurrence"))},
                                       returns(DataType::integer())),
                  .make = withIntPositions("INSTR", makeInstr),
                  .strict = true,
                  .can_fail = true});
}

void addMeasures(ScalarList& list) {
  list.push_back({.name = "CHAR_LENGTH",
                  .aliases = {"CHARACTER_LENGTH"},
                  .category = "string",
                  .signature = "CHAR_LENGTH(text)",
                  .description = "The number of characters.",
                  .example = "CHAR_LENGTH('größe') = 5",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returns(DataType::integer())),
                  .make = kernelMaker<int32_t(std::string_view)>(
                      [](std::string_view text) { return static_cast<int32_t>(codePointCount(text)); }),
                  .strict = true});
  list.push_back({.name = "ASCII",
                  .category = "string",
                  .signature = "ASCII(text)",
                  .description = "The code of the first character (of others than ASCII, the first byte of its UTF-8, "
                                 "signed); 0 for an empty text.",
                  .example = "ASCII('A') = 65",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returns(DataType::integer())),
                  .make = kernelMaker<int32_t(std::string_view)>([](std::string_view text) {
                    return text.empty() ? 0 : static_cast<int32_t>(static_cast<signed char>(text[0]));
                  }),
                  .strict = true});
  list.push_back({.name = "CHR",
                  .category = "string",
                  .signature = "CHR(code)",
                  .description = "The character of a code, modulo 256; an empty text for a negative code.",
                  .example = "CHR(65) = 'A'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::bigint("code")}, returnsNullable(DataType::string())),
                  .make = kernelMaker<std::string(AnyInteger)>(characterOf),
                  .strict = true});
}

void addTests(ScalarList& list) {
  const Resolve two = anyOf({signature({param::text("text"), param::text("part")}, returns(DataType::boolean())),
                             signature({param::binary("bytes"), param::binary("part")}, returns(DataType::boolean()))});
  list.push_back({.name = "STARTSWITH",
                  .category = "string",
                  .signature = "STARTSWITH(text, part)",
                  .description = "Whether a text (or bytes) begins with a part.",
                  .example = "STARTSWITH('kafka-topic', 'kafka')",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = two,
                  .make = kernelMaker<bool(std::string_view, std::string_view)>(
                      [](std::string_view text, std::string_view part) { return text.starts_with(part); }),
                  .strict = true});
  list.push_back({.name = "ENDSWITH",
                  .category = "string",
                  .signature = "ENDSWITH(text, part)",
                  .description = "Whether a text (or bytes) ends with a part.",
                  .example = "ENDSWITH('kafka-topic', 'topic')",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = two,
                  .make = kernelMaker<bool(std::string_view, std::string_view)>(
                      [](std::string_view text, std::string_view part) { return text.ends_with(part); }),
                  .strict = true});
  const Resolve text_of = signature({{.name = "value",
                                      .expected = "text or a number",
                                      .accepts = [](const DataType& type) { return type.isString() || type.isNumeric(); },
                                      .cast = [](const DataType& type) { return type.isString() ? type : DataType::string(); },
                                      .plain = DataType::string()}},
                                    returnsNotNull(DataType::boolean()));
  const auto addTest = [&](std::string name, std::string description, std::string example, bool (*test)(std::string_view)) {
    list.push_back({.name = name,
                    .category = "string",
                    .signature = name + "(text)",
                    .description = std::move(description),
                    .example = std::move(example),
                    .min_arguments = 1,
                    .max_arguments = 1,
                    .resolve = text_of,
                    .make = kernelMaker<bool(Nullable<std::string_view>)>(
                        [test](std::optional<std::string_view> text) { return text && test(*text); })});
  };
  addTest("IS_ALPHA", "Whether a text is of letters only and not empty.", "IS_ALPHA('abc')", isAllLetters);
  addTest("IS_DIGIT", "Whether a text is of digits only and not empty.", "IS_DIGIT('123')", isAllDigits);
  addTest("IS_DECIMAL", "Whether a text reads as a number.", "IS_DECIMAL('-12.5')", isNumberText);
}

}  // namespace

void addStringSearchFunctions(ScalarList& list) {
  addMeasures(list);
  addPositions(list);
  addTests(list);
}

}  // namespace thalweg
