#include "common/functions/aggregates/hyper_log_log.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace thalweg {
namespace {

constexpr int kRankMax = 64 - HyperLogLog::kIndexBits + 1;
constexpr size_t kTailMax = 64;

/// Ertl's sigma: the weight of registers that were never hit.
double sigma(double x) {
  if (x == 1.0) return HUGE_VAL;
  double y = 1;
  double z = x;
  for (double before = -1; before != z;) {
    x *= x;
    before = z;
    z += x * y;
    y += y;
  }
  return z;
}

/// Ertl's tau: the weight of registers that are full.
double tau(double x) {
  if (x == 0.0 || x == 1.0) return 0;
  double y = 1;
  double z = 1 - x;
  for (double before = -1; before != z;) {
    x = std::sqrt(x);
    before = z;
    y *= 0.5;
    z -= (1 - x) * (1 - x) * y;
  }
  return z / 3;
}

}  // namespace

void HyperLogLog::add(uint64_t hash) {
  if (!registers_.empty()) return addToRegisters(hash);
  if (std::binary_search(exact_.begin(), exact_.begin() + static_cast<std::ptrdiff_t>(sorted_), hash)) return;
  exact_.push_back(hash);
  if (exact_.size() - sorted_ < kTailMax && exact_.size() <= kExactMax) return;
  sortTail();
  growIfFull();
}

void HyperLogLog::sortTail() {
  std::ranges::sort(exact_);
  exact_.erase(std::ranges::unique(exact_).begin(), exact_.end());
  sorted_ = exact_.size();
}

void HyperLogLog::growIfFull() {
  if (exact_.size() <= kExactMax) return;
  registers_.assign(kRegisters, 0);
  for (const uint64_t hash : exact_) addToRegisters(hash);
  exact_ = {};
  sorted_ = 0;
}

void HyperLogLog::addToRegisters(uint64_t hash) {
  const size_t index = hash >> (64 - kIndexBits);
  const uint64_t rest = hash << kIndexBits;
  const int rank = rest == 0 ? kRankMax : std::countl_zero(rest) + 1;
  registers_[index] = std::max(registers_[index], static_cast<uint8_t>(rank));
}

void HyperLogLog::mergeFrom(const HyperLogLog& other) {
  if (other.registers_.empty()) {
    for (const uint64_t hash : other.exact_) add(hash);
    return;
  }
  if (registers_.empty()) {
    registers_.assign(kRegisters, 0);
    for (const uint64_t hash : exact_) addToRegisters(hash);
    exact_ = {};
    sorted_ = 0;
  }
  for (size_t i = 0; i < kRegisters; ++i) registers_[i] = std::max(registers_[i], other.registers_[i]);
}

int64_t HyperLogLog::estimate() const {
  if (registers_.empty()) {
    HyperLogLog copy = *this;
    copy.sortTail();
    return static_cast<int64_t>(copy.exact_.size());
  }
  std::array<int64_t, kRankMax + 1> ranks{};
  for (const uint8_t rank : registers_) ++ranks[rank];
  const auto m = static_cast<double>(kRegisters);
  double z = m * tau(1 - static_cast<double>(ranks[kRankMax]) / m);
  for (int rank = kRankMax - 1; rank >= 1; --rank) z = 0.5 * (z + static_cast<double>(ranks[static_cast<size_t>(rank)]));
  z += m * sigma(static_cast<double>(ranks[0]) / m);
  constexpr double kAlpha = 0.721347520444481703680;  // 1 / (2 ln 2)
  return std::llround(kAlpha * m * m / z);
}

void HyperLogLog::save(StateWriter& out) const {
  out.text({reinterpret_cast<const char*>(exact_.data()), exact_.size() * sizeof(uint64_t)});
  out.text({reinterpret_cast<const char*>(registers_.data()), registers_.size()});
}

bool HyperLogLog::load(StateReader& in) {
  const std::string_view exact = in.text();
  const std::string_view registers = in.text();
  if (!in.isOk() || exact.size() % sizeof(uint64_t) != 0 || exact.size() > (kExactMax + kTailMax) * sizeof(uint64_t)) return false;
  if (!registers.empty() && (registers.size() != kRegisters || !exact.empty())) return false;
  for (const char rank : registers) {
    if (static_cast<uint8_t>(rank) > kRankMax) return false;
  }
  exact_.resize(exact.size() / sizeof(uint64_t));
  if (!exact.empty()) std::memcpy(exact_.data(), exact.data(), exact.size());
  registers_.assign(registers.begin(), registers.end());
  sortTail();
  return true;
}

}  // namespace thalweg
