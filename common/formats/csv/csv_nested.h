// Arrays and rows inside one csv field, their parts separated by `csv.array-element-delimiter`; one level deep.
//
// An empty field is an empty array, or a NULL row. A row must have as many parts as fields, unless bad fields are
// ignored: then missing ones are NULL and surplus ones dropped. Parts that equal the null literal are NULL.
#pragma once

#include <optional>

#include "common/formats/cell_column.h"

namespace thalweg::format {

struct CsvParts {
  std::string delimiter = ";";
  std::optional<std::string> null_literal = {};
  bool ignore_errors = false;
};

/// A column for any type that csv can read.
Result<std::unique_ptr<CellColumn>> makeCsvColumn(const DataType& type, const CellRules& rules, const CsvParts& parts);

}  // namespace thalweg::format
