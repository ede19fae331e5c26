#include "common/functions/session_functions.h"

#include <cctype>
#include <deque>
#include <mutex>

namespace thalweg {
namespace {

thread_local const SessionFunctions* functions_in_sight = nullptr;

/// Keeps a function for ever.
template <typename Function>
const Function* keep(Function function) {
  static std::mutex mutex;
  static auto* kept = new std::deque<Function>();
  const std::lock_guard lock(mutex);
  return &kept->emplace_back(std::move(function));
}

std::string upperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

template <typename Map>
auto found(const Map& map, std::string_view name) -> typename Map::mapped_type {
  if (map.empty()) return nullptr;
  const auto at = map.find(upperCase(name));
  return at == map.end() ? nullptr : at->second;
}

}  // namespace

void SessionFunctions::add(ScalarFunction function) {
  remove(function.name);
  std::string name = upperCase(function.name);
  scalars_[std::move(name)] = keep(std::move(function));
}

void SessionFunctions::add(AggregateFunction function) {
  remove(function.name);
  std::string name = upperCase(function.name);
  aggregates_[std::move(name)] = keep(std::move(function));
}

bool SessionFunctions::remove(std::string_view name) {
  const std::string upper = upperCase(name);
  return scalars_.erase(upper) + aggregates_.erase(upper) > 0;
}

const ScalarFunction* SessionFunctions::scalar(std::string_view name) const { return found(scalars_, name); }
const AggregateFunction* SessionFunctions::aggregate(std::string_view name) const { return found(aggregates_, name); }

std::vector<std::string> SessionFunctions::names() const {
  std::vector<std::string> names;
  for (const auto& [name, function] : scalars_) names.push_back(name);
  for (const auto& [name, function] : aggregates_) names.push_back(name);
  return names;
}

const SessionFunctions* SessionFunctions::inSight() { return functions_in_sight; }

SessionFunctions::InSight::InSight(const SessionFunctions& functions) : before_(functions_in_sight) { functions_in_sight = &functions; }
SessionFunctions::InSight::~InSight() { functions_in_sight = before_; }

}  // namespace thalweg
