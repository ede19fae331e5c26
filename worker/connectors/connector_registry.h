// Makes the readers and writers of a table's connector: one explicit table (list.cc), one row per connector.
//
// The planner has checked the options (common/plan/catalog/connector_descriptor.h); what can only be known here (a missing
// file, a bad partition value) fails in open() or later. A connector that the table lacks is NOT_SUPPORTED by name.
// Threads: any; what is made belongs to its caller.
// See also: docs/how-to/add-a-connector.md.
#pragma once

#include <memory>
#include <span>

#include "common/fs/file_system.h"
#include "common/plan/operator_spec.h"
#include "common/runtime_api/sink.h"
#include "common/runtime_api/source.h"

namespace thalweg::worker {

/// What connectors reach outside through. Lifetime: outlives everything made with it.
struct ConnectorEnvironment {
  FileSystem* files = &localFileSystem();
};

/// A reader for one subtask. `output` has the spec's outputs, in their order.
Result<std::unique_ptr<SourceReader>> makeSourceReader(const SourceSpec& spec, const Schema& output,
                                                       const ConnectorEnvironment& environment = {});
/// The one enumerator of a source read by `parallelism` subtasks.
Result<std::unique_ptr<SplitEnumerator>> makeSplitEnumerator(const SourceSpec& spec, int parallelism,
                                                             const ConnectorEnvironment& environment = {});
/// A writer for one subtask, which learns its number in open(). It checks NOT NULL and lengths as the spec says.
Result<std::unique_ptr<SinkWriter>> makeSinkWriter(const SinkSpec& spec, const ConnectorEnvironment& environment = {});

/// Rows given in a query, read by one subtask whatever the parallelism.
std::unique_ptr<SourceReader> makeValuesReader(const ValuesSpec& spec, const Schema& output);
std::unique_ptr<SplitEnumerator> makeValuesEnumerator(const ValuesSpec& spec);

/// A row of the table.
struct Connector {
  std::string_view name;
  Result<std::unique_ptr<SourceReader>> (*make_reader)(const SourceSpec&, const Schema&, const ConnectorEnvironment&);
  Result<std::unique_ptr<SplitEnumerator>> (*make_enumerator)(const SourceSpec&, int parallelism, const ConnectorEnvironment&);
  Result<std::unique_ptr<SinkWriter>> (*make_writer)(const SinkSpec&, const ConnectorEnvironment&);
};
std::span<const Connector> connectorTable();

}  // namespace thalweg::worker
