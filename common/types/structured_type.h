// Structured types: a ROW that stands for a class of the user's, whose name is shown with it.
//
// To the engine it is a ROW like any other (it compares equal to the plain one); the name travels in the description of
// the first field, which no operator looks at. Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/types/data_type.h"

namespace thalweg {

/// `fields` must not be empty.
DataType structuredType(std::string_view class_name, std::vector<Field> fields, bool nullable = true);
/// The class that a ROW stands for; none for other types.
std::optional<std::string> structuredName(const DataType& type);
/// DataType::toString(), with structured types as `*User<`name` STRING,`score` INT>*`.
std::string structuredTypeText(const DataType& type);

}  // namespace thalweg
