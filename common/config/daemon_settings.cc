#include "common/config/daemon_settings.h"

#include <yaml-cpp/yaml.h>

#include <chrono>

#include "common/config/config_value.h"
#include "common/config/configuration.h"

namespace thalweg {
namespace {

enum class Form { TEXT, INTEGER, DURATION, BYTES, FLAG };

struct DaemonKey {
  const char* key;
  Form form;
  const char* otherwise;
  const char* meaning;
};

constexpr DaemonKey kKeys[] = {
    {"heartbeat.interval", Form::DURATION, "250 ms", "how often workers say that they live"},
    {"heartbeat.timeout", Form::DURATION, "5 s", "after how long a silent worker is given up"},
    {"jobmanager.bind-host", Form::TEXT, "127.0.0.1", "the address that the coordinator listens on; another than loopback needs TLS and a token"},
    {"jobmanager.rpc.address", Form::TEXT, "127.0.0.1", "where workers find the coordinator"},
    {"jobmanager.rpc.port", Form::INTEGER, "6123", "the coordinator's port; 0: one that is free"},
    {"jobstore.max-capacity", Form::INTEGER, "1000", "how many ended jobs are kept to be looked at"},
    {"rest.bind-address", Form::TEXT, "127.0.0.1", "the address of the REST interface; another than loopback needs TLS and a token"},
    {"rest.port", Form::INTEGER, "8081", "the port of the REST interface; 0: one that is free, -1: there is none"},
    {"task.cancellation.timeout", Form::DURATION, "2 s", "how long a task process may take to end before it is killed"},
    {"taskmanager.host", Form::TEXT, "127.0.0.1", "the address of this worker for the task processes of others"},
    {"taskmanager.memory.process.size", Form::BYTES, "0 b", "the memory of a worker's task processes, shared by its slots; 0 b: no limit"},
    {"taskmanager.numberOfTaskSlots", Form::INTEGER, "0", "how many slots a worker offers; 0: one per core"},
    {"taskmanager.resource-id", Form::TEXT, "", "the worker's name; empty: made up"},
    {"thalweg.folder", Form::TEXT, "", "where the daemon keeps its logs and what else it must; empty: below the temporary folder"},
    {"thalweg.heartbeat.suspect", Form::DURATION, "1 s", "after how long nothing new is placed on a silent worker"},
    {"thalweg.insecure", Form::FLAG, "false", "listen on any address without TLS and token"},
    {"thalweg.security.ca", Form::TEXT, "", "the certificate, in PEM, that all daemons' certificates are signed with"},
    {"thalweg.security.certificate", Form::TEXT, "", "the daemon's certificate, in PEM"},
    {"thalweg.security.key", Form::TEXT, "", "the daemon's private key, in PEM"},
    {"thalweg.security.token-file", Form::TEXT, "", "a file with the token that clients must show"},
};

const DaemonKey* find(const std::string& key) {
  for (const DaemonKey& each : kKeys) {
    if (key == each.key) return &each;
  }
  return nullptr;
}

Status check(const DaemonKey& key, const std::string& value) {
  switch (key.form) {
    case Form::TEXT: return {};
    case Form::INTEGER: return parseConfigInt(value).status();
    case Form::DURATION: return parseConfigDuration(value).status();
    case Form::BYTES: return parseConfigMemorySize(value).status();
    case Form::FLAG: return parseConfigBool(value).status();
  }
  return {};
}

Status addNode(DaemonSettings& settings, const std::string& prefix, const YAML::Node& node) {
  if (node.IsNull()) return {};
  if (node.IsScalar()) return settings.set(prefix, node.as<std::string>());
  if (!node.IsMap()) return Status::invalid("'" + prefix + "': expected a value or keys");
  for (const auto& entry : node) {
    const auto key = entry.first.as<std::string>();
    RETURN_IF_ERROR(addNode(settings, prefix.empty() ? key : prefix + "." + key, entry.second));
  }
  return {};
}

}  // namespace

Status DaemonSettings::loadFile(const std::string& path) {
  try {                                             // the wall for what yaml-cpp throws
    const Status status = addNode(*this, "", YAML::LoadFile(path));
    return status.isOk() ? status : status.withContext(path);
  } catch (const YAML::Exception& error) {
    return Status::invalid("cannot read the configuration file " + path + ": " + error.what());
  }
}

Status DaemonSettings::set(const std::string& key, const std::string& value) {
  if (const DaemonKey* known = find(key)) {
    if (const Status status = check(*known, value); !status.isOk()) return status.withContext(key);
    values_[key] = value;
    return {};
  }
  Configuration probe;
  RETURN_IF_ERROR(probe.set(key, value));
  job_defaults_[key] = value;
  return {};
}

Status DaemonSettings::setPair(const std::string& pair) {
  const size_t equals = pair.find('=');
  if (equals == std::string::npos) return Status::invalid("expected key=value, found '" + pair + "'");
  return set(pair.substr(0, equals), pair.substr(equals + 1));
}

std::string DaemonSettings::text(const std::string& key) const {
  const auto found = values_.find(key);
  if (found != values_.end()) return found->second;
  const DaemonKey* known = find(key);
  CHECK(known != nullptr);
  return known->otherwise;
}

int64_t DaemonSettings::integer(const std::string& key) const { return *parseConfigInt(text(key)); }
int64_t DaemonSettings::millis(const std::string& key) const {
  return std::chrono::duration_cast<std::chrono::milliseconds>(*parseConfigDuration(text(key))).count();
}
int64_t DaemonSettings::bytes(const std::string& key) const { return *parseConfigMemorySize(text(key)); }
bool DaemonSettings::flag(const std::string& key) const { return *parseConfigBool(text(key)); }

std::string describeDaemonSettings() {
  std::string text = "# The keys of thalweg-coordinator and thalweg-worker, with their defaults.\n";
  for (const DaemonKey& key : kKeys) text += std::string("\n# ") + key.meaning + "\n" + key.key + ": " + (*key.otherwise ? key.otherwise : "''") + "\n";
  return text;
}

}  // namespace thalweg
