#include "common/types/value.h"

#include <algorithm>
#include <cmath>

namespace thalweg {

namespace {

using Entries = std::vector<std::pair<Value, Value>>;

bool sameEntries(const Entries& left, const Entries& right) {
  if (left.size() != right.size()) return false;
  return std::all_of(left.begin(), left.end(), [&](const auto& entry) {
    return std::any_of(right.begin(), right.end(), [&](const auto& other) {
      return entry.first == other.first && entry.second == other.second;
    });
  });
}

/// Equality of two contents that hold the same alternative.
struct SameContent {
  const Value::Content& other;

  bool operator()(const std::monostate&) const { return true; }
  bool operator()(double v) const {
    const double o = std::get<double>(other);
    return v == o || (std::isnan(v) && std::isnan(o));
  }
  bool operator()(const ListValue& v) const { return v == std::get<ListValue>(other) || *v == *std::get<ListValue>(other); }
  bool operator()(const MapValue& v) const {
    return v == std::get<MapValue>(other) || sameEntries(*v, *std::get<MapValue>(other));
  }
  bool operator()(const RowValue& v) const {
    const auto& o = std::get<RowValue>(other);
    return v.kind == o.kind && (v.fields == o.fields || *v.fields == *o.fields);
  }
  template <typename T>
  bool operator()(const T& v) const {
    return v == std::get<T>(other);
  }
};

}  // namespace

Value Value::list(std::vector<Value> elements) {
  return Value(Content(std::in_place_type<ListValue>, std::make_shared<const std::vector<Value>>(std::move(elements))));
}

Value Value::map(std::vector<std::pair<Value, Value>> entries) {
  return Value(Content(std::in_place_type<MapValue>, std::make_shared<const Entries>(std::move(entries))));
}

Value Value::row(std::vector<Value> fields, RowKind kind) {
  return Value(Content(RowValue{kind, std::make_shared<const std::vector<Value>>(std::move(fields))}));
}

const std::vector<Value>& Value::asList() const { return *std::get<ListValue>(content_); }

const std::vector<std::pair<Value, Value>>& Value::asMap() const { return *std::get<MapValue>(content_); }

const std::vector<Value>& Value::asRow() const { return *std::get<RowValue>(content_).fields; }

bool Value::operator==(const Value& other) const {
  if (content_.index() != other.content_.index()) return false;
  return std::visit(SameContent{other.content_}, content_);
}

}  // namespace thalweg
