#include "common/functions/function_registry.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

#include "common/functions/list.h"
#include "common/functions/session_functions.h"

namespace thalweg {

namespace {

std::string upperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper;
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// Names that people can write as a function call, as opposed to operator texts.
bool isIdentifier(std::string_view name) {
  return std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

template <typename Function>
using NameMap = std::unordered_map<std::string, const Function*>;

template <typename Function>
void enter(NameMap<Function>& map, const Function& function) {
  const auto enterName = [&](const std::string& name) {
    const bool is_new = map.emplace(upperCase(name), &function).second;
    CHECK_MSG(is_new, "function name registered twice: " + name);
  };
  enterName(function.name);
  for (const std::string& alias : function.aliases) enterName(alias);
}

}  // namespace

struct FunctionRegistry::Index {
  ScalarList scalars;
  AggregateList aggregates;
  NameMap<ScalarFunction> scalars_by_name;
  NameMap<AggregateFunction> aggregates_by_name;
};

FunctionRegistry::FunctionRegistry() {
  auto index = std::make_shared<Index>();
  addAllScalarFunctions(index->scalars);
  addAllAggregateFunctions(index->aggregates);
  for (const ScalarFunction& function : index->scalars) {
    enter(index->scalars_by_name, function);
    scalars_.push_back(&function);
  }
  for (const AggregateFunction& function : index->aggregates) {
    enter(index->aggregates_by_name, function);
    aggregates_.push_back(&function);
  }
  index_ = std::move(index);
}

const FunctionRegistry& FunctionRegistry::instance() {
  static const FunctionRegistry registry;
  return registry;
}

const ScalarFunction* FunctionRegistry::scalar(std::string_view name) const {
  if (const SessionFunctions* session = SessionFunctions::inSight()) {
    if (const ScalarFunction* function = session->scalar(name)) return function;
    if (session->aggregate(name)) return nullptr;
  }
  const auto found = index_->scalars_by_name.find(upperCase(name));
  return found == index_->scalars_by_name.end() ? nullptr : found->second;
}

const AggregateFunction* FunctionRegistry::aggregate(std::string_view name) const {
  if (const SessionFunctions* session = SessionFunctions::inSight()) {
    if (const AggregateFunction* function = session->aggregate(name)) return function;
    if (session->scalar(name)) return nullptr;
  }
  const auto found = index_->aggregates_by_name.find(upperCase(name));
  return found == index_->aggregates_by_name.end() ? nullptr : found->second;
}

std::vector<std::string> FunctionRegistry::names() const {
  std::vector<std::string> names;
  const auto addNames = [&](const std::string& name, const std::vector<std::string>& aliases) {
    if (isIdentifier(name)) names.push_back(lowerCase(name));
    for (const std::string& alias : aliases) {
      if (isIdentifier(alias)) names.push_back(lowerCase(alias));
    }
  };
  for (const ScalarFunction* function : scalars_) {
    if (function->listed) addNames(function->name, function->aliases);
  }
  for (const AggregateFunction* function : aggregates_) addNames(function->name, function->aliases);
  if (const SessionFunctions* session = SessionFunctions::inSight()) {
    for (const std::string& name : session->names()) names.push_back(lowerCase(name));
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

}  // namespace thalweg
