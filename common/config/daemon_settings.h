// DaemonSettings: what a daemon was told — a configuration file in YAML, nested or with dotted keys, and -D key=value.
//
// Keys are Flink's where it has them; the table in daemon_settings.cc lists all, with default and meaning, and
// describeDaemonSettings() prints it. Settings of jobs (restart-strategy.*, table.*, …) may stand there, too: they are
// defaults of the cluster. Threads: a value.
#pragma once

#include <map>
#include <string>

#include "common/base/status.h"

namespace thalweg {

class DaemonSettings {
 public:
  Status loadFile(const std::string& path);
  /// `key=value`. NOT_FOUND for a key that neither daemons nor jobs have.
  Status setPair(const std::string& pair);
  Status set(const std::string& key, const std::string& value);

  std::string text(const std::string& key) const;
  int64_t integer(const std::string& key) const;
  int64_t millis(const std::string& key) const;
  int64_t bytes(const std::string& key) const;
  bool flag(const std::string& key) const;
  /// Settings of jobs.
  const std::map<std::string, std::string>& jobDefaults() const { return job_defaults_; }

 private:
  std::map<std::string, std::string> values_;
  std::map<std::string, std::string> job_defaults_;
};

/// Every key with default and meaning, as a commented configuration file.
std::string describeDaemonSettings();

}  // namespace thalweg
