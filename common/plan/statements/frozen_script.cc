#include "common/plan/statements/frozen_script.h"

namespace thalweg {

size_t FrozenScript::bytes() const {
  size_t total = statement.size() + working_directory.size() + name.size();
  for (const auto& [key, value] : configuration) total += key.size() + value.size();
  for (const std::string& definition : definitions) total += definition.size();
  return total;
}

}  // namespace thalweg
