// Kleene: three-valued truth of whole columns as bytes, ordered FALSE < UNKNOWN < TRUE, so that AND is the minimum
// and OR the maximum.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/columnar/vector.h"

namespace thalweg {

constexpr uint8_t kKleeneFalse = 0;
constexpr uint8_t kKleeneUnknown = 1;
constexpr uint8_t kKleeneTrue = 2;

/// The truth of a BOOLEAN column.
std::vector<uint8_t> kleeneOf(const Vector& column);
/// The BOOLEAN column back.
VectorPtr columnOfKleene(std::span<const uint8_t> truth, const DataType& type);

/// target[i] = min(target[i], other[i]), or max.
void kleeneAnd(std::span<uint8_t> target, std::span<const uint8_t> other);
void kleeneOr(std::span<uint8_t> target, std::span<const uint8_t> other);

/// Appends the rows where a BOOLEAN column is TRUE, ascending.
void appendTrueRows(const Vector& column, std::vector<RowIndex>& rows);

}  // namespace thalweg
