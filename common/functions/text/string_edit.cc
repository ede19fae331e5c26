// Functions that change a text: REPLACE, TRANSLATE, OVERLAY, LPAD, RPAD, REPEAT, REVERSE.
#include <algorithm>
#include <limits>
#include <unordered_map>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/positions.h"
#include "common/functions/text/unicode.h"
#include "common/types/java_text.h"

namespace thalweg {
namespace {

/// Texts made by REPEAT and the pads grow at most to this.
constexpr size_t kTextBytesMax = size_t{1} << 30;

void replaceAll(std::string_view text, std::string_view from, std::string_view to, std::string& out) {
  if (from.empty()) {  // stands before, between and behind all characters
    out.append(to);
    for (size_t at = 0; at < text.size();) {
      const size_t bytes = characterBytes(text, at);
      if (bytes == 4) out.append("?").append(to).append("?").append(to);  // Java's chars: both halves of a pair
      else out.append(text.substr(at, bytes)).append(to);
      at += bytes;
    }
    return;
  }
  size_t begin = 0;
  for (size_t found = text.find(from); found != std::string_view::npos; found = text.find(from, begin)) {
    out.append(text.substr(begin, found - begin)).append(to);
    begin = found + from.size();
  }
  out.append(text.substr(begin));
}

/// Each character of `from` becomes the one at its place in `to`, or goes if there is none; the first of equal ones
/// counts. NULLs are like empty texts there.
void translate(std::string_view text, std::optional<std::string_view> from_text, std::optional<std::string_view> to_text,
               std::string& out) {
  const std::string_view from = from_text.value_or(std::string_view());
  const std::string_view to = to_text.value_or(std::string_view());
  std::unordered_map<char32_t, std::optional<char32_t>> map;
  for (size_t at = 0, to_at = 0; at < from.size();) {
    const char32_t code = nextCodePoint(from, at);
    std::optional<char32_t> target;
    if (to_at < to.size()) target = nextCodePoint(to, to_at);
    map.emplace(code, target);
  }
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const auto found = map.find(nextCodePoint(text, at));
    if (found == map.end()) out.append(text.substr(begin, at - begin));
    else if (found->second) appendCodePoint(out, *found->second);
  }
}

/// Length in UTF-16 units, which Flink counts in where it works on Java's chars.
int64_t unitsOf(std::string_view text) {
  int64_t units = 0;
  for (size_t at = 0; at < text.size(); at += characterBytes(text, at)) units += characterBytes(text, at) == 4 ? 2 : 1;
  return units;
}

/// Appends the first `units` UTF-16 units; half of a pair becomes `?`.
void appendUnits(std::string& out, std::string_view text, int64_t units) {
  for (size_t at = 0; at < text.size() && units > 0;) {
    const size_t bytes = characterBytes(text, at);
    if (bytes == 4 && units == 1) {
      out.push_back('?');
      return;
    }
    out.append(text.substr(at, bytes));
    units -= bytes == 4 ? 2 : 1;
    at += bytes;
  }
}

/// As many characters as the part has in UTF-16, and the whole rest for an empty part: what Flink replaces without FOR.
int64_t impliedLength(std::string_view part) {
  const int64_t units = unitsOf(part);
  return units == 0 ? -1 : units;
}

/// Appends what follows the first `units` UTF-16 units; half of a pair becomes `?`.
void appendBehindUnits(std::string& out, std::string_view text, int64_t units) {
  size_t at = 0;
  for (; at < text.size() && units > 0; at += characterBytes(text, at)) {
    const bool pair = characterBytes(text, at) == 4;
    if (pair && units == 1) out.push_back('?');
    units -= pair ? 2 : 1;
  }
  out.append(text.substr(at));
}

/// A position outside of the text changes nothing; a length below 0 or past the end replaces the rest.
void overlay(std::string_view text, std::string_view part, int64_t start, int64_t length, std::string& out) {
  if (start <= 0 || start > unitsOf(text)) {
    out.append(text);
    return;
  }
  appendUnits(out, text, start - 1);
  out.append(part);
  if (length <= 0) return;  // as Flink has it: nothing follows
  appendBehindUnits(out, text, start - 1 + std::min(length, std::numeric_limits<int64_t>::max() - start));
}

/// The padding of `count` UTF-16 units, repeated from its start.
void appendPadding(std::string& out, std::string_view pad, int64_t count) {
  const int64_t pad_count = unitsOf(pad);
  for (; count >= pad_count; count -= pad_count) out.append(pad);
  appendUnits(out, pad, count);
}

template <bool kLeft>
struct PadTo {
  std::string scratch;

  Result<std::optional<std::string_view>> operator()(std::string_view text, int64_t length, std::string_view pad) {
    const int64_t size = unitsOf(text);
    if (length < 0 || pad.empty()) return std::optional<std::string_view>();
    scratch.clear();
    if (size >= length) {
      appendUnits(scratch, text, length);
      return std::optional<std::string_view>(scratch);
    }
    if (static_cast<size_t>(length) > kTextBytesMax / 4) {
      return Status::runtime(std::string(kLeft ? "LPAD" : "RPAD") + " would make a text of more than 1 GiB: " +
                             std::to_string(length) + " characters");
    }
    if (!kLeft) scratch.append(text);
    appendPadding(scratch, pad, length - size);
    if (kLeft) scratch.append(text);
    return std::optional<std::string_view>(scratch);
  }
};

Status repeat(std::string_view text, int64_t count, std::string& out) {
  if (count <= 0 || text.empty()) return {};
  if (static_cast<size_t>(count) > kTextBytesMax / text.size()) {
    return Status::runtime("REPEAT would make a text of more than 1 GiB: " + std::to_string(text.size()) + " bytes " +
                           std::to_string(count) + " times");
  }
  out.reserve(text.size() * static_cast<size_t>(count));
  for (; count > 0; --count) out.append(text);
  return {};
}

void reverse(std::string_view text, std::string& out) {
  out.reserve(text.size());
  for (size_t end = text.size(); end > 0;) {
    const size_t at = previousCharacter(text, end);
    out.append(text.substr(at, end - at));
    end = at;
  }
}

Result<std::unique_ptr<ScalarKernel>> makeOverlay(const FunctionCall& call) {
  if (call.arguments.size() == 3) {
    return functionKernel<std::string(std::string_view, std::string_view, AnyInteger)>(
        call.result_type, [](std::string_view text, std::string_view part, int64_t start, std::string& out) {
          overlay(text, part, start, impliedLength(part), out);
        });
  }
  return functionKernel<std::string(std::string_view, std::string_view, AnyInteger, AnyInteger)>(call.result_type, overlay);
}

DataType overlaidText(std::span<const DataType> types) {
  const int64_t length = int64_t{types[0].length()} + types[1].length();
  return DataType::varchar(static_cast<int>(std::min<int64_t>(length, DataType::kMaxLength)), anyNullable(types));
}

void addReplacing(ScalarList& list) {
  const Resolve three_texts =
      signature({param::text("text"), param::text("from"), param::text("to")}, returns(DataType::string()));
  list.push_back({.name = "REPLACE",
                  .category = "string",
                  .signature = "REPLACE(text, from, to)",
                  .description = "The text with every occurrence of one text replaced by another.",
                  .example = "REPLACE('a-b-c', '-', '+') = 'a+b+c'",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = three_texts,
                  .make = kernelMaker<std::string(std::string_view, std::string_view, std::string_view)>(replaceAll),
                  .strict = true});
  list.push_back({.name = "TRANSLATE",
                  .category = "string",
                  .signature = "TRANSLATE(text, from, to)",
                  .description = "The text with every character of `from` replaced by the one at the same place in `to`, "
                                 "or left out if there is none.",
                  .example = "TRANSLATE('abcd', 'ad', '1') = '1bc'",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = signature({param::text("text"), param::text("from"), param::text("to")},
                                       [](std::span<const DataType> types) { return DataType::string(types[0].nullable()); }),
                  .make = kernelMaker<std::string(std::string_view, Nullable<std::string_view>, Nullable<std::string_view>)>(
                      translate)});
  list.push_back({.name = "OVERLAY",
                  .category = "string",
                  .signature = "OVERLAY(text PLACING part FROM start [FOR length])",
                  .description = "The text with `length` characters (as many as the part has, all if it is empty) from "
                                 "`start` on replaced by the part.",
                  .example = "OVERLAY('abcdef' PLACING 'XY' FROM 3) = 'abXYef'",
                  .min_arguments = 3,
                  .max_arguments = 4,
                  .resolve = signature({param::text("text"), param::text("part"), param::bigint("start"),
                                        param::optional(param::bigint("length"))},
                                       overlaidText),
                  .make = makeOverlay,
                  .strict = true});
}

void addSizing(ScalarList& list) {
  const Resolve pad = signature({param::text("text"), positionParameter("length"), param::text("pad")}, returns(DataType::string()));
  list.push_back({.name = "LPAD",
                  .category = "string",
                  .signature = "LPAD(text, length, pad)",
                  .description = "The text brought to a length by padding in front, or cut. NULL for a negative length or "
                                 "an empty pad.",
                  .example = "LPAD('7', 3, '0') = '007'",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = pad,
                  .make = withIntPositions("LPAD", kernelMaker<std::string(std::string_view, AnyInteger, std::string_view)>(PadTo<true>())),
                  .strict = true});
  list.push_back({.name = "RPAD",
                  .category = "string",
                  .signature = "RPAD(text, length, pad)",
                  .description = "The text brought to a length by padding behind, or cut. NULL for a negative length or "
                                 "an empty pad.",
                  .example = "RPAD('7', 3, '.') = '7..'",
                  .min_arguments = 3,
                  .max_arguments = 3,
                  .resolve = pad,
                  .make = withIntPositions("RPAD", kernelMaker<std::string(std::string_view, AnyInteger, std::string_view)>(PadTo<false>())),
                  .strict = true});
  list.push_back({.name = "REPEAT",
                  .category = "string",
                  .signature = "REPEAT(text, count)",
                  .description = "The text so many times.",
                  .example = "REPEAT('ab', 3) = 'ababab'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::text("text"), positionParameter("count")}, returns(DataType::string())),
                  .make = withIntPositions("REPEAT", kernelMaker<std::string(std::string_view, AnyInteger)>(repeat)),
                  .strict = true,
                  .can_fail = true});
  list.push_back({.name = "REVERSE",
                  .category = "string",
                  .signature = "REVERSE(text)",
                  .description = "The characters of the text in reverse order.",
                  .example = "REVERSE('abc') = 'cba'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returnsNullable(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view)>(reverse),
                  .strict = true});
}

}  // namespace

void addStringEditFunctions(ScalarList& list) {
  addReplacing(list);
  addSizing(list);
}

}  // namespace thalweg
