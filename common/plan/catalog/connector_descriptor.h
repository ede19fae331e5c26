// ConnectorDescriptor and FormatDescriptor: what planning must know of a connector or format without loading it.
//
// Options with their types and defaults, what it can do, whether its data ends, which changes it reads and writes.
// Readers and writers live in worker/connectors and common/formats; these tables (connector_list.cc,
// format_list.cc) are read by the binder, the planner, SHOW CREATE's users and the reference page.
// Threads: immutable tables, any thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"
#include "common/plan/catalog/option_spec.h"
#include "common/plan/changelog_mode.h"
#include "common/plan/operator_spec.h"
#include "common/types/data_type.h"

namespace thalweg {

/// A column that the connector or format makes besides the data.
struct MetadataColumn {
  std::string_view key;
  DataType type;
  bool writable = false;
};

struct FormatDescriptor {
  std::string_view name;
  std::vector<OptionSpec> options;       ///< keys without the `name.` prefix
  bool readable = true;
  bool writable = true;
  ChangelogMode read_mode;               ///< what its records may say
  ChangelogMode write_mode;              ///< what it can write
  bool nested_projection = false;        ///< reads single fields of rows without decoding the rest
  std::vector<MetadataColumn> metadata = {};  ///< available only where the connector passes it on
  /// Checks that need several options (without the prefix) or the columns that are in the data (no partition columns).
  std::function<Status(const OptionMap&, const Schema& data, bool writing)> check = {};
  bool built = true;                     ///< false: a format of Flink's that is known by name only
};

struct ConnectorDescriptor {
  std::string_view name;
  std::vector<OptionSpec> options;       ///< common options (scan.parallelism, …) are added by the list
  bool source = false;
  bool sink = false;
  bool uses_format = false;              ///< has `format`, whose options follow as `<format>.<key>`
  bool partitions = false;               ///< PARTITIONED BY, partition pruning, INSERT OVERWRITE … PARTITION
  bool overwrite = false;                ///< INSERT OVERWRITE
  bool projection = false;               ///< reads only the columns asked for
  bool filter = false;                   ///< may apply predicates itself
  bool limit = false;                    ///< may stop after enough rows
  std::vector<MetadataColumn> metadata = {};
  /// Whether a scan with these options ends. Absent: always.
  std::function<bool(const OptionMap&)> bounded = {};
  /// For connectors without a format.
  ChangelogMode read_mode = {};
  ChangelogMode write_mode = {};
  /// Checks that need the table's columns.
  std::function<Status(const OptionMap&, const Schema& physical)> check = {};
  bool built = true;                     ///< false: a connector of Flink's that is known by name only
};

const ConnectorDescriptor* findConnector(std::string_view name);
const FormatDescriptor* findFormat(std::string_view name);
std::span<const ConnectorDescriptor> connectors();
std::span<const FormatDescriptor> formats();

/// For which purpose a table's options are looked at.
enum class TableUse : uint8_t { SOURCE, SINK };

/// The connector and format that a table's options name, after all options were checked for that use.
struct TableConnector {
  const ConnectorDescriptor* connector = nullptr;
  const FormatDescriptor* format = nullptr;  ///< null if the connector has none
  bool isBounded(const OptionMap& options) const;
  ChangelogMode readMode() const;
  ChangelogMode writeMode() const;
  const MetadataColumn* metadata(std::string_view key) const;
  std::vector<std::string> metadataKeys() const;
};

/// The format's own check of its options and the columns that are in the data.
Status checkFormat(const FormatDescriptor& format, const OptionMap& options, const Schema& data, TableUse use);

/// Looks up and checks; PLAN_ERROR says what is wrong with which option, and names the nearest one that exists.
Result<TableConnector> resolveConnector(const std::string& table, const OptionMap& options, const Schema& physical,
                                        TableUse use);

}  // namespace thalweg
