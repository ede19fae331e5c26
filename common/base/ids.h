// Id<Tag>: integer ids and offsets that cannot be mixed up.
//
//   struct JobTag {};
//   using JobId = Id<JobTag>;
//
// Two ids of different tags neither compare nor convert; an id converts to its number only when asked.
// A default id is invalid. Threads: values; copy freely.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace thalweg {

template <typename Tag, typename Number = int64_t>
class Id {
 public:
  using NumberType = Number;

  constexpr Id() = default;
  constexpr explicit Id(Number value) : value_(value) {}

  constexpr Number value() const { return value_; }
  constexpr bool valid() const { return value_ != kInvalid; }
  /// The id that follows this one, for whoever hands out ids in sequence.
  constexpr Id next() const { return Id(static_cast<Number>(value_ + 1)); }
  std::string toString() const { return std::to_string(value_); }

  friend constexpr auto operator<=>(Id left, Id right) = default;

 private:
  static constexpr Number kInvalid = static_cast<Number>(-1);
  Number value_ = kInvalid;
};

}  // namespace thalweg

template <typename Tag, typename Number>
struct std::hash<thalweg::Id<Tag, Number>> {
  size_t operator()(thalweg::Id<Tag, Number> id) const noexcept { return std::hash<Number>()(id.value()); }
};
