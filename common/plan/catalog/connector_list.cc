// Every connector, read from top to bottom. A new one is an entry here and a folder in worker/connectors.
#include "common/plan/catalog/connector_descriptor.h"

namespace thalweg {
namespace {

ConnectorDescriptor filesystem() {
  ConnectorDescriptor d;
  d.name = "filesystem";
  d.source = d.sink = d.uses_format = d.partitions = d.overwrite = true;
  d.projection = d.filter = d.limit = true;
  d.options = {
      {"path", OptionType::STRING, true, "", "File or folder; relative paths start at the client's folder."},
      {"partition.default-name", OptionType::STRING, false, "__DEFAULT_PARTITION__",
       "Folder name for partition values that are NULL or empty."},
      {"source.monitor-interval", OptionType::DURATION, false, "",
       "How often the folder is searched for new files; without it the scan ends."},
      {"source.path.regex-pattern", OptionType::STRING, false, "", "Only files whose whole path matches are read."},
      {"source.report-statistics", OptionType::ENUM, false, "ALL", "Which statistics the planner may ask for.", "NONE|ALL"},
      {"sink.rolling-policy.file-size", OptionType::MEMORY_SIZE, false, "128 mb", "Largest size of a part file."},
      {"sink.rolling-policy.rollover-interval", OptionType::DURATION, false, "30 min", "Longest time a part file is open."},
      {"sink.rolling-policy.inactivity-interval", OptionType::DURATION, false, "30 min",
       "Longest time a part file is open without new rows."},
      {"sink.rolling-policy.check-interval", OptionType::DURATION, false, "1 min", "How often those times are checked."},
      {"sink.compression", OptionType::ENUM, false, "none", "How part files are compressed; their names then end in .gz or .zst.", "none|gzip|zstd"},
      {"sink.shuffle-by-partition.enable", OptionType::BOOLEAN, false, "false", "One writer for each partition."},
      {"sink.partition-commit.trigger", OptionType::ENUM, false, "process-time", "When a partition is complete.",
       "process-time|partition-time"},
      {"sink.partition-commit.delay", OptionType::DURATION, false, "0 s", "How long after that it is committed."},
      {"sink.partition-commit.watermark-time-zone", OptionType::STRING, false, "UTC", "Zone of partition times."},
      {"sink.partition-commit.policy.kind", OptionType::STRING, false, "", "What a commit does: success-file."},
      {"sink.partition-commit.policy.class", OptionType::STRING, false, "", "Class of a custom policy.", "",
       "custom partition commit policies"},
      {"sink.partition-commit.policy.class.parameters", OptionType::STRING, false, "", "Its parameters.", "",
       "custom partition commit policies"},
      {"sink.partition-commit.success-file.name", OptionType::STRING, false, "_SUCCESS", "Name of the success file."},
      {"partition.time-extractor.kind", OptionType::ENUM, false, "default", "How times come from partition values.",
       "default|custom"},
      {"partition.time-extractor.class", OptionType::STRING, false, "", "Class of a custom extractor.", "",
       "custom partition time extractors"},
      {"partition.time-extractor.timestamp-pattern", OptionType::STRING, false, "", "Pattern such as `$dt $hour:00:00`."},
      {"partition.time-extractor.timestamp-formatter", OptionType::STRING, false, "yyyy-MM-dd HH:mm:ss",
       "Form of the pattern's result."},
      {"auto-compaction", OptionType::BOOLEAN, false, "false", "Merges small files at checkpoints.", "", "file compaction"},
      {"compaction.file-size", OptionType::MEMORY_SIZE, false, "", "Size that compaction aims at."},
      {"compaction.parallelism", OptionType::INTEGER, false, "", "Parallelism of compaction."},
  };
  d.metadata = {
      {"file.path", DataType::string(false)},
      {"file.name", DataType::string(false)},
      {"file.size", DataType::bigint(false)},
      {"file.modification-time", DataType::timestampLtz(3, false)},
  };
  d.bounded = [](const OptionMap& options) { return !options.contains("source.monitor-interval"); };
  return d;
}

bool isSequence(const OptionMap& options, const std::string& column) {
  std::string kind = optionValue(options, "fields." + column + ".kind", "random");
  return kind == "sequence" || kind == "SEQUENCE";
}

Status checkSequence(const OptionMap& options, const Column& column) {
  switch (column.type.kind()) {
    case TypeKind::TINYINT: case TypeKind::SMALLINT: case TypeKind::INTEGER: case TypeKind::BIGINT:
    case TypeKind::FLOAT: case TypeKind::DOUBLE: case TypeKind::DECIMAL: case TypeKind::CHAR: case TypeKind::VARCHAR:
      break;
    default:
      return Status::plan("column '" + column.name + "' of type " + column.type.toString() +
                          " cannot be a sequence; use a number or text, or kind 'random'");
  }
  for (const char* bound : {"start", "end"}) {
    std::string key = "fields." + column.name + "." + bound;
    if (!options.contains(key)) return Status::plan("option '" + key + "' is required for a sequence, but missing");
  }
  return Status::ok();
}

Status checkDatagen(const OptionMap& options, const Schema& physical) {
  for (const Column& column : physical.columns()) {
    if (isSequence(options, column.name)) RETURN_IF_ERROR(checkSequence(options, column));
  }
  return Status::ok();
}

ConnectorDescriptor datagen() {
  ConnectorDescriptor d;
  d.name = "datagen";
  d.source = d.projection = d.limit = true;
  d.options = {
      {"rows-per-second", OptionType::INTEGER, false, "10000", "Rows a second of all subtasks together."},
      {"number-of-rows", OptionType::INTEGER, false, "", "Ends after so many rows; unbounded without it."},
      {"fields.#.kind", OptionType::ENUM, false, "random", "How the column's values come about.", "random|sequence"},
      {"fields.#.min", OptionType::STRING, false, "", "Smallest random value."},
      {"fields.#.max", OptionType::STRING, false, "", "Largest random value."},
      {"fields.#.max-past", OptionType::DURATION, false, "0", "How far random timestamps reach back."},
      {"fields.#.length", OptionType::INTEGER, false, "", "Length of random text (100), bytes and collections (3)."},
      {"fields.#.var-len", OptionType::BOOLEAN, false, "false", "Lengths vary up to `length`."},
      {"fields.#.start", OptionType::STRING, false, "", "First value of a sequence."},
      {"fields.#.end", OptionType::STRING, false, "", "Last value of a sequence."},
      {"fields.#.null-rate", OptionType::DOUBLE, false, "0", "Share of NULLs."},
  };
  d.bounded = [](const OptionMap& options) {
    if (options.contains("number-of-rows")) return true;
    for (const auto& [key, value] : options) {
      if (matchesOptionKey("fields.#.kind", key) && (value == "sequence" || value == "SEQUENCE")) return true;
    }
    return false;
  };
  d.check = checkDatagen;
  return d;
}

ConnectorDescriptor print() {
  ConnectorDescriptor d;
  d.name = "print";
  d.sink = d.partitions = true;
  d.write_mode = ChangelogMode::all();
  d.options = {
      {"print-identifier", OptionType::STRING, false, "", "Text in front of every row."},
      {"standard-error", OptionType::BOOLEAN, false, "false", "Writes to standard error."},
  };
  return d;
}

ConnectorDescriptor blackhole() {
  ConnectorDescriptor d;
  d.name = "blackhole";
  d.sink = d.partitions = true;
  d.write_mode = ChangelogMode::upsert();
  return d;
}

ConnectorDescriptor nexmark() {
  ConnectorDescriptor d;
  d.name = "nexmark";
  d.source = d.projection = d.limit = true;
  d.options = {
      {"events.num", OptionType::INTEGER, false, "0", "Ends after so many events; unbounded when 0."},
      {"first-event.rate", OptionType::INTEGER, false, "10000", "Events a second of the generated event time."},
      {"next-event.rate", OptionType::INTEGER, false, "10000", "Events a second after the first period."},
      {"rate.shape", OptionType::STRING, false, "SQUARE", "Shape of the rate between the two."},
      {"rate.period", OptionType::DURATION, false, "600 s", "Period of the shape."},
      {"rate.limited", OptionType::BOOLEAN, false, "false", "Emits no faster than the rate."},
      {"max-emit-speed", OptionType::BOOLEAN, false, "true", "Emits as fast as possible."},
      {"keep-alive", OptionType::STRING, false, "", "Accepted for the suite's sake."},
      {"stop-at", OptionType::STRING, false, "", "Accepted for the suite's sake."},
      {"stream.timeout", OptionType::DURATION, false, "0 s", "Stops after this time; never when 0."},
      {"base-time", OptionType::INTEGER, false, "", "Event time of the first event, milliseconds since 1970; now without it."},
      {"seed", OptionType::INTEGER, false, "", "Seed of the generator."},
      {"all-columns", OptionType::BOOLEAN, false, "false", "Makes every column, also those that nobody reads (to measure)."},
      {"person.avg-size", OptionType::MEMORY_SIZE, false, "200 b", "Average size of a person."},
      {"auction.avg-size", OptionType::MEMORY_SIZE, false, "500 b", "Average size of an auction."},
      {"bid.avg-size", OptionType::MEMORY_SIZE, false, "100 b", "Average size of a bid."},
      {"person.proportion", OptionType::INTEGER, false, "1", "Share of persons."},
      {"auction.proportion", OptionType::INTEGER, false, "3", "Share of auctions."},
      {"bid.proportion", OptionType::INTEGER, false, "46", "Share of bids."},
      {"bid.hot-ratio.auctions", OptionType::INTEGER, false, "2", "How strongly bids prefer hot auctions."},
      {"bid.hot-ratio.bidders", OptionType::INTEGER, false, "4", "How strongly bids come from hot bidders."},
      {"auction.hot-ratio.sellers", OptionType::INTEGER, false, "4", "How strongly auctions come from hot sellers."},
  };
  d.bounded = [](const OptionMap& options) {
    std::string events = optionValue(options, "events.num", "0");
    return events.find_first_not_of("0 ") != std::string::npos;
  };
  return d;
}

ConnectorDescriptor known(std::string_view name) {
  ConnectorDescriptor d;
  d.name = name;
  d.built = false;
  return d;
}

std::vector<ConnectorDescriptor> makeList() {
  std::vector<ConnectorDescriptor> list = {filesystem(), datagen(), print(), blackhole(), nexmark()};
  for (std::string_view name :
       {"kafka", "upsert-kafka", "dynamic-kafka", "jdbc", "elasticsearch-6", "elasticsearch-7", "elasticsearch-8",
        "opensearch", "opensearch-2", "hbase-2.2", "hbase-2.6", "mongodb", "kinesis", "kinesis-legacy", "firehose",
        "dynamodb", "hive", "savepoint", "mysql-cdc", "postgres-cdc", "oracle-cdc", "sqlserver-cdc", "mongodb-cdc",
        "python-input-format"}) {
    list.push_back(known(name));
  }
  return list;
}

}  // namespace

std::span<const ConnectorDescriptor> connectors() {
  static const std::vector<ConnectorDescriptor> list = makeList();
  return list;
}

}  // namespace thalweg
