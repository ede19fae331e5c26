// Table options as Flink 1.10 wrote them ('connector.type', 'format.type', versioned connector names) in today's words.
//
//   'connector.type' = 'filesystem', 'connector.path' = 'p', 'format.type' = 'csv'
//   →  'connector' = 'filesystem', 'path' = 'p', 'format' = 'csv'
//
// What has no meaning any more ('update-mode', 'connector.version', 'format.derive-schema') is left out.
// Threads: pure functions.
#pragma once

#include <string>

#include "common/plan/catalog/option_spec.h"

namespace thalweg {

/// `options` in today's words; unchanged if they are already.
OptionMap modernOptions(const OptionMap& options);
/// What to tell whoever wrote the old words; empty if there are none.
std::string modernOptionsAdvice(const OptionMap& options);

}  // namespace thalweg
