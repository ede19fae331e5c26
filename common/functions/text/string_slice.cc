// Parts of a text by position, by separator and by what surrounds them: SUBSTRING, LEFT, RIGHT, SPLIT_INDEX, TRIM
// and its kin. Positions and lengths count code points.
#include <algorithm>
#include <limits>

#include "common/base/byte_finder.h"
#include "common/base/failpoint.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/positions.h"
#include "common/functions/text/text_slice.h"
#include "common/functions/text/unicode.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

constexpr int64_t kToTheEnd = std::numeric_limits<int32_t>::max();

/// SUBSTRING: positions count from 1, or back from the end if negative; 0 acts as 1.
std::optional<std::string_view> substring(std::string_view text, int64_t start, int64_t length) {
  if (length < 0) return std::nullopt;
  if (THALWEG_MUTANT("substring_from_zero") && start > 0) ++start;
  size_t begin = 0;
  if (start > 0) {
    begin = offsetOfCodePoint(text, static_cast<size_t>(start - 1));
  } else if (start < 0) {
    begin = offsetOfLast(text, static_cast<size_t>(-start));
    if (begin == 0) {  // the start may lie before the text: then it is empty
      if (static_cast<int64_t>(codePointCount(text)) < -start) return std::string_view();
    }
  }
  const std::string_view rest = text.substr(begin);
  return rest.substr(0, offsetOfCodePoint(rest, static_cast<size_t>(length)));
}

std::string_view leftOf(std::string_view text, int64_t count) {
  return count <= 0 ? std::string_view() : text.substr(0, offsetOfCodePoint(text, static_cast<size_t>(count)));
}
std::string_view rightOf(std::string_view text, int64_t count) {
  return count <= 0 ? std::string_view() : text.substr(offsetOfLast(text, static_cast<size_t>(count)));
}

/// splitIndex for a separator of one byte: one pass that finds separator `index - 1` and the next one.
std::optional<std::string_view> splitAtByte(std::string_view text, char separator, uint64_t index) {
  size_t begin = 0;
  ByteFinder separators(text, separator);
  for (; index > 0; --index) {
    const size_t found = separators.next();
    if (found == text.size()) return std::nullopt;
    begin = found + 1;
  }
  return text.substr(begin, separators.next() - begin);
}

bool isBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f); }

/// splitIndex at every blank: what an empty separator means.
std::optional<std::string_view> splitAtBlanks(std::string_view text, int64_t index) {
  auto begin = text.begin();
  for (; index > 0; --index) {
    const auto found = std::find_if(begin, text.end(), isBlank);
    if (found == text.end()) return std::nullopt;
    begin = found + 1;
  }
  return std::string_view(begin, std::find_if(begin, text.end(), isBlank));
}

/// SPLIT_INDEX: the parts between whole separators, empty ones included; an empty text has no parts.
std::optional<std::string_view> splitIndex(std::string_view text, std::string_view separator, int64_t index) {
  if (index < 0 || text.empty()) return std::nullopt;
  if (separator.empty()) return splitAtBlanks(text, index);
  if (separator.size() == 1) return splitAtByte(text, separator[0], static_cast<uint64_t>(index));
  size_t begin = 0;
  for (; index > 0; --index) {
    const size_t found = text.find(separator, begin);
    if (found == std::string_view::npos) return std::nullopt;
    begin = found + separator.size();
  }
  const size_t end = text.find(separator, begin);
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

/// The separator may be given as a character's code.
std::optional<std::string_view> splitAtCode(std::string_view text, int64_t code, int64_t index) {
  if (code <= 0 || code > 255) return std::nullopt;
  std::string separator;
  appendCodePoint(separator, static_cast<char32_t>(code));
  return splitIndex(text, separator, index);
}

struct TrimSides {
  bool leading = true;
  bool trailing = true;
};

/// Whether the character text[at, at+bytes) is among `characters`.
bool isAmong(std::string_view characters, std::string_view text, size_t at, size_t bytes) {
  const std::string_view one = text.substr(at, bytes);
  for (size_t begin = 0; begin < characters.size(); begin += characterBytes(characters, begin)) {
    if (characters.substr(begin, characterBytes(characters, begin)) == one) return true;
  }
  return false;
}

std::string_view trim(std::string_view text, std::string_view characters, TrimSides sides) {
  size_t begin = 0;
  size_t end = text.size();
  if (characters.size() == 1) {
    while (sides.leading && begin < end && text[begin] == characters[0]) ++begin;
    while (sides.trailing && end > begin && text[end - 1] == characters[0]) --end;
    return text.substr(begin, end - begin);
  }
  while (sides.leading && begin < end && isAmong(characters, text, begin, characterBytes(text, begin))) {
    begin += characterBytes(text, begin);
  }
  while (sides.trailing && end > begin) {
    const size_t at = std::max(previousCharacter(text, end), begin);
    if (!isAmong(characters, text, at, end - at)) break;
    end = at;
  }
  return text.substr(begin, end - begin);
}

Result<std::unique_ptr<ScalarKernel>> makeSubstring(const FunctionCall& call) {
  if (call.arguments.size() == 2) {
    return sliceKernel<0, AnyInteger>(call.result_type, [](std::string_view text, int64_t start) {
      return substring(text, start, kToTheEnd);
    });
  }
  return sliceKernel<0, AnyInteger, AnyInteger>(call.result_type, substring);
}

KernelMaker trimMaker(TrimSides sides) {
  return [sides](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    if (call.arguments.size() == 1) {
      return sliceKernel<0>(call.result_type, [sides](std::string_view text) { return trim(text, " ", sides); });
    }
    return sliceKernel<0, std::string_view>(call.result_type, [sides](std::string_view text, std::string_view characters) {
      return trim(text, characters, sides);
    });
  };
}

/// TRIM(side, characters, text).
Result<std::unique_ptr<ScalarKernel>> makeTrim(const FunctionCall& call) {
  const Value* side = literalArgument(call, 0);
  if (side == nullptr) return Status::internal("TRIM needs a side");
  const TrimSides sides{.leading = side->asString() != "TRAILING", .trailing = side->asString() != "LEADING"};
  class Kernel final : public ScalarKernel {
   public:
    explicit Kernel(std::unique_ptr<ScalarKernel> inner) : inner_(std::move(inner)) {}
    Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
      return inner_->evaluate(context, arguments.subspan(1), rows);
    }

   private:
    std::unique_ptr<ScalarKernel> inner_;
  };
  return std::make_unique<Kernel>(sliceKernel<1, std::string_view>(
      call.result_type, [sides](std::string_view text, std::string_view characters) { return trim(text, characters, sides); }));
}

Result<std::unique_ptr<ScalarKernel>> makeSplitIndex(const FunctionCall& call) {
  if (call.arguments[1].type.isInteger()) {
    return sliceKernel<0, AnyInteger, AnyInteger>(call.result_type, splitAtCode);
  }
  return sliceKernel<0, std::string_view, AnyInteger>(call.result_type, splitIndex);
}

/// VARCHAR of the text's length, always nullable.
DataType partOfText(std::span<const DataType> types) { return returnsVarying(0)(types).asNullable(); }

void addParts(ScalarList& list) {
  list.push_back({.name = "SUBSTRING",
                  .aliases = {"SUBSTR"},
                  .category = "string",
                  .signature = "SUBSTRING(text, start[, length]) | SUBSTRING(text FROM start [FOR length])",
                  .description = "The part of a text from a position on (1 is the first character, -1 the last) of at "
                                 "most `length` characters.",
                  .example = "SUBSTRING('abc', 2) = 'bc'",
                  .min_arguments = 2,
                  .max_arguments = 3,
                  .resolve = refusingConstants("SUBSTRING", signature({param::text("text"), positionParameter("start"), param::optional(positionParameter("length"))},
                                                                     partOfText)),
                  .make = withIntPositions("SUBSTRING", makeSubstring),
                  .strict = true});
  list.push_back({.name = "LEFT",
                  .category = "string",
                  .signature = "LEFT(text, count)",
                  .description = "The first characters of a text; an empty text if the count is negative.",
                  .example = "LEFT('abc', 2) = 'ab'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = refusingConstants("LEFT", signature({param::text("text"), positionParameter("count")}, partOfText)),
                  .make = withIntPositions("LEFT", [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return sliceKernel<0, AnyInteger>(call.result_type, leftOf);
                  }),
                  .strict = true});
  list.push_back({.name = "RIGHT",
                  .category = "string",
                  .signature = "RIGHT(text, count)",
                  .description = "The last characters of a text; an empty text if the count is negative.",
                  .example = "RIGHT('abc', 2) = 'bc'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = refusingConstants("RIGHT", signature({param::text("text"), positionParameter("count")}, partOfText)),
                  .make = withIntPositions("RIGHT", [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
                    return sliceKernel<0, AnyInteger>(call.result_type, rightOf);
                  }),
                  .strict = true});
  list.push_back({.name = "SPLIT_INDEX",
                  .category = "string",
                  .signature = "SPLIT_INDEX(text, separator, index)",
                  .description = "The part between two separators, counted from 0; NULL if there is none. The separator is "
                                 "a text or a character's code.",
                  .example = "SPLIT_INDEX('a,b,c', ',', 1) = 'b'",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = anyOf({signature({param::text("text"), param::text("separator"), positionParameter("index")},
                                              returnsNullable(DataType::string())),
                                    signature({param::text("text"), positionParameter("separator"), positionParameter("index")},
                                              returnsNullable(DataType::string()))}),
                  .make = withIntPositions("SPLIT_INDEX", makeSplitIndex),
                  .strict = true});
}

void addTrims(ScalarList& list) {
  list.push_back({.name = "TRIM",
                  .category = "string",
                  .signature = "TRIM([BOTH | LEADING | TRAILING] [characters FROM] text)",
                  .description = "A text without the given characters (spaces) at both or one of its ends.",
                  .example = "TRIM(BOTH 'x' FROM 'xxabcx') = 'abc'",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = signature({param::symbol("side"), param::text("characters"), param::text("text")}, returnsVarying(2)),
                  .make = makeTrim,
                  .strict = true});
  const auto trimOneSide = [&](std::string name, std::string where, std::string example, TrimSides sides, ResultRule result) {
    list.push_back({.name = name,
                    .category = "string",
                    .signature = name + "(text[, characters])",
                    .description = "A text without the given characters (spaces) at its " + where + ".",
                    .example = std::move(example),
                    .min_arguments = 1,
                    .max_arguments = 2,
                    .resolve = signature({param::text("text"), param::optional(param::text("characters"))}, std::move(result)),
                    .make = trimMaker(sides),
                    .strict = true});
  };
  trimOneSide("LTRIM", "start", "LTRIM('  abc') = 'abc'", {.leading = true, .trailing = false}, returnsVarying(0));
  trimOneSide("RTRIM", "end", "RTRIM('abc  ') = 'abc'", {.leading = false, .trailing = true}, returnsVarying(0));
  trimOneSide("BTRIM", "ends", "BTRIM('xyabcx', 'xy') = 'abc'", {}, returns(DataType::string()));
}

}  // namespace

void addStringSliceFunctions(ScalarList& list) {
  addParts(list);
  addTrims(list);
}

}  // namespace thalweg
