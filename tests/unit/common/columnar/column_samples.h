// Random columns of every type and encoding together with the Values they hold: the naive side of the tests.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/columnar/vector.h"

namespace thalweg::samples {

/// A column and what it should hold.
struct Sample {
  VectorPtr vector;
  std::vector<Value> values;
};

/// Types of every kind, nested ones included.
const std::vector<DataType>& allTypes();

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  size_t below(size_t bound) { return engine_() % bound; }
  bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }
  uint64_t word() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

Value randomValue(const DataType& type, Random& random);
std::vector<Value> randomValues(const DataType& type, size_t size, Random& random);
/// A vector of `values` in a random encoding: flat, slice of a longer one, dictionary (with nulls of its own),
/// or constant if all values are equal.
VectorPtr encodeRandomly(const DataType& type, const std::vector<Value>& values, Random& random);
/// A column of `size` rows in a random encoding.
Sample randomSample(const DataType& type, size_t size, Random& random);
/// Ascending rows below `size`, each with a chance of `percent`.
std::vector<RowIndex> randomRows(size_t size, int percent, Random& random);

std::vector<Value> valuesOf(const Vector& vector);
std::vector<Value> pick(const std::vector<Value>& values, std::span<const RowIndex> rows);
/// -1, 0 or 1 in the order of keys: NULL first, NaN last, text by bytes.
int compareValues(const DataType& type, const Value& a, const Value& b);

}  // namespace thalweg::samples
