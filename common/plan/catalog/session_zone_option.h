// The option by which a scan with conditions (SourceSpec::filter) tells its connector the session's zone: conditions are
// judged where files are listed, before there is a subtask to ask. Never written by users.
#pragma once

#include <string_view>

namespace thalweg {

inline constexpr std::string_view kSessionZoneOption = "$table.local-time-zone";

}  // namespace thalweg
