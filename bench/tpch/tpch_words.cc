#include "bench/tpch/tpch_words.h"

#include <chrono>
#include <cstdio>

namespace thalweg::tpch {
namespace {

constexpr std::chrono::sys_days kFirstDay{std::chrono::year{1992} / 1 / 1};

}  // namespace

std::string money(int64_t cents) {
  char text[64];
  const int64_t size = cents < 0 ? -cents : cents;
  std::snprintf(text, sizeof(text), "%s%lld.%02lld", cents < 0 ? "-" : "", static_cast<long long>(size / 100), static_cast<long long>(size % 100));
  return text;
}

std::string date(int64_t days) {
  const std::chrono::year_month_day day{kFirstDay + std::chrono::days(days)};
  char text[64];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02u", static_cast<int>(day.year()), static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text;
}

int64_t dayOf(int year, int month, int day) {
  const std::chrono::sys_days at{std::chrono::year{year} / month / day};
  return (at - kFirstDay).count();
}

std::string comment(RowRandom& random, int words_least, int words_most) {
  std::string text;
  for (int64_t left = random.between(words_least, words_most); left > 0; --left) {
    if (!text.empty()) text += ' ';
    text += pick(random, kWords);
  }
  return text;
}

std::string address(RowRandom& random) {
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string text(static_cast<size_t>(random.between(10, 30)), 'x');
  for (char& letter : text) letter = kLetters[static_cast<size_t>(random.between(0, static_cast<int64_t>(kLetters.size()) - 1))];
  text.front() = 'a';                                // no blank at an end
  text.back() = 'z';
  return text;
}

std::string phone(RowRandom& random, int64_t nation) {
  char text[64];
  const int64_t area = random.between(100, 999);
  const int64_t office = random.between(100, 999);
  std::snprintf(text, sizeof(text), "%lld-%03lld-%03lld-%04lld", static_cast<long long>(nation + 10), static_cast<long long>(area),
                static_cast<long long>(office), static_cast<long long>(random.between(1000, 9999)));
  return text;
}

std::string numbered(std::string_view what, int64_t number) {
  char digits[64];
  std::snprintf(digits, sizeof(digits), "#%09lld", static_cast<long long>(number));
  return std::string(what) + digits;
}

}  // namespace thalweg::tpch
