// English names of months, days and halves of days, as date patterns print and read them. Private to this room.
#pragma once

#include <array>
#include <string_view>

namespace thalweg {

inline constexpr std::array<std::string_view, 12> kMonthNames = {"January", "February", "March",     "April",   "May",      "June",
                                                                 "July",    "August",   "September", "October", "November", "December"};
/// Monday first.
inline constexpr std::array<std::string_view, 7> kDayNames = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                              "Friday", "Saturday", "Sunday"};
inline constexpr std::array<std::string_view, 2> kDayHalfNames = {"AM", "PM"};
inline constexpr std::array<std::string_view, 2> kEraNames = {"BC", "AD"};
inline constexpr std::array<std::string_view, 2> kFullEraNames = {"Before Christ", "Anno Domini"};
inline constexpr std::array<std::string_view, 4> kQuarterNames = {"1st quarter", "2nd quarter", "3rd quarter", "4th quarter"};
inline constexpr std::array<std::string_view, 4> kShortQuarterNames = {"Q1", "Q2", "Q3", "Q4"};
inline constexpr size_t kShortNameLength = 3;  // of months and days

}  // namespace thalweg
