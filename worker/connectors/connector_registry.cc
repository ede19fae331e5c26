#include "worker/connectors/connector_registry.h"

#include "worker/connectors/enforcing_sink.h"

namespace thalweg::worker {
namespace {

const Connector* find(std::string_view name) {
  for (const Connector& connector : connectorTable()) {
    if (connector.name == name) return &connector;
  }
  return nullptr;
}

Status missing(const std::string& connector, std::string_view use, const std::string& table) {
  return Status::notSupported("the connector '" + connector + "' of table '" + table + "' has no " + std::string(use) +
                              " in this engine");
}

}  // namespace

Result<std::unique_ptr<SourceReader>> makeSourceReader(const SourceSpec& spec, const Schema& output,
                                                       const ConnectorEnvironment& environment) {
  const Connector* connector = find(spec.connector);
  if (connector == nullptr || connector->make_reader == nullptr) return missing(spec.connector, "source", spec.table_name);
  return connector->make_reader(spec, output, environment);
}

Result<std::unique_ptr<SplitEnumerator>> makeSplitEnumerator(const SourceSpec& spec, int parallelism,
                                                             const ConnectorEnvironment& environment) {
  const Connector* connector = find(spec.connector);
  if (connector == nullptr || connector->make_enumerator == nullptr) return missing(spec.connector, "source", spec.table_name);
  return connector->make_enumerator(spec, parallelism, environment);
}

Result<std::unique_ptr<SinkWriter>> makeSinkWriter(const SinkSpec& spec, const ConnectorEnvironment& environment) {
  const Connector* connector = find(spec.connector);
  if (connector == nullptr || connector->make_writer == nullptr) return missing(spec.connector, "sink", spec.table_name);
  ASSIGN_OR_RETURN(auto writer, connector->make_writer(spec, environment));
  return enforceColumnRules(spec, std::move(writer));
}

}  // namespace thalweg::worker
