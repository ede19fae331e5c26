// Interval literals: `INTERVAL '1 2:03:04.567' DAY TO SECOND`. Their text must have exactly the qualifier's fields;
// the first field has at most its precision's digits (2 unless written), the others stay below their unit's size.
#include <array>
#include <limits>

#include "common/plan/expressions/literal_binder.h"
#include "common/plan/expressions/type_binder.h"

namespace thalweg {
namespace {

using sql::TimeUnit;

/// The fields from start to end, with what parts them in the text.
struct IntervalField {
  TimeUnit unit;
  int64_t size;    ///< in months or milliseconds
  int64_t limit;   ///< of a field that is not the first
  char separator;  ///< before it
};

constexpr std::array<IntervalField, 2> kMonthFields = {{{TimeUnit::YEAR, 12, 0, 0}, {TimeUnit::MONTH, 1, 12, '-'}}};
constexpr std::array<IntervalField, 4> kDayFields = {{{TimeUnit::DAY, 86'400'000, 0, 0},
                                                      {TimeUnit::HOUR, 3'600'000, 24, ' '},
                                                      {TimeUnit::MINUTE, 60'000, 60, ':'},
                                                      {TimeUnit::SECOND, 1000, 60, ':'}}};

constexpr int kDayDigitsMax = 3;   // as Flink's types have it

std::vector<IntervalField> fieldsOf(const sql::IntervalQualifier& qualifier) {
  if (qualifier.start == TimeUnit::WEEK) return {{TimeUnit::WEEK, 7 * 86'400'000LL, 0, 0}};
  if (qualifier.start == TimeUnit::QUARTER) return {{TimeUnit::QUARTER, 3, 0, 0}};
  if (qualifier.start == TimeUnit::MILLISECOND) return {{TimeUnit::MILLISECOND, 1, 0, 0}};
  std::vector<IntervalField> fields;
  const auto take = [&](auto& all) {
    bool inside = false;
    for (const IntervalField& field : all) {
      if (field.unit == qualifier.start) inside = true;
      if (inside) fields.push_back(field);
      if (field.unit == qualifier.end) inside = false;
    }
  };
  if (qualifier.isYearMonth()) take(kMonthFields);
  else take(kDayFields);
  return fields;
}

class IntervalText {
 public:
  IntervalText(const sql::IntervalLiteral& literal) : literal_(literal), rest_(literal.text) {}

  Result<int64_t> read() {
    bool negative = literal_.negative;
    if (!rest_.empty() && (rest_[0] == '-' || rest_[0] == '+')) {
      if (rest_[0] == '-') negative = !negative;
      rest_.remove_prefix(1);
    }
    int64_t total = 0;
    std::vector<IntervalField> fields = fieldsOf(literal_.qualifier);
    if (fields.empty()) return Status::notSupported("intervals of this unit are not built", literal_.position);
    for (size_t i = 0; i < fields.size(); ++i) {
      if (i > 0 && !take(fields[i].separator)) return bad("its text does not have the qualifier's fields");
      ASSIGN_OR_RETURN(int64_t value, number(i == 0));
      if (i > 0 && value >= fields[i].limit) return bad(std::string(timeUnitName(fields[i].unit)) + " is too large");
      if (__builtin_mul_overflow(value, fields[i].size, &value) || __builtin_add_overflow(total, value, &total)) {
        return bad("it is too large");
      }
    }
    if (literal_.qualifier.end == TimeUnit::SECOND && take('.')) {
      ASSIGN_OR_RETURN(int64_t millis, fraction());
      total += millis;
    }
    if (!rest_.empty()) return bad("its text does not have the qualifier's fields");
    if (literal_.qualifier.isYearMonth() && total > std::numeric_limits<int32_t>::max()) return bad("it is too large");
    return negative ? -total : total;
  }

 private:
  bool take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  Result<int64_t> number(bool first) {
    size_t digits = 0;
    int64_t value = 0;
    while (digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9') {
      if (digits > 17) return bad("it is too large");
      value = value * 10 + (rest_[digits++] - '0');
    }
    if (digits == 0) return bad("a number is missing");
    if (first && !literal_.qualifier.isYearMonth() && literal_.qualifier.precision.value_or(2) > kDayDigitsMax) {
      return Status::plan("the first field of a DAY or TIME interval has at most 3 digits, as in DAY(3)", literal_.position);
    }
    int allowed = first ? literal_.qualifier.precision.value_or(2) : 2;
    if (significantDigits(value) > allowed) {
      return bad("a field of " + std::to_string(allowed) + " digits cannot hold " + std::to_string(value) +
                 (first ? "; write a precision, as in DAY(3)" : ""));
    }
    rest_.remove_prefix(digits);
    return value;
  }

  Result<int64_t> fraction() {
    int64_t nanos = 0;
    size_t digits = 0;
    while (digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9') {
      if (digits < 9) nanos = nanos * 10 + (rest_[digits] - '0');
      ++digits;
    }
    if (digits == 0) return bad("digits are missing after the point");
    if (digits > static_cast<size_t>(literal_.qualifier.fractional_precision.value_or(6))) {
      return bad("its second has too many digits after the point");
    }
    rest_.remove_prefix(digits);
    for (size_t i = digits; i < 9; ++i) nanos *= 10;
    return nanos / 1'000'000;
  }

  static int significantDigits(int64_t value) {
    int digits = 1;
    while (value >= 10) {
      value /= 10;
      ++digits;
    }
    return digits;
  }

  Status bad(const std::string& why) const {
    std::string qualifier(timeUnitName(literal_.qualifier.start));
    if (literal_.qualifier.end != literal_.qualifier.start) qualifier += " TO " + std::string(timeUnitName(literal_.qualifier.end));
    return Status::plan("INTERVAL '" + literal_.text + "' " + qualifier + " is no interval: " + why, literal_.position);
  }

  const sql::IntervalLiteral& literal_;
  std::string_view rest_;
};

}  // namespace

Result<BoundExprPtr> bindInterval(const sql::IntervalLiteral& literal) {
  ASSIGN_OR_RETURN(int64_t value, IntervalText(literal).read());
  return BoundExpr::literal(Value::integer(value), intervalType(literal.qualifier));
}

}  // namespace thalweg
