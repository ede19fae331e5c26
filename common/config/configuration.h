// Configuration: what a session or a job was told, as checked pairs of key and value.
//
//   Configuration configuration;
//   RETURN_IF_ERROR(configuration.set("parallelism.default", "4"));
//   configuration.getInt("parallelism.default");           // 4
//   configuration.getDuration("table.exec.source.idle-timeout");  // the default, 0 ms
//
// Values are checked when they are set, so that getters cannot fail. Getters are for SUPPORTED options of the
// getter's type (config_option.h); anything else is a bug and CHECKs.
// Order: iteration is by key. Threads: a value; share it as const.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/status.h"

namespace thalweg {

class Configuration {
 public:
  using Entries = std::map<std::string, std::string, std::less<>>;

  /// Sets a key, by its present or an older name. NOT_FOUND for an unknown key, with the nearest that exists;
  /// INVALID_ARGUMENT for a value of the wrong form; NOT_SUPPORTED for one that would change answers and is not built.
  /// A key without effect is kept like others: `ignoredKeyWarning(key)` has the words to show.
  Status set(std::string_view key, std::string_view value);
  /// Sets `key=value`, the form of `-D`.
  Status setPair(std::string_view pair);
  /// Back to the default. Unknown keys are NOT_FOUND; a key that was not set is fine.
  Status reset(std::string_view key);
  void resetAll() { entries_.clear(); }

  /// What was set explicitly.
  const Entries& entries() const { return entries_; }
  bool contains(std::string_view key) const { return find(key).has_value(); }
  std::optional<std::string> find(std::string_view key) const;

  /// The value that was set, or else the option's default.
  std::string getString(std::string_view key) const;
  bool getBool(std::string_view key) const;
  int64_t getInt(std::string_view key) const;
  double getDouble(std::string_view key) const;
  std::chrono::nanoseconds getDuration(std::string_view key) const;
  int64_t getDurationMillis(std::string_view key) const;
  int64_t getMemorySizeBytes(std::string_view key) const;
  /// In upper case, as listed in the option's row.
  std::string getEnum(std::string_view key) const;

  friend bool operator==(const Configuration&, const Configuration&) = default;

 private:
  Entries entries_;
};

}  // namespace thalweg
