// The words of a run's file that its writer and its readers share. The bytes are specified at the head of state_run.cc.
#pragma once

#include <cstddef>
#include <string_view>

#include "worker/state/state_run.h"

namespace thalweg::worker {

inline constexpr std::string_view kRunMagic = "TWRN";
inline constexpr char kRunVersion = 1;
inline constexpr size_t kRunHeadBytes = 8;
inline constexpr size_t kRunTailBytes = 16;
inline constexpr size_t kRunBlockBytes = size_t{2} << 10;

/// Takes the entry that `rest` begins with off it; its hash is not set. False if it ends early.
bool takeEntry(std::string_view& rest, bool fixed_keys, RunEntry& entry);

}  // namespace thalweg::worker
