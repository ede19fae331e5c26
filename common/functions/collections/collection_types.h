// Type rules that the functions over arrays and maps share.
#pragma once

#include <functional>

#include "common/functions/signatures.h"

namespace thalweg {

/// (array, element): the element can be stored in the array without a CAST and is cast to its element type.
Resolve arrayAndElement(std::function<DataType(const DataType& array, const DataType& element)> result);

/// `count` arrays (0: one or more) of one common type, which is the result's; nullable if one of them is.
Resolve commonArrays(size_t count);
/// The same for maps.
Resolve commonMaps();

}  // namespace thalweg
