// The pages of docs/reference that are made from the engine's own tables, so that they cannot lag behind it:
// `thalweg reference functions` and `thalweg reference configuration` print them.
// Threads: pure functions.
#pragma once

#include <string>

namespace thalweg::reference {

/// Every listed function by category: signature, description, example. Markdown.
std::string functionsPage();
/// Every configuration key by prefix: type, default, meaning; then those that must keep their default. Markdown.
std::string configurationPage();

}  // namespace thalweg::reference
