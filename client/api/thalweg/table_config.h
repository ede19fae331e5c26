// TableConfig: the settings of a TableEnvironment, changed at any time before a plan is made.
//
//   tEnv.getConfig().setLocalTimeZone(ZoneId::of("Europe/Berlin"));
//   tEnv.getConfig().set("table.exec.mini-batch.enabled", "true");
// Errors: ValidationException for an unknown key, zone or value. Lifetime: keeps its environment alive. Threads: one.
#pragma once

#include <memory>
#include <string>

#include "client/api/thalweg/values.h"

namespace thalweg::api {

struct EnvironmentState;

/// A time zone by name or offset.
class ZoneId {
 public:
  /// `Europe/Berlin`, `UTC`, `GMT+08:00`, `+08:00`.
  static ZoneId of(std::string_view id);
  const std::string& getId() const { return id_; }

 private:
  explicit ZoneId(std::string id) : id_(std::move(id)) {}
  std::string id_;
};
struct ZoneOffset {
  static ZoneId ofHours(int hours);
};

class TableConfig {
 public:
  explicit TableConfig(std::shared_ptr<EnvironmentState> state) : state_(std::move(state)) {}
  TableConfig& set(std::string_view key, std::string_view value);
  /// What was set; empty if nothing was.
  std::string get(std::string_view key) const;
  TableConfig& setLocalTimeZone(const ZoneId& zone);
  ZoneId getLocalTimeZone() const;
  TableConfig& setIdleStateRetention(Duration duration);
  Duration getIdleStateRetention() const;

 private:
  std::shared_ptr<EnvironmentState> state_;
};

}  // namespace thalweg::api
