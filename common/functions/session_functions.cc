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

/// Functions that expressions brought along, by their names.
struct InlineFunctions {
  std::mutex mutex;
  int count = 0;
  std::map<std::string, const ScalarFunction*, std::less<>> scalars;
  std::map<std::string, const AggregateFunction*, std::less<>> aggregates;
};
InlineFunctions& inlineFunctions() {
  static auto* functions = new InlineFunctions();
  return *functions;
}
constexpr std::string_view kInlinePrefix = "$INLINE";

template <typename Function>
std::string addInlineTo(Function function, std::map<std::string, const Function*, std::less<>> InlineFunctions::*map) {
  InlineFunctions& all = inlineFunctions();
  const std::lock_guard lock(all.mutex);
  std::string name = std::string(kInlinePrefix) + std::to_string(++all.count);
  function.name = name;
  (all.*map)[name] = keep(std::move(function));
  return name;
}

template <typename Function>
const Function* findInline(std::string_view name, std::map<std::string, const Function*, std::less<>> InlineFunctions::*map) {
  if (!name.starts_with(kInlinePrefix)) return nullptr;
  InlineFunctions& all = inlineFunctions();
  const std::lock_guard lock(all.mutex);
  return found(all.*map, name);
}

}  // namespace

std::string SessionFunctions::addInline(ScalarFunction function) { return addInlineTo(std::move(function), &InlineFunctions::scalars); }
std::string SessionFunctions::addInline(AggregateFunction function) { return addInlineTo(std::move(function), &InlineFunctions::aggregates); }

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

const ScalarFunction* SessionFunctions::scalar(std::string_view name) const {
  const ScalarFunction* function = found(scalars_, name);
  return function ? function : findInline(name, &InlineFunctions::scalars);
}
const AggregateFunction* SessionFunctions::aggregate(std::string_view name) const {
  const AggregateFunction* function = found(aggregates_, name);
  return function ? function : findInline(name, &InlineFunctions::aggregates);
}

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
