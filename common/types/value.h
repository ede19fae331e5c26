// Value: one SQL value outside a column — literals, results shown to people, slow paths of nested types.
//
// A Value does not know its DataType; whoever holds it does. The hot path never makes one.
// Representation by kind (see DataType): BOOLEAN bool; integers, DATE (days), TIME (ms of day), both intervals
// (months, ms) int64; DECIMAL int128 unscaled (scale in the type); FLOAT and DOUBLE double; text and bytes
// std::string, so too VARIANT (its compact JSON text) and BITMAP (roaring_bitmap.h); TIMESTAMP and TIMESTAMP_LTZ of
// every precision TimestampValue; ARRAY ListValue; MAP and MULTISET MapValue; ROW RowValue. NULL is std::monostate.
// Threads: values; nested parts are shared and immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/types/data_type.h"
#include "common/types/row_kind.h"

namespace thalweg {

using int128 = __int128;

/// A point in time: milliseconds since the epoch and nanoseconds (0..999999) within that millisecond.
/// Ordered by time. For TIMESTAMP the "epoch" is wall clock, for TIMESTAMP_LTZ it is UTC.
struct TimestampValue {
  int64_t millis = 0;
  int32_t nanos = 0;    ///< nanoseconds within the millisecond
  int32_t padding = 0;  ///< always 0, so that values compare and hash as bytes
  auto operator<=>(const TimestampValue&) const = default;
};
static_assert(sizeof(TimestampValue) == 16);

class Value;
using ListValue = std::shared_ptr<const std::vector<Value>>;
/// Entries in insertion order; keys are distinct.
using MapValue = std::shared_ptr<const std::vector<std::pair<Value, Value>>>;
struct RowValue {
  RowKind kind = RowKind::INSERT;
  std::shared_ptr<const std::vector<Value>> fields;
};

class Value {
 public:
  using Content = std::variant<std::monostate, bool, int64_t, int128, double, std::string, TimestampValue, ListValue,
                               MapValue, RowValue>;

  Value() = default;  ///< NULL
  static Value null() { return {}; }
  static Value boolean(bool v) { return Value(Content(std::in_place_type<bool>, v)); }
  static Value integer(int64_t v) { return Value(Content(std::in_place_type<int64_t>, v)); }
  static Value decimal(int128 unscaled) { return Value(Content(std::in_place_type<int128>, unscaled)); }
  static Value floating(double v) { return Value(Content(std::in_place_type<double>, v)); }
  static Value string(std::string v) { return Value(Content(std::in_place_type<std::string>, std::move(v))); }
  static Value timestamp(TimestampValue v) { return Value(Content(std::in_place_type<TimestampValue>, v)); }
  static Value list(std::vector<Value> elements);
  static Value map(std::vector<std::pair<Value, Value>> entries);
  static Value row(std::vector<Value> fields, RowKind kind = RowKind::INSERT);

  bool isNull() const { return content_.index() == 0; }
  bool asBool() const { return std::get<bool>(content_); }
  int64_t asInt() const { return std::get<int64_t>(content_); }
  int128 asDecimal() const { return std::get<int128>(content_); }
  double asDouble() const { return std::get<double>(content_); }
  const std::string& asString() const { return std::get<std::string>(content_); }
  TimestampValue asTimestamp() const { return std::get<TimestampValue>(content_); }
  const std::vector<Value>& asList() const;
  const std::vector<std::pair<Value, Value>>& asMap() const;
  const std::vector<Value>& asRow() const;
  const Content& content() const { return content_; }

  /// Deep equality; NaN equals NaN; NULL equals NULL; maps compare as sets of entries.
  bool operator==(const Value& other) const;

 private:
  explicit Value(Content content) : content_(std::move(content)) {}
  Content content_;
};

}  // namespace thalweg
