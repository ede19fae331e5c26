#include "common/functions/conditions/points_in_time.h"

#include <algorithm>

namespace thalweg {

std::optional<DataType> commonPointInTime(std::span<const ArgumentInfo> arguments) {
  size_t dates = 0, plain = 0, zoned = 0;
  int precision = 0;
  for (const ArgumentInfo& argument : arguments) {
    const TypeKind kind = argument.type.kind();
    if (kind == TypeKind::DATE) ++dates;
    else if (kind == TypeKind::TIMESTAMP) ++plain;
    else if (kind == TypeKind::TIMESTAMP_LTZ) ++zoned;
    else return std::nullopt;
    if (kind != TypeKind::DATE) precision = std::max(precision, argument.type.precision());
  }
  if (dates > 0 && plain > 0 && zoned == 0) return DataType::date();
  if (dates == 0 && plain > 0 && zoned > 0) return DataType::timestampLtz(precision);
  return std::nullopt;
}

}  // namespace thalweg
