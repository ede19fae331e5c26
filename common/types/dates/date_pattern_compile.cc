#include <optional>

#include "common/types/dates/date_pattern_items.h"

namespace thalweg {

namespace {

using Kind = DateItem::Kind;
using Sign = DateItem::Sign;

constexpr int kNumberWidthMax = 19;

DateItem number(DateField field, int min_width, int max_width, Sign sign) {
  DateItem item;
  item.kind = Kind::NUMBER;
  item.field = field;
  item.sign = sign;
  item.min_width = min_width;
  item.max_width = max_width;
  return item;
}

DateItem anyNumber(DateField field) { return number(field, 1, kNumberWidthMax, Sign::NEGATIVE_ONLY); }
DateItem fixedNumber(DateField field, int width) { return number(field, width, width, Sign::NONE); }

DateItem ofKind(Kind kind, DateField field = DateField::ERA) {
  DateItem item;
  item.kind = kind;
  item.field = field;
  return item;
}

std::optional<DateItem> year(DateField field, int letters) {
  if (letters == 2) {
    DateItem item = fixedNumber(field, 2);
    item.kind = Kind::TWO_DIGIT_YEAR;
    return item;
  }
  if (letters > kNumberWidthMax) return std::nullopt;
  return number(field, letters, kNumberWidthMax, letters < 4 ? Sign::NEGATIVE_ONLY : Sign::WHEN_LONGER);
}

/// Letters that are a number once or twice, and a name from three to five times.
std::optional<DateItem> numberOrName(DateField field, int letters) {
  if (letters == 1) return anyNumber(field);
  if (letters == 2) return fixedNumber(field, 2);
  if (letters <= 5) return ofKind(Kind::NAME, field);
  return std::nullopt;
}

std::optional<DateItem> upToTwoDigits(DateField field, int letters) {
  if (letters == 1) return anyNumber(field);
  return letters == 2 ? std::optional(fixedNumber(field, 2)) : std::nullopt;
}

std::optional<DateItem> onlyWhen(bool allowed, DateItem item) { return allowed ? std::optional(std::move(item)) : std::nullopt; }

/// The meaning of a letter of the date; none if it may not stand there so often.
std::optional<DateItem> dateLetter(char letter, int n) {
  switch (letter) {
    case 'G': return onlyWhen(n <= 5, ofKind(Kind::NAME, DateField::ERA));
    case 'y': return year(DateField::YEAR_OF_ERA, n);
    case 'u': return year(DateField::YEAR, n);
    case 'Y': return year(DateField::WEEK_BASED_YEAR, n);
    case 'Q':
    case 'q': return numberOrName(DateField::QUARTER, n);
    case 'M':
    case 'L': return numberOrName(DateField::MONTH, n);
    case 'w': return onlyWhen(n <= 2, number(DateField::WEEK_OF_YEAR, n, 2, Sign::NONE));
    case 'W': return onlyWhen(n == 1, fixedNumber(DateField::WEEK_OF_MONTH, 1));
    case 'D':
      return n == 1 ? anyNumber(DateField::DAY_OF_YEAR)
                    : onlyWhen(n <= 3, number(DateField::DAY_OF_YEAR, n, 3, Sign::NONE));
    case 'd': return upToTwoDigits(DateField::DAY, n);
    case 'F': return onlyWhen(n == 1, anyNumber(DateField::ALIGNED_DAY_OF_WEEK));
    case 'g': return onlyWhen(n <= kNumberWidthMax, number(DateField::JULIAN_DAY, n, kNumberWidthMax, Sign::NEGATIVE_ONLY));
    case 'E': return onlyWhen(n <= 5, ofKind(Kind::NAME, DateField::DAY_OF_WEEK));
    case 'c':
      if (n <= 2) return onlyWhen(n == 1, fixedNumber(DateField::LOCAL_DAY_OF_WEEK, 1));
      return onlyWhen(n <= 5, ofKind(Kind::NAME, DateField::DAY_OF_WEEK));
    case 'e':
      if (n <= 2) return fixedNumber(DateField::LOCAL_DAY_OF_WEEK, n);
      return onlyWhen(n <= 5, ofKind(Kind::NAME, DateField::DAY_OF_WEEK));
    default: return std::nullopt;
  }
}

/// The meaning of a letter of the time or zone.
std::optional<DateItem> timeLetter(char letter, int n) {
  switch (letter) {
    case 'a': return onlyWhen(n == 1, ofKind(Kind::NAME, DateField::DAY_HALF));
    case 'B': return onlyWhen(n == 1 || n == 4 || n == 5, ofKind(Kind::DAY_PERIOD));
    case 'H': return upToTwoDigits(DateField::HOUR, n);
    case 'k': return upToTwoDigits(DateField::CLOCK_HOUR, n);
    case 'K': return upToTwoDigits(DateField::HALF_HOUR, n);
    case 'h': return upToTwoDigits(DateField::CLOCK_HALF_HOUR, n);
    case 'm': return upToTwoDigits(DateField::MINUTE, n);
    case 's': return upToTwoDigits(DateField::SECOND, n);
    case 'S': {
      DateItem item = fixedNumber(DateField::NANO, n);
      item.kind = Kind::FRACTION;
      return onlyWhen(n <= 9, item);
    }
    case 'A': return onlyWhen(n <= kNumberWidthMax, number(DateField::MILLI_OF_DAY, n, kNumberWidthMax, Sign::NONE));
    case 'n': return onlyWhen(n <= kNumberWidthMax, number(DateField::NANO, n, kNumberWidthMax, Sign::NONE));
    case 'N': return onlyWhen(n <= kNumberWidthMax, number(DateField::NANO_OF_DAY, n, kNumberWidthMax, Sign::NONE));
    case 'V': return onlyWhen(n == 2, ofKind(Kind::ZONE));
    case 'v': return onlyWhen(n == 1 || n == 4, ofKind(Kind::ZONE));
    case 'z': return onlyWhen(n <= 4, ofKind(Kind::ZONE));
    case 'O': return onlyWhen(n == 1 || n == 4, ofKind(Kind::OFFSET));
    case 'X':
    case 'x':
    case 'Z': return onlyWhen(n <= 5, ofKind(Kind::OFFSET));
    default: return std::nullopt;
  }
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class Compiler {
 public:
  explicit Compiler(std::string_view pattern) : pattern_(pattern) {}

  Result<DatePattern::Program> run() {
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      RETURN_IF_ERROR(isLetter(c) ? letters(c) : c == '\'' ? quoted() : other(c));
    }
    while (!open_.empty()) close();
    DatePattern::Program program;
    program.pattern = pattern_;
    program.items = std::move(items_);
    using Shape = DatePattern::Program::Shape;
    program.shape = pattern_ == "yyyy-MM-dd"            ? Shape::DATE
                    : pattern_ == "yyyy-MM-dd HH:mm"    ? Shape::DATE_MINUTE
                    : pattern_ == "yyyy-MM-dd HH:mm:ss" ? Shape::DATE_SECOND
                                                        : Shape::GENERAL;
    return program;
  }

 private:
  Status error(const std::string& what) const {
    return Status::invalid("date pattern '" + std::string(pattern_) + "' is not valid: " + what);
  }

  int count(char letter) {
    const size_t begin = at_;
    while (at_ < pattern_.size() && pattern_[at_] == letter) ++at_;
    return static_cast<int>(at_ - begin);
  }

  Status letters(char letter) {
    int pad = 0;
    int n = count(letter);
    if (letter == 'p') {
      pad = n;
      letter = at_ < pattern_.size() ? pattern_[at_] : '\0';
      n = isLetter(letter) && letter != 'p' ? count(letter) : 0;
      if (n == 0) return error("pad letter 'p' must be followed by a letter to pad");
    }
    std::optional<DateItem> item = dateLetter(letter, n);
    if (!item) item = timeLetter(letter, n);
    if (!item) {
      const bool known = dateLetter(letter, 1) || timeLetter(letter, 1) || letter == 'V';
      return error(known ? "too many pattern letters: " + std::string(1, letter)
                         : "unknown pattern letter: " + std::string(1, letter));
    }
    item->letter = letter;
    item->letters = n;
    item->pad_width = pad;
    add(std::move(*item));
    return Status::ok();
  }

  Status quoted() {
    std::string text;
    for (++at_; at_ < pattern_.size(); ++at_) {
      if (pattern_[at_] == '\'') {
        if (at_ + 1 == pattern_.size() || pattern_[at_ + 1] != '\'') break;
        ++at_;
      }
      text += pattern_[at_];
    }
    if (at_ == pattern_.size()) return error("a quote is not closed");
    ++at_;
    literal(text.empty() ? "'" : text);
    return Status::ok();
  }

  Status other(char c) {
    ++at_;
    if (c == '{' || c == '}' || c == '#') return error("reserved character " + std::string(1, c));
    if (c == '[') {
      open_.push_back(items_.size());
      add(ofKind(Kind::OPTIONAL_BEGIN));
    } else if (c == ']') {
      if (open_.empty()) return error("']' without '[' before it");
      close();
    } else {
      literal(std::string(1, c));
    }
    return Status::ok();
  }

  void literal(std::string text) {
    DateItem item;
    item.text = std::move(text);
    add(std::move(item));
  }

  void close() {
    items_[open_.back()].partner = items_.size();
    open_.pop_back();
    add(ofKind(Kind::OPTIONAL_END));
  }

  /// Numbers without anything between them share their digits: fixed widths are served first, what is left belongs to
  /// the number of variable width in front.
  void add(DateItem item) {
    const bool digits = item.pad_width == 0 && (item.kind == Kind::NUMBER || item.kind == Kind::TWO_DIGIT_YEAR || item.kind == Kind::FRACTION);
    if (!digits) {
      run_head_.reset();
    } else if (!run_head_) {
      run_head_ = items_.size();
    } else if (item.min_width == item.max_width && item.sign == Sign::NONE) {
      items_[*run_head_].following_width += item.max_width;
      item.following_width = -1;
    } else {
      items_[*run_head_].following_width = -1;
      run_head_ = items_.size();
    }
    items_.push_back(std::move(item));
  }

  std::string_view pattern_;
  size_t at_ = 0;
  std::vector<DateItem> items_;
  std::vector<size_t> open_;          // optional sections
  std::optional<size_t> run_head_;    // the number that takes the digits left over
};

}  // namespace

Result<DatePattern> DatePattern::compile(std::string_view pattern) {
  ASSIGN_OR_RETURN(Program program, Compiler(pattern).run());
  return DatePattern(std::make_shared<const Program>(std::move(program)));
}

const std::string& DatePattern::pattern() const { return program_->pattern; }

}  // namespace thalweg
