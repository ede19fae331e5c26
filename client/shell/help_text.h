// What HELP prints.
#pragma once

#include <string_view>

namespace thalweg::shell {

std::string_view helpText();

}  // namespace thalweg::shell
