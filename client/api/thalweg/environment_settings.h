// EnvironmentSettings: how a TableEnvironment starts — mode, catalog names, settings.
//
//   auto tEnv = TableEnvironment::create(EnvironmentSettings::inStreamingMode());
// Threads: values.
#pragma once

#include <string>

#include "common/config/configuration.h"

namespace thalweg::api {

class EnvironmentSettings {
 public:
  class Builder;
  static Builder newInstance();
  static EnvironmentSettings inStreamingMode();
  static EnvironmentSettings inBatchMode();

  bool isStreamingMode() const { return !batch_; }
  const std::string& getBuiltInCatalogName() const { return catalog_; }
  const std::string& getBuiltInDatabaseName() const { return database_; }
  const Configuration& getConfiguration() const { return configuration_; }

 private:
  bool batch_ = false;
  std::string catalog_ = "default_catalog";
  std::string database_ = "default_database";
  Configuration configuration_;
};

class EnvironmentSettings::Builder {
 public:
  Builder& inStreamingMode() { settings_.batch_ = false; return *this; }
  Builder& inBatchMode() { settings_.batch_ = true; return *this; }
  Builder& withBuiltInCatalogName(std::string name) { settings_.catalog_ = std::move(name); return *this; }
  Builder& withBuiltInDatabaseName(std::string name) { settings_.database_ = std::move(name); return *this; }
  Builder& withConfiguration(Configuration configuration) { settings_.configuration_ = std::move(configuration); return *this; }
  EnvironmentSettings build() const { return settings_; }

 private:
  EnvironmentSettings settings_;
};

inline EnvironmentSettings::Builder EnvironmentSettings::newInstance() { return {}; }
inline EnvironmentSettings EnvironmentSettings::inStreamingMode() { return newInstance().inStreamingMode().build(); }
inline EnvironmentSettings EnvironmentSettings::inBatchMode() { return newInstance().inBatchMode().build(); }

}  // namespace thalweg::api
