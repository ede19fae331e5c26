// Parts that MIN and MAX share: the retracting kernel, and the choice of a C++ type for an ordered column.
#pragma once

#include <string_view>
#include <type_traits>

#include "common/functions/aggregate_function.h"

namespace thalweg {

/// MIN (or MAX) over input that may take values back: keeps a counted ordered map of all values of a group.
Result<std::unique_ptr<AggregateKernel>> retractableExtreme(const AggregateCall& call, bool max);

/// visitor(std::type_identity<T>{}) with the C++ type of a column whose values have an order.
template <typename Visitor>
Result<std::unique_ptr<AggregateKernel>> visitOrdered(PhysicalType type, Visitor&& visitor) {
  switch (type) {
    case PhysicalType::BOOL: return visitor(std::type_identity<bool>{});
    case PhysicalType::INT8: return visitor(std::type_identity<int8_t>{});
    case PhysicalType::INT16: return visitor(std::type_identity<int16_t>{});
    case PhysicalType::INT32: return visitor(std::type_identity<int32_t>{});
    case PhysicalType::INT64: return visitor(std::type_identity<int64_t>{});
    case PhysicalType::INT128: return visitor(std::type_identity<int128>{});
    case PhysicalType::FLOAT32: return visitor(std::type_identity<float>{});
    case PhysicalType::FLOAT64: return visitor(std::type_identity<double>{});
    case PhysicalType::TIMESTAMP_NANOS: return visitor(std::type_identity<TimestampValue>{});
    case PhysicalType::STRING: return visitor(std::type_identity<std::string_view>{});
    default: return Status::internal("no order for this type");
  }
}

}  // namespace thalweg
