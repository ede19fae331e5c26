// Flink's configuration keys that are accepted and have no effect here, each with the reason.
// A key may hold placeholders: `metrics.reporter.<name>.class`. Threads: immutable tables, any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace thalweg {

struct IgnoredKey {
  std::string_view key;     ///< as listed, placeholders and all
  std::string_view reason;  ///< completes "it …"
};

std::optional<IgnoredKey> findIgnoredFlinkKey(std::string_view key);

/// All listed keys, for suggestions.
std::span<const std::string_view> ignoredFlinkKeys();

}  // namespace thalweg
