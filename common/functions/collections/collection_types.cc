#include "common/functions/collections/collection_types.h"

#include "common/types/type_rules.h"

namespace thalweg {
namespace {

Resolve commonCollections(TypeKind kind, size_t count) {
  return [kind, count](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    const std::string_view expected = kind == TypeKind::ARRAY ? "an ARRAY" : "a MAP";
    const std::string_view name = kind == TypeKind::ARRAY ? "array" : "map";
    if (arguments.empty() || (count > 0 && arguments.size() != count)) {
      return Status::plan("expected " + std::to_string(std::max<size_t>(count, 1)) + " arguments, but found " +
                          std::to_string(arguments.size()));
    }
    std::vector<DataType> types;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const DataType& type = arguments[i].type;
      if (type.kind() != kind && !type.isNull()) return argumentError(i, name, expected, type);
      types.push_back(type);
    }
    const std::optional<DataType> common = commonOfArguments(types);
    if (!common || common->isNull()) {
      std::string found;
      for (const DataType& type : types) found += (found.empty() ? "" : ", ") + type.asNullable().toString();
      return Status::plan("the arguments have no common type, found " + found + "; cast them to one type");
    }
    ResolvedSignature resolved;
    for (const DataType& type : types) resolved.argument_types.push_back(common->withNullable(type.nullable()));
    resolved.result_type = *common;
    return resolved;
  };
}

}  // namespace

Resolve arrayAndElement(std::function<DataType(const DataType&, const DataType&)> result) {
  return [result = std::move(result)](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    static const Resolve shapes = signature({param::array("array"), param::anything("element")}, returns(DataType::null()));
    ASSIGN_OR_RETURN(ResolvedSignature resolved, shapes(arguments));
    const DataType array = resolved.argument_types[0];
    const DataType& given = arguments[1].type;
    const DataType& element = array.child(0);
    if (!given.isNull() && !element.isNull() && !given.sameIgnoringNullability(element) && !supportsImplicitCast(given, element)) {
      return argumentError(1, "element", "of the array's element type " + element.asNullable().toString(), given);
    }
    resolved.argument_types[1] = element.withNullable(given.nullable());
    resolved.result_type = result(array, resolved.argument_types[1]);
    return resolved;
  };
}

Resolve commonArrays(size_t count) { return commonCollections(TypeKind::ARRAY, count); }
Resolve commonMaps() { return commonCollections(TypeKind::MAP, 0); }

}  // namespace thalweg
