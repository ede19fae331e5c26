// The text of VARIANT values: JSON in one canonical form, in which they are kept in columns and printed.
//
// No blanks; keys in order of their bytes, each once; strings escaped as Jackson does. Numbers that are written without
// an exponent and fit DECIMAL(38, 38) stand without trailing zeros (`2.0` is 2), all others as Java prints a DOUBLE.
// The text of a part is a piece of the whole's text.
#pragma once

#include <string>

#include "common/functions/json/json_document.h"

namespace thalweg {

/// Appends the canonical text of a parsed value; of equal keys the last counts.
void appendVariant(std::string& out, const JsonDocument& document, JsonDocument::Index at = JsonDocument::root());
/// Whether any object holds a key twice.
bool hasDuplicateKeys(const JsonDocument& document, JsonDocument::Index at = JsonDocument::root());

}  // namespace thalweg
