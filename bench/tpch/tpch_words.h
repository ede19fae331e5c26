// The words and numbers that TPC-H's rows are made of: lists of the specification (4.2.2), a random sequence for each
// column and row, money and dates as text.
//
// A value depends on its table, column and row only: files are the same at every run. Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace thalweg::tpch {

/// Random numbers of one row; the same for the same table and row.
class RowRandom {
 public:
  RowRandom(uint64_t table, uint64_t row) : state_(table * 0x9E3779B97F4A7C15ULL ^ (row + 1) * 0xD1B54A32D192ED03ULL) {}

  /// From `least` to `most`, both included.
  int64_t between(int64_t least, int64_t most) { return least + static_cast<int64_t>(next() % static_cast<uint64_t>(most - least + 1)); }

 private:
  uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBULL;
    return mixed ^ mixed >> 31;
  }

  uint64_t state_;
};

struct Nation {
  std::string_view name;
  int region;
};

inline constexpr std::array<std::string_view, 5> kRegions{"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"};
inline constexpr std::array<Nation, 25> kNations{{
    {"ALGERIA", 0}, {"ARGENTINA", 1}, {"BRAZIL", 1}, {"CANADA", 1}, {"EGYPT", 4}, {"ETHIOPIA", 0}, {"FRANCE", 3},
    {"GERMANY", 3}, {"INDIA", 2}, {"INDONESIA", 2}, {"IRAN", 4}, {"IRAQ", 4}, {"JAPAN", 2}, {"JORDAN", 4}, {"KENYA", 0},
    {"MOROCCO", 0}, {"MOZAMBIQUE", 0}, {"PERU", 1}, {"CHINA", 2}, {"ROMANIA", 3}, {"SAUDI ARABIA", 4}, {"VIETNAM", 2},
    {"RUSSIA", 3}, {"UNITED KINGDOM", 3}, {"UNITED STATES", 1}}};
inline constexpr std::array<std::string_view, 5> kSegments{"AUTOMOBILE", "BUILDING", "FURNITURE", "MACHINERY", "HOUSEHOLD"};
inline constexpr std::array<std::string_view, 5> kPriorities{"1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW"};
inline constexpr std::array<std::string_view, 7> kShipModes{"REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"};
inline constexpr std::array<std::string_view, 4> kInstructions{"DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"};
inline constexpr std::array<std::string_view, 6> kTypeFirst{"STANDARD", "SMALL", "MEDIUM", "LARGE", "ECONOMY", "PROMO"};
inline constexpr std::array<std::string_view, 5> kTypeSecond{"ANODIZED", "BURNISHED", "PLATED", "POLISHED", "BRUSHED"};
inline constexpr std::array<std::string_view, 5> kTypeThird{"TIN", "NICKEL", "BRASS", "STEEL", "COPPER"};
inline constexpr std::array<std::string_view, 5> kContainerFirst{"SM", "LG", "MED", "JUMBO", "WRAP"};
inline constexpr std::array<std::string_view, 8> kContainerSecond{"CASE", "BOX", "BAG", "JAR", "PKG", "PACK", "CAN", "DRUM"};
inline constexpr std::array<std::string_view, 40> kColors{
    "almond", "antique", "aquamarine", "azure", "beige", "bisque", "black", "blue", "blush", "brown", "chartreuse", "chiffon", "coral", "cream",
    "cyan", "drab", "firebrick", "forest", "ghost", "goldenrod", "green", "honeydew", "indian", "ivory", "khaki", "lavender", "lemon", "linen",
    "magenta", "maroon", "metallic", "navy", "olive", "orchid", "peach", "plum", "rosy", "salmon", "steel", "yellow"};
inline constexpr std::array<std::string_view, 24> kWords{
    "furiously", "quickly", "carefully", "slyly", "special", "pending", "regular", "express", "final", "ironic", "even", "bold", "requests", "deposits",
    "packages", "accounts", "instructions", "theodolites", "foxes", "ideas", "sleep", "wake", "haggle", "nag"};

template <typename List>
const auto& pick(RowRandom& random, const List& list) {
  return list[static_cast<size_t>(random.between(0, static_cast<int64_t>(list.size()) - 1))];
}

/// `-12.05`
std::string money(int64_t cents);
/// The date so many days after 1992-01-01, `1992-01-01`.
std::string date(int64_t days);
/// The days from 1992-01-01 to a date.
int64_t dayOf(int year, int month, int day);
std::string comment(RowRandom& random, int words_least, int words_most);
std::string address(RowRandom& random);
/// `country-ddd-ddd-dddd`, of the nation with this number.
std::string phone(RowRandom& random, int64_t nation);
/// `Supplier#000000012`
std::string numbered(std::string_view what, int64_t number);

}  // namespace thalweg::tpch
