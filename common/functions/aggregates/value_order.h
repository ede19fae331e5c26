// ValueOrder<T>: the SQL order of column values: -0.0 equals 0.0, all NaN are one value above infinity,
// text goes by its bytes.
#pragma once

#include <cmath>
#include <type_traits>

namespace thalweg {

template <typename T>
struct ValueOrder {
  using is_transparent = void;
  template <typename A, typename B>
  bool operator()(const A& a, const B& b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return a < b || (std::isnan(b) && !std::isnan(a));
    } else {
      return a < b;
    }
  }
};

}  // namespace thalweg
