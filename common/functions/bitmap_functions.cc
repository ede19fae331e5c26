// BITMAP_BUILD, BITMAP_AND, BITMAP_OR, BITMAP_XOR, BITMAP_ANDNOT, BITMAP_CARDINALITY and the conversions of bitmaps.
#include <algorithm>
#include <iterator>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/roaring_bitmap.h"

namespace thalweg {
namespace {

using Members = std::vector<uint32_t>;

/// As Flink has it, a bare NULL is no bitmap: it needs a CAST.
Resolve ofBitmaps(std::vector<Parameter> parameters, ResultRule result) {
  return [resolve = signature(std::move(parameters), std::move(result))](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].type.isNull()) return argumentError(i, "bitmap", "a BITMAP; write CAST(NULL AS BITMAP)", arguments[i].type);
    }
    return resolve(arguments);
  };
}

Parameter bitmap(std::string name) { return param::exactly(std::move(name), DataType::bitmap()); }

Result<Value> build(EvalContext&, std::span<const Value> arguments) {
  Members members;
  for (const Value& element : arguments[0].asList()) {
    if (!element.isNull()) members.push_back(static_cast<uint32_t>(element.asInt()));
  }
  std::ranges::sort(members);
  members.erase(std::unique(members.begin(), members.end()), members.end());
  return Value::string(writeBitmap(members));
}

Members membersOf(std::string_view bytes) { return readBitmap(bytes).value_or(Members()); }

/// `combine(a, b, out)` over sorted members.
template <typename Combine>
ScalarFunction setFunction(std::string name, std::string description, std::string example, Combine combine) {
  return {.name = name,
          .category = "bitmap",
          .signature = name + "(a, b)",
          .description = std::move(description),
          .example = std::move(example),
          .min_arguments = 2,
          .max_arguments = 2,
          .resolve = ofBitmaps({bitmap("a"), bitmap("b")}, returns(DataType::bitmap())),
          .make = kernelMaker<std::string(std::string_view, std::string_view)>(
              [combine](std::string_view a, std::string_view b, std::string& out) {
                Members members;
                combine(membersOf(a), membersOf(b), std::back_inserter(members));
                out = writeBitmap(members);
              }),
          .strict = true};
}

void addSetFunctions(ScalarList& list) {
  list.push_back(setFunction("BITMAP_AND", "The members of both bitmaps.",
                             "BITMAP_TO_STRING(BITMAP_AND(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3]))) = '{2}'",
                             [](const Members& a, const Members& b, auto out) { std::ranges::set_intersection(a, b, out); }));
  list.push_back(setFunction("BITMAP_OR", "The members of either bitmap.",
                             "BITMAP_TO_STRING(BITMAP_OR(BITMAP_BUILD(ARRAY[1]), BITMAP_BUILD(ARRAY[2]))) = '{1,2}'",
                             [](const Members& a, const Members& b, auto out) { std::ranges::set_union(a, b, out); }));
  list.push_back(setFunction("BITMAP_XOR", "The members of just one of both bitmaps.",
                             "BITMAP_TO_STRING(BITMAP_XOR(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2, 3]))) = '{1,3}'",
                             [](const Members& a, const Members& b, auto out) { std::ranges::set_symmetric_difference(a, b, out); }));
  list.push_back(setFunction("BITMAP_ANDNOT", "The members of the first bitmap that the second has not.",
                             "BITMAP_TO_STRING(BITMAP_ANDNOT(BITMAP_BUILD(ARRAY[1, 2]), BITMAP_BUILD(ARRAY[2]))) = '{1}'",
                             [](const Members& a, const Members& b, auto out) { std::ranges::set_difference(a, b, out); }));
}

Result<Value> toArray(EvalContext&, std::span<const Value> arguments) {
  std::vector<Value> elements;
  for (const uint32_t member : membersOf(arguments[0].asString())) elements.push_back(Value::integer(static_cast<int32_t>(member)));
  return Value::list(std::move(elements));
}

Status fromBytes(std::string_view bytes, std::string& out) {
  const auto members = readBitmap(bytes);
  if (!members) return Status::runtime("BITMAP_FROM_BYTES expects a bitmap in the portable Roaring format, but the bytes are none");
  out = writeBitmap(*members);
  return {};
}

void addConversions(ScalarList& list) {
  list.push_back({.name = "BITMAP_CARDINALITY",
                  .category = "bitmap",
                  .signature = "BITMAP_CARDINALITY(bitmap)",
                  .description = "The number of members.",
                  .example = "BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY[5, 7, 5])) = 2",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = ofBitmaps({bitmap("bitmap")}, returns(DataType::bigint())),
                  .make = kernelMaker<int64_t(std::string_view)>(
                      [](std::string_view bytes) -> std::optional<int64_t> { return static_cast<int64_t>(membersOf(bytes).size()); }),
                  .strict = true});
  list.push_back({.name = "BITMAP_FROM_BYTES",
                  .category = "bitmap",
                  .signature = "BITMAP_FROM_BYTES(bytes)",
                  .description = "The bitmap that bytes in the portable Roaring format stand for. Fails on other bytes.",
                  .example = "BITMAP_TO_STRING(BITMAP_FROM_BYTES(BITMAP_TO_BYTES(BITMAP_BUILD(ARRAY[1])))) = '{1}'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::binary("bytes")}, returns(DataType::bitmap())),
                  .make = kernelMaker<std::string(std::string_view)>(fromBytes),
                  .strict = true,
                  .can_fail = true});
  list.push_back({.name = "BITMAP_TO_BYTES",
                  .category = "bitmap",
                  .signature = "BITMAP_TO_BYTES(bitmap)",
                  .description = "The bitmap in the portable Roaring format.",
                  .example = "CHAR_LENGTH(HEX(DECODE(BITMAP_TO_BYTES(BITMAP_BUILD(ARRAY[1])), 'ISO-8859-1'))) > 0",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = ofBitmaps({bitmap("bitmap")}, returns(DataType::bytes())),
                  .make = kernelMaker<std::string(std::string_view)>([](std::string_view bytes) { return bytes; }),
                  .strict = true});
  list.push_back({.name = "BITMAP_TO_ARRAY",
                  .category = "bitmap",
                  .signature = "BITMAP_TO_ARRAY(bitmap)",
                  .description = "The members as INT, in the order that they have as unsigned numbers.",
                  .example = "BITMAP_TO_ARRAY(BITMAP_BUILD(ARRAY[7, 5]))[1] = 5",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = ofBitmaps({bitmap("bitmap")}, returns(DataType::array(DataType::integer()))),
                  .make = valueKernelMaker(toArray),
                  .strict = true});
  list.push_back({.name = "BITMAP_TO_STRING",
                  .category = "bitmap",
                  .signature = "BITMAP_TO_STRING(bitmap)",
                  .description = "The members as unsigned numbers in braces; very long texts end in `...`.",
                  .example = "BITMAP_TO_STRING(BITMAP_BUILD(ARRAY[7, 5])) = '{5,7}'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = ofBitmaps({bitmap("bitmap")}, returns(DataType::string())),
                  .make = kernelMaker<std::string(std::string_view)>([](std::string_view bytes, std::string& out) { out = bitmapText(bytes); }),
                  .strict = true});
}

}  // namespace

void addBitmapFunctions(ScalarList& list) {
  list.push_back({.name = "BITMAP_BUILD",
                  .category = "bitmap",
                  .signature = "BITMAP_BUILD(array)",
                  .description = "The set of the numbers of an ARRAY<INT>; NULL elements are left out.",
                  .example = "BITMAP_CARDINALITY(BITMAP_BUILD(ARRAY[1, 2])) = 2",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::exactly("array", DataType::array(DataType::integer()))}, returns(DataType::bitmap())),
                  .make = valueKernelMaker(build),
                  .strict = true});
  addSetFunctions(list);
  addConversions(list);
}

}  // namespace thalweg
