// sum, min, max, minBy and maxBy as folds of one field, for keyed streams and windows alike.
//
// A field is `&Record::field`; of a record that is one number, 0; of a tuple, a template argument. Threads: values.
#pragma once

#include <string>
#include <tuple>
#include <type_traits>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/field_composites.h"

namespace thalweg::api {

/// sum() of a field that has no `+`.
[[noreturn]] inline void refuseSum() { throw ValidationException("sum() needs a field of numbers"); }

enum class FieldFold : uint8_t { SUM, MIN, MAX, MIN_BY, MAX_BY };

/// Folds one field; `Access` gives it: access(T&) → F&. MIN and MAX keep the first record's other fields, MIN_BY and
/// MAX_BY take the whole record, the first of equals.
template <typename T, typename Access>
struct FieldFolder {
  Access access;
  FieldFold fold;
  void operator()(T& kept, const T& record) {
    auto& mine = access(kept);
    const auto& other = access(record);
    switch (fold) {
      case FieldFold::SUM:
        if constexpr (requires { mine + other; }) mine = static_cast<std::remove_cvref_t<decltype(mine)>>(mine + other);
        else refuseSum();
        break;
      case FieldFold::MIN: if (other < mine) mine = other; break;
      case FieldFold::MAX: if (mine < other) mine = other; break;
      case FieldFold::MIN_BY: if (other < mine) kept = record; break;
      case FieldFold::MAX_BY: if (mine < other) kept = record; break;
    }
  }
};

template <size_t I>
struct TupleField {
  auto& operator()(auto& record) const { return std::get<I>(record); }
};
template <typename Field>
struct MemberField {
  Field field;
  auto& operator()(auto& record) const { return record.*field; }
};
struct WholeRecord {
  auto& operator()(auto& record) const { return record; }
};

template <typename T, size_t I>
auto tupleFolder(FieldFold kind) { return FieldFolder<T, TupleField<I>>{{}, kind}; }

/// `what` names the method in messages.
template <typename T, typename Field>
auto fieldFolder(Field field, FieldFold kind, const char* what) {
  if constexpr (std::is_member_object_pointer_v<Field>) {
    return FieldFolder<T, MemberField<Field>>{{field}, kind};
  } else {
    static_assert(std::is_integral_v<Field> && !Composite<T>, "name the field as &Record::field; of a tuple by sum<1>(), min<1>(), max<1>()");
    if (field != 0) throw ValidationException(std::string(what) + "(" + std::to_string(field) + "): a record that is one value has field 0 only");
    return FieldFolder<T, WholeRecord>{{}, kind};
  }
}

}  // namespace thalweg::api
