#include "common/plan/expressions/bare_null.h"

#include <algorithm>
#include <array>

namespace thalweg {
namespace {

/// The function and its first argument that may be a bare NULL; the ones behind it may, too.
struct Place {
  std::string_view function;
  size_t first;
};
constexpr Place kPlaces[] = {
    {"ARRAY", 0},          {"ARRAY_APPEND", 1},      {"ARRAY_CONTAINS", 1},     {"ARRAY_JOIN", 1},   {"ARRAY_POSITION", 1},
    {"ARRAY_PREPEND", 1},  {"ARRAY_REMOVE", 1},      {"ARRAY_SLICE", 1},        {"ARRAY_SORT", 1},   {"BITMAP_BUILD", 0},
    {"BITMAP_FROM_BYTES", 0}, {"BTRIM", 0},          {"COALESCE", 0},           {"ELT", 1},          {"ENDSWITH", 0},
    {"IFNULL", 0},         {"INET_ATON", 0},         {"INET_NTOA", 0},          {"IS NOT NULL", 0},  {"IS NULL", 0},
    {"JSON_QUOTE", 0},     {"JSON_STRING", 0},       {"JSON_UNQUOTE", 0},       {"MAP", 0},          {"MULTISET", 0},
    {"NULLIF", 1},         {"PARSE_JSON", 0},        {"PRINTF", 0},             {"REGEXP_COUNT", 0}, {"REGEXP_EXTRACT_ALL", 0},
    {"REGEXP_INSTR", 0},   {"REGEXP_SUBSTR", 0},     {"TO_TIMESTAMP_LTZ", 0},   {"SPLIT", 0},        {"STARTSWITH", 0},
    {"TYPEOF", 0},         {"UNHEX", 0},             {"URL_DECODE", 0},         {"URL_ENCODE", 0},
};

}  // namespace

bool takesBareNull(std::string_view function, size_t index) {
  const auto place = std::ranges::find(kPlaces, function, &Place::function);
  return place != std::end(kPlaces) && index >= place->first;
}

Status bareNullError(SourcePosition position) {
  return Status::plan("NULL has no type here; give it one, as in CAST(NULL AS INT)", position);
}

}  // namespace thalweg
