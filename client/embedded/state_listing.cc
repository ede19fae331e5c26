#include "client/embedded/state_listing.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "client/embedded/state_rows.h"
#include "common/checkpoint/checkpoint_reader.h"
#include "common/functions/json/json_document.h"
#include "common/types/dates/datetime_text.h"
#include "worker/checkpoint/snapshot_files.h"
#include "worker/state/table_snapshot.h"

namespace thalweg::client {
namespace {

using worker::StateTableView;
using worker::StoredTableEntry;
using worker::TableSnapshot;

const StateTableView* viewOf(const std::vector<StateTableView>& views, std::string_view table) {
  const auto found = std::find_if(views.begin(), views.end(), [&](const StateTableView& view) { return view.name == table; });
  return found == views.end() ? nullptr : &*found;
}

std::string columnsText(const Schema& schema) {
  std::string text;
  for (const Column& column : schema.columns()) text += (text.empty() ? "" : ", ") + column.name + " " + column.type.toString();
  return text.empty() ? "nothing" : text;
}

std::string hexOf(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kDigits[static_cast<uint8_t>(c) >> 4];
    text += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

/// The key as text, if it looks like text; else nothing.
std::string readable(std::string_view key) {
  const bool all = std::all_of(key.begin(), key.end(), [](char c) { return c >= ' ' && c < 0x7F; });
  return all ? std::string(key) : std::string();
}

std::string jsonText(std::string_view text) {
  std::string out;
  appendJsonString(out, text);
  return out;
}

/// A table's size over all subtasks.
struct TableSum {
  uint64_t keys = 0;
  uint64_t bytes = 0;
  uint64_t layout_version = 0;
  std::string form;                  ///< of keys and payloads, where it is not known what they mean
};

std::string formOf(const TableSnapshot& table) {
  const std::string keys = table.fixed_keys ? "keys of one word" : "keys of any length";
  return keys + ", " + (table.serialized_payloads ? "payloads of the operator's own form" : "payloads of " + std::to_string(table.payload_bytes) + " bytes") +
         (table.has_touch_times ? ", entries expire" : "");
}

uint32_t keyGroupsOf(const CheckpointManifest& manifest) { return static_cast<uint32_t>(std::max<int64_t>(1, manifest.max_parallelism)); }

Status addTables(CheckpointReader& reader, const CheckpointManifest::OperatorPart& part, std::map<std::string, TableSum>& sums) {
  if (part.keyed.empty()) return {};
  const uint32_t key_groups = keyGroupsOf(reader.manifest());
  ASSIGN_OR_RETURN(const worker::KeyedSnapshot keyed, worker::loadKeyed(reader, part));
  ASSIGN_OR_RETURN(const std::vector<TableSnapshot> tables, worker::readSnapshot(keyed, key_groups));
  for (const TableSnapshot& table : tables) {
    TableSum& sum = sums[std::string(table.name)];
    sum.layout_version = table.layout_version;
    sum.form = formOf(table);
    sum.bytes += table.all.size();
    for (const worker::HeldRun& held : table.runs) sum.bytes += held.run->sizeBytes();
    RETURN_IF_ERROR(worker::visitEntries(table, key_groups, [&sum](const StoredTableEntry&) { ++sum.keys; }));
  }
  return {};
}

Status writeOperator(CheckpointReader& reader, const CheckpointManifest::Operator& op, const PlannedOperators& planned, std::ostream& out) {
  const std::vector<StateTableView> views = tablesOf(planned, op.uid);
  std::map<std::string, TableSum> sums;
  uint64_t own_bytes = 0;
  for (const auto& part : op.parts) {
    RETURN_IF_ERROR(addTables(reader, part, sums));
    own_bytes += part.own.size_bytes;
  }
  if (sums.empty() && own_bytes == 0) return {};
  out << "operator " << op.name << "\n  uid " << op.uid << ", " << op.parts.size() << " subtasks\n";
  for (const auto& [name, sum] : sums) {
    out << "  table " << name << ": " << sum.keys << " keys, " << sum.bytes << " bytes, layout version " << sum.layout_version << "\n    ";
    const StateTableView* const view = viewOf(views, name);
    if (view == nullptr) out << sum.form << '\n';
    else out << "keys " << columnsText(view->keys) << (view->has_windows ? ", per window" : "") << "; values " << columnsText(view->values) << '\n';
  }
  if (own_bytes > 0) out << "  state of its own: " << own_bytes << " bytes\n";
  return {};
}

void writeSource(const CheckpointManifest::Task& task, std::ostream& out) {
  size_t splits = 0;
  size_t finished = 0;
  for (const auto& part : task.parts) {
    splits += part.splits.size();
    finished += part.finished ? 1 : 0;
  }
  if (splits == 0 && task.enumerator.empty() && finished == 0) return;
  out << "task " << task.name << "\n  uid " << task.uid << ", " << task.parts.size() << " subtasks, " << finished << " finished, " << splits
      << " splits being read\n";
}

/// Writes entries one by one.
class EntryWriter {
 public:
  EntryWriter(StateFormat format, std::ostream& out) : format_(format), out_(out) {
    if (format_ == StateFormat::CSV) out_ << "subtask,table,key_group,namespace,key,key_text,payload\n";
  }

  void write(size_t subtask, std::string_view table, const StoredTableEntry& entry) {
    if (format_ == StateFormat::CSV) {
      out_ << subtask << ',' << csvCell(std::string(table)) << ',' << entry.key_group << ',' << entry.ns << ',' << hexOf(entry.key) << ','
           << csvCell(readable(entry.key)) << ',' << hexOf(entry.payload) << '\n';
    } else {
      out_ << "{\"subtask\":" << subtask << ",\"table\":" << jsonText(table) << ",\"key_group\":" << entry.key_group
           << ",\"namespace\":" << entry.ns << ",\"key\":\"" << hexOf(entry.key) << "\",\"key_text\":" << jsonText(readable(entry.key))
           << ",\"payload\":\"" << hexOf(entry.payload) << "\"}\n";
    }
  }

 private:
  StateFormat format_;
  std::ostream& out_;
};

Result<const CheckpointManifest::Operator*> findOperator(const CheckpointManifest& manifest, const std::string& name) {
  std::vector<const CheckpointManifest::Operator*> found;
  for (const auto& op : manifest.operators) {
    if (op.uid == name) return &op;
    if (op.uid.find(name) != std::string::npos || op.name.find(name) != std::string::npos) found.push_back(&op);
  }
  if (found.size() == 1) return found.front();
  if (found.empty()) return Status::notFound("there is no operator '" + name + "'; 'thalweg state info' lists them");
  return Status::invalid("'" + name + "' is in the names of " + std::to_string(found.size()) + " operators; give the uid of one");
}

}  // namespace

Status writeStateInfo(FileSystem& files, const std::string& path, const std::string& script, std::ostream& out) {
  ASSIGN_OR_RETURN(CheckpointReader reader, CheckpointReader::open(files, path));
  const CheckpointManifest& manifest = reader.manifest();
  ASSIGN_OR_RETURN(const PlannedOperators planned, plannedOperators(script, manifest));
  out << (manifest.is_savepoint ? "savepoint" : "checkpoint") << ' ' << manifest.checkpoint_id << " of job "
      << (manifest.job_name.empty() ? manifest.job_id : "'" + manifest.job_name + "' (" + manifest.job_id + ")") << '\n'
      << "  taken " << dateTimeText(writeTimestamp, TimestampValue{manifest.time_ms, 0}, 3) << " UTC by " << manifest.engine << ", " << manifest.max_parallelism << " key groups, "
      << manifest.sizeBytes() << " bytes\n";
  if (!manifest.started_from.empty()) out << "  the job started from " << manifest.started_from << '\n';
  for (const auto& task : manifest.tasks) writeSource(task, out);
  for (const auto& op : manifest.operators) RETURN_IF_ERROR(writeOperator(reader, op, planned, out));
  return {};
}

namespace {

/// Visits the tables of an operator, subtask by subtask, that are asked for.
Status forEachTable(CheckpointReader& reader, const CheckpointManifest::Operator& op, const std::string& wanted,
                    const std::function<Status(size_t subtask, const TableSnapshot& table)>& visit) {
  for (size_t subtask = 0; subtask < op.parts.size(); ++subtask) {
    if (op.parts[subtask].keyed.empty()) continue;
    ASSIGN_OR_RETURN(const worker::KeyedSnapshot keyed, worker::loadKeyed(reader, op.parts[subtask]));
    ASSIGN_OR_RETURN(const std::vector<TableSnapshot> tables, worker::readSnapshot(keyed, keyGroupsOf(reader.manifest())));
    for (const TableSnapshot& table : tables) {
      if (wanted.empty() || wanted == table.name) RETURN_IF_ERROR(visit(subtask, table));
    }
  }
  return {};
}

Status writeRows(CheckpointReader& reader, const CheckpointManifest::Operator& op, const StateTableView& view, StateFormat format, std::ostream& out) {
  ASSIGN_OR_RETURN(StateRowWriter writer, StateRowWriter::make(view, format, out));
  return forEachTable(reader, op, view.name, [&](size_t subtask, const TableSnapshot& table) {
    Status status;
    RETURN_IF_ERROR(worker::visitEntries(table, keyGroupsOf(reader.manifest()), [&](const StoredTableEntry& entry) {
      if (status.isOk()) status = writer.write(subtask, table.fixed_keys, entry);
    }));
    return status;
  });
}

}  // namespace

Status writeStateEntries(FileSystem& files, const StateRequest& request, std::ostream& out) {
  ASSIGN_OR_RETURN(CheckpointReader reader, CheckpointReader::open(files, request.path));
  ASSIGN_OR_RETURN(const CheckpointManifest::Operator* op, findOperator(reader.manifest(), request.operator_name));
  ASSIGN_OR_RETURN(const PlannedOperators planned, plannedOperators(request.script, reader.manifest()));
  const std::vector<StateTableView> views = tablesOf(planned, op->uid);
  std::set<std::string, std::less<>> names;
  RETURN_IF_ERROR(forEachTable(reader, *op, request.table, [&](size_t, const TableSnapshot& table) {
    names.emplace(table.name);
    return Status();
  }));
  if (!request.table.empty() && names.empty()) return Status::notFound("the operator has no table '" + request.table + "'; 'thalweg state info' lists them");
  const bool all_in_rows = !views.empty() && std::all_of(names.begin(), names.end(), [&](const std::string& name) { return viewOf(views, name) != nullptr; });
  if (!request.script.empty() && !all_in_rows) {
    return Status::notSupported("the state of operator '" + op->name + "' cannot be shown as rows; without --sql it is shown as bytes");
  }
  if (all_in_rows) {
    bool is_first = true;
    for (const std::string& name : names) {
      if (!std::exchange(is_first, false) && request.format == StateFormat::CSV) out << '\n';
      RETURN_IF_ERROR(writeRows(reader, *op, *viewOf(views, name), request.format, out));
    }
    return {};
  }
  EntryWriter writer(request.format, out);
  return forEachTable(reader, *op, request.table, [&](size_t subtask, const TableSnapshot& table) {
    return worker::visitEntries(table, keyGroupsOf(reader.manifest()), [&](const StoredTableEntry& entry) { writer.write(subtask, table.name, entry); });
  });
}

}  // namespace thalweg::client
