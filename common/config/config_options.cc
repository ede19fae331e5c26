// The options the engine knows, one row each, sorted by key. To add one: a row here; it is then settable, checked
// and in the reference. What Flink has and this engine accepts without effect is in flink_keys.cc.
#include <algorithm>
#include <array>
#include <vector>

#include "common/base/edit_distance.h"
#include "common/config/config_option.h"
#include "common/config/config_value.h"
#include "common/config/flink_keys.h"

namespace thalweg {

namespace {

using enum ConfigType;
using enum ConfigSupport;

constexpr int64_t kParallelismMax = 32768;   // as many key groups as there can be

// clang-format off
constexpr ConfigOption kOptions[] = {
    {"execution.checkpointing.dir", STRING, "",
     "the folder of checkpoints; a job that finds one of its own there goes on from it"},
    {"execution.checkpointing.externalized-checkpoint-retention", ENUM, "NO_EXTERNALIZED_CHECKPOINTS",
     "which checkpoints stay when a job ends for good: NO_EXTERNALIZED_CHECKPOINTS none, DELETE_ON_CANCELLATION those of "
     "failed jobs, RETAIN_ON_CANCELLATION those of cancelled ones too",
     SUPPORTED, "NO_EXTERNALIZED_CHECKPOINTS|DELETE_ON_CANCELLATION|RETAIN_ON_CANCELLATION"},
    {"execution.checkpointing.interval", DURATION, "", "how often a checkpoint is taken; not set: never"},
    {"execution.checkpointing.max-concurrent-checkpoints", INTEGER, "1", "accepted; one checkpoint runs at a time, whatever this says",
     SUPPORTED, {}, 1},
    {"execution.checkpointing.min-pause", DURATION, "0 ms", "the shortest time between the end of a checkpoint and the next"},
    {"execution.checkpointing.mode", ENUM, "EXACTLY_ONCE",
     "what a restored job promises; AT_LEAST_ONCE is taken as EXACTLY_ONCE, which promises more", SUPPORTED,
     "EXACTLY_ONCE|AT_LEAST_ONCE"},
    {"execution.checkpointing.num-retained", INTEGER, "1", "how many complete checkpoints are kept", SUPPORTED, {}, 1},
    {"execution.checkpointing.savepoint-dir", STRING, "", "where savepoints go that name no folder"},
    {"execution.checkpointing.timeout", DURATION, "10 min", "after how long a checkpoint is given up"},
    {"execution.checkpointing.tolerable-failed-checkpoints", INTEGER, "0",
     "how many checkpoints in a row may fail before the job does", SUPPORTED, {}, 0},
    {"execution.checkpointing.unaligned.enabled", BOOLEAN, "false", "whether barriers overtake rows", REFUSED},
    {"execution.runtime-mode", ENUM, "STREAMING",
     "how a job runs: STREAMING emits changes as they come, BATCH the final rows only, AUTOMATIC is BATCH when every "
     "source is bounded",
     SUPPORTED, "STREAMING|BATCH|AUTOMATIC"},
    {"execution.state-recovery.claim-mode", ENUM, "NO_CLAIM",
     "whose the files of the restored savepoint are: NO_CLAIM leaves them alone", REFUSED, "NO_CLAIM|CLAIM|LEGACY"},
    {"execution.state-recovery.ignore-unclaimed-state", BOOLEAN, "false",
     "whether a restored job may leave out state of operators that it does not have"},
    {"execution.state-recovery.path", STRING, "", "the savepoint or checkpoint that the next job starts from"},
    {"parallelism.default", INTEGER, "1", "how many parallel subtasks each task of a job has", SUPPORTED, {}, 1, kParallelismMax},
    {"pipeline.auto-watermark-interval", DURATION, "200 ms",
     "how often sources emit watermarks; 0 ms: after every row that raises the watermark"},
    {"pipeline.max-parallelism", INTEGER, "-1",
     "the number of key groups, the upper bound of the parallelism a job can be rescaled to; -1: chosen by the engine",
     SUPPORTED, {}, -1, kParallelismMax},
    {"pipeline.name", STRING, "", "the name of the next job"},
    {"restart-strategy.exponential-delay.attempts-before-reset-backoff", INTEGER, "9223372036854775807",
     "how many failures end the job, until a quiet time sets the count back", SUPPORTED, {}, 1},
    {"restart-strategy.exponential-delay.backoff-multiplier", DOUBLE, "1.5", "by how much each pause is longer than the one before"},
    {"restart-strategy.exponential-delay.initial-backoff", DURATION, "1 s", "the first pause"},
    {"restart-strategy.exponential-delay.jitter-factor", DOUBLE, "0.1", "the random share of a pause"},
    {"restart-strategy.exponential-delay.max-backoff", DURATION, "1 min", "the longest pause"},
    {"restart-strategy.exponential-delay.reset-backoff-threshold", DURATION, "1 h", "after how long without failures pauses are short again"},
    {"restart-strategy.failure-rate.delay", DURATION, "1 s", "the pause before each restart"},
    {"restart-strategy.failure-rate.failure-rate-interval", DURATION, "1 min", "the time in which failures are counted"},
    {"restart-strategy.failure-rate.max-failures-per-interval", INTEGER, "1", "how many failures in that time are borne", SUPPORTED, {}, 1},
    {"restart-strategy.fixed-delay.attempts", INTEGER, "1", "how often a job is restarted", SUPPORTED, {}, 1},
    {"restart-strategy.fixed-delay.delay", DURATION, "1 s", "the pause before each restart"},
    {"restart-strategy.type", STRING, "",
     "what follows a failure of a job: none, fixed-delay, failure-rate or exponential-delay; not set: exponential-delay with "
     "checkpoints, else none"},
    {"sql-client.display.print-time-cost", BOOLEAN, "true", "whether the shell shows how long a batch query took"},
    {"sql-client.execution.max-table-result.rows", INTEGER, "1000000",
     "how many rows of a live table the shell keeps; the oldest go first", SUPPORTED, {}, 1},
    {"sql-client.execution.result-mode", ENUM, "TABLE",
     "how the shell shows a query: TABLE repaints the current result, CHANGELOG lists the changes, TABLEAU prints a "
     "plain table",
     SUPPORTED, "TABLE|CHANGELOG|TABLEAU"},
    {"state.backend.rocksdb.localdir", STRING, "", "where state on disk is kept while a job runs; not set: the system's folder for temporary files"},
    {"state.backend.type", ENUM, "HASHMAP",
     "where keyed state is kept: HASHMAP in memory; ROCKSDB in memory, and on disk once the process nears 'taskmanager.memory.process.size'; "
     "in batch mode it goes to disk with both; FORST is taken as ROCKSDB",
     SUPPORTED, "HASHMAP|ROCKSDB|FORST"},
    {"table.builtin-catalog-name", STRING, "default_catalog", "the name of the first catalog", REFUSED},
    {"table.builtin-database-name", STRING, "default_database", "the name of the first database", REFUSED},
    {"table.catalog-store.file.path", STRING, "", "the folder of a catalog store of the kind FILE: one file of options for each catalog"},
    {"table.catalog-store.kind", ENUM, "GENERIC_IN_MEMORY",
     "where the options of catalogs are kept: GENERIC_IN_MEMORY with the session, FILE for the next one, too", SUPPORTED, "GENERIC_IN_MEMORY|FILE"},
    {"table.column-expansion-strategy", STRING, "", "which columns SELECT * leaves out", REFUSED},
    {"table.display.max-column-width", INTEGER, "30", "how wide a column of unknown width may be shown, in characters",
     SUPPORTED, {}, 1},
    {"table.dml-sync", BOOLEAN, "false", "whether INSERT statements wait for their job to end"},
    {"table.dynamic-table-options.enabled", BOOLEAN, "true", "whether OPTIONS hints may change a table's options"},
    {"table.exec.emit.allow-lateness", DURATION, "", "how long legacy group windows wait for late rows"},
    {"table.exec.emit.early-fire.delay", DURATION, "", "how often legacy group windows fire before their end; only 0 ms, on every row"},
    {"table.exec.emit.early-fire.enabled", BOOLEAN, "false", "whether legacy group windows fire before their end"},
    {"table.exec.emit.late-fire.delay", DURATION, "", "how often legacy group windows fire for late rows; only 0 ms, on every row"},
    {"table.exec.emit.late-fire.enabled", BOOLEAN, "false", "whether legacy group windows fire for late rows"},
    {"table.exec.legacy-bytes-to-string-cast", BOOLEAN, "false", "the cast from BYTES to STRING of old Flink releases",
     REFUSED},
    {"table.exec.legacy-cast-behaviour", ENUM, "DISABLED", "the cast rules of Flink before 1.15", REFUSED,
     "ENABLED|DISABLED"},
    {"table.exec.mini-batch.allow-latency", DURATION, "0 ms", "the longest a row waits in a mini-batch"},
    {"table.exec.mini-batch.enabled", BOOLEAN, "false",
     "whether aggregations and joins fold several rows of a key into one change"},
    {"table.exec.mini-batch.size", INTEGER, "-1", "the most rows a mini-batch holds", SUPPORTED, {}, -1},
    {"table.exec.resource.default-parallelism", INTEGER, "-1",
     "the parallelism of SQL jobs; -1: that of 'parallelism.default'", SUPPORTED, {}, -1, kParallelismMax},
    {"table.exec.sink.nested-constraint-enforcer", ENUM, "IGNORE",
     "whether NOT NULL and lengths inside rows and arrays are enforced at sinks", REFUSED,
     "IGNORE|ERROR|DROP"},
    {"table.exec.sink.not-null-enforcer", ENUM, "ERROR",
     "what a sink does with NULL in a NOT NULL column: ERROR fails the job, DROP leaves the row out", SUPPORTED,
     "ERROR|DROP"},
    {"table.exec.sink.require-on-conflict", BOOLEAN, "true",
     "whether an INSERT whose upsert key differs from the sink's primary key must have an ON CONFLICT clause"},
    {"table.exec.sink.type-length-enforcer", ENUM, "IGNORE",
     "what a sink does with values of another length than CHAR, VARCHAR, BINARY or VARBINARY say: IGNORE, TRIM_PAD, or "
     "ERROR",
     SUPPORTED, "IGNORE|TRIM_PAD|ERROR"},
    {"table.exec.sort.default-limit", INTEGER, "-1", "the rows an ORDER BY without LIMIT gives in batch", REFUSED, {}, -1},
    {"table.exec.source.cdc-events-duplicate", BOOLEAN, "false", "whether a change source may repeat its messages",
     REFUSED},
    {"table.exec.source.idle-timeout", DURATION, "0 ms",
     "after how long without rows a source no longer holds the watermark back; 0 ms: never"},
    {"table.exec.state.ttl", DURATION, "0 ms",
     "how long the state of a key is kept after its last change; 0 ms: for ever"},
    {"table.legacy-nested-row-nullability", BOOLEAN, "false", "the nullability of nested rows of old Flink releases",
     REFUSED},
    {"table.local-time-zone", STRING, "default",
     "the zone of the session, such as 'Europe/Berlin' or 'UTC'; 'default': the machine's"},
    {"table.sql-dialect", STRING, "default", "the dialect of statements; only 'default' exists", REFUSED},
    {"taskmanager.memory.process.size", MEMORY_SIZE, "1728 mb",
     "the memory that a process keeps to in batch mode, and with 'state.backend.type' = 'rocksdb' in streaming mode; 0 b: no limit "
     "with HASHMAP, else all state goes to disk"},
    {"thalweg.exec.batch-rows", INTEGER, "8192", "the most rows a batch holds", SUPPORTED, {}, 1},
    {"thalweg.exec.over.bounded-by-any-column", BOOLEAN, "false",
     "whether OVER (… ROWS BETWEEN n PRECEDING AND CURRENT ROW) of a stream may be ordered by a column that is no time attribute, "
     "which Flink refuses"},
    {"thalweg.exec.random-seed", INTEGER, "-1", "what random values start from (datagen, RAND()); -1: another one for each job", SUPPORTED, {}, -1},
    {"thalweg.task.stuck-timeout", DURATION, "0 ms", "on a cluster: after how long in one call of a function the attempt fails; 0 ms: never, it is only reported"},
};
// clang-format on

struct OldName {
  std::string_view old_key;
  std::string_view key;
};

/// Names that earlier Flink releases used, sorted.
constexpr OldName kOldNames[] = {
    {"execution.buffer-timeout", "execution.buffer-timeout.interval"},
    {"execution.checkpointing.unaligned", "execution.checkpointing.unaligned.enabled"},
    {"execution.max-table-result-rows", "sql-client.execution.max-table-result.rows"},
    {"execution.parallelism", "parallelism.default"},
    {"execution.result-mode", "sql-client.execution.result-mode"},
    {"execution.savepoint-restore-mode", "execution.state-recovery.claim-mode"},
    {"execution.savepoint.ignore-unclaimed-state", "execution.state-recovery.ignore-unclaimed-state"},
    {"execution.savepoint.path", "execution.state-recovery.path"},
    {"execution.type", "execution.runtime-mode"},
    {"high-availability", "high-availability.type"},
    {"pipeline.operator-chaining", "pipeline.operator-chaining.enabled"},
    {"restart-strategy", "restart-strategy.type"},
    {"sql-client.display.max-column-width", "table.display.max-column-width"},
    {"state.backend", "state.backend.type"},
    {"state.backend.incremental", "execution.checkpointing.incremental"},
    {"state.checkpoint-storage", "execution.checkpointing.storage"},
    {"state.checkpoints.dir", "execution.checkpointing.dir"},
    {"state.checkpoints.num-retained", "execution.checkpointing.num-retained"},
    {"state.savepoints.dir", "execution.checkpointing.savepoint-dir"},
    {"table.exec.shuffle-mode", "execution.batch-shuffle-mode"},
};

std::string_view presentName(std::string_view key) {
  const auto* const found = std::find_if(std::begin(kOldNames), std::end(kOldNames),
                                         [&](const OldName& name) { return name.old_key == key; });
  return found == std::end(kOldNames) ? key : found->key;
}

bool sameIgnoringCase(std::string_view a, std::string_view b) { return editDistance(a, b, 0) == 0; }

Status checkEnum(const ConfigOption& option, std::string_view value) {
  for (std::string_view rest = option.enum_values; !rest.empty();) {
    const size_t end = std::min(rest.find('|'), rest.size());
    if (sameIgnoringCase(rest.substr(0, end), value)) return Status::ok();
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return Status::invalid("expected one of " + std::string(option.enum_values) + ", found '" + std::string(value) + "'");
}

Status checkInteger(const ConfigOption& option, std::string_view value) {
  ASSIGN_OR_RETURN(const int64_t number, parseConfigInt(value));
  if (number < option.min_value) {
    return Status::invalid("expected at least " + std::to_string(option.min_value) + ", found '" + std::string(value) + "'");
  }
  if (number > option.max_value) {
    return Status::invalid("expected at most " + std::to_string(option.max_value) + ", found '" + std::string(value) + "'");
  }
  return Status::ok();
}

Status checkForm(const ConfigOption& option, std::string_view value) {
  switch (option.type) {
    case STRING: return Status::ok();
    case BOOLEAN: return parseConfigBool(value).status();
    case INTEGER: return checkInteger(option, value);
    case DOUBLE: return parseConfigDouble(value).status();
    case DURATION: return parseConfigDuration(value).status();
    case MEMORY_SIZE: return parseConfigMemorySize(value).status();
    case ENUM: return checkEnum(option, value);
  }
  return Status::internal("unknown configuration type");
}

Status unknownKey(std::string_view key) {
  std::vector<std::string_view> names;
  for (const ConfigOption& option : kOptions) names.push_back(option.key);
  for (const OldName& name : kOldNames) names.push_back(name.old_key);
  for (const std::string_view name : ignoredFlinkKeys()) names.push_back(name);
  return Status::notFound("unknown configuration key '" + std::string(key) + "'" + didYouMean(key, names));
}

}  // namespace

std::span<const ConfigOption> configOptions() { return kOptions; }

Result<ConfigOption> findConfigOption(std::string_view key) {
  const std::string_view name = presentName(key);
  const auto* const found =
      std::lower_bound(std::begin(kOptions), std::end(kOptions), name,
                       [](const ConfigOption& option, std::string_view wanted) { return option.key < wanted; });
  if (found != std::end(kOptions) && found->key == name) return *found;
  const std::optional<IgnoredKey> ignored = findIgnoredFlinkKey(name);
  if (!ignored) return unknownKey(key);
  return ConfigOption{.key = ignored->key, .description = ignored->reason, .support = ACCEPTED_IGNORED};
}

Status checkConfigValue(const ConfigOption& option, std::string_view value) {
  if (option.support == ACCEPTED_IGNORED) return Status::ok();
  const std::string context = "configuration key '" + std::string(option.key) + "'";
  RETURN_IF_ERROR(checkForm(option, value).withContext(context));
  if (option.support == REFUSED && !sameIgnoringCase(value, option.default_value)) {
    return Status::notSupported("configuration key '" + std::string(option.key) + "' (" +
                                std::string(option.description) + ") is not supported; leave it at its default");
  }
  return Status::ok();
}

std::optional<std::string> ignoredKeyWarning(std::string_view key) {
  const Result<ConfigOption> option = findConfigOption(key);
  if (!option.isOk() || option->support != ACCEPTED_IGNORED) return std::nullopt;
  return "configuration key '" + std::string(key) + "' has no effect: it " + std::string(option->description);
}

}  // namespace thalweg
