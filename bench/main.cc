// `thalweg-bench`: measures the engine in events per CPU-second. docs/performance.md says how to read the figures.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "bench/bridge_bench.h"
#include "bench/decode_bench.h"
#include "bench/exchange/exchange_bench.h"
#include "bench/latency_bench.h"
#include "bench/nexmark_job.h"
#include "bench/nexmark_table.h"
#include "bench/state_bench.h"
#include "bench/stream_bench.h"
#include "bench/tier_bench.h"

namespace {

using thalweg::bench::NexmarkOptions;
using thalweg::bench::StateOptions;

int printLine(const thalweg::Result<std::string>& line) {
  if (!line.isOk()) {
    std::cerr << "thalweg-bench: " << line.status().message() << '\n';
    return 1;
  }
  std::cout << *line << '\n';
  return 0;
}

void addCommon(CLI::App& command, NexmarkOptions& options) {
  command.add_option("--events", options.events, "how many events");
  command.add_option("--parallelism", options.parallelism, "parallel subtasks");
  command.add_option("--folder", options.folder, "where the queries are");
  command.add_option("--results", options.results, "the file that gets a JSON line a query");
  command.add_option("--set", options.settings, "more settings, key=value");
  command.add_option("--repeat", options.repeat, "run each so often; the cheapest run counts");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Thalweg's benchmarks"};
  app.require_subcommand(1);

  NexmarkOptions options;
  auto* nexmark = app.add_subcommand("nexmark", "the Nexmark queries, in events per CPU-second");
  addCommon(*nexmark, options);
  nexmark->add_option("queries", options.queries, "q0 … q23, q12e, source, source_all; all when none is named");
  nexmark->add_option("--processes", options.processes, "2: on a cluster of two workers of this machine")->check(CLI::Range(1, 2));
  nexmark->add_option("--from", options.from, "read the events from a file of this format, not from the generator")->check(CLI::IsMember({"csv", "json"}));
  nexmark->add_option("--rate", options.rate, "events a second of event time");
  nexmark->add_option("--only", options.only, "run one query in this process and print its line");
  nexmark->add_option("--peer", options.peer, "a command that runs QUERY:EVENTS on another engine and prints JSON lines");
  nexmark->add_option("--checkpoint-interval", options.checkpoint_interval_ms, "milliseconds between exactly-once checkpoints to disk; 0: none");
  nexmark->add_option("--checkpoints", options.checkpoints, "halve the interval until so many complete");
  nexmark->add_option("--memory", options.memory, "what a process that takes checkpoints keeps to");
  nexmark->add_flag("--split", options.split, "also sample where the CPU time goes");
  nexmark->add_flag("--beside", options.beside, "also run the source alone, and with every column");
  nexmark->add_flag("--mini-batch", options.mini_batch, "2 s, 50,000 rows");
  nexmark->add_flag("--source-only", options.source_only, "only make the columns that each query reads");
  nexmark->add_flag("--all-columns", options.all_columns, "the source makes every column, read or not");

  auto* decode = app.add_subcommand("decode", "bids from files, all columns, in rows per CPU-second");
  addCommon(*decode, options);
  std::vector<std::string> formats = {"csv", "json"};
  decode->add_option("formats", formats, "csv json");
  bool alone = false;
  decode->add_flag("--alone", alone, "from memory into columns, without file and sink");

  auto* latency = app.add_subcommand("latency", "how late rows reach the sink when events come by the clock");
  addCommon(*latency, options);
  latency->add_option("query", options.only, "q0, q2_timed, q17_timed or another whose rows have a time")->required();
  latency->add_option("--rate", options.rate, "events a second");
  latency->add_option("--checkpoint-interval", options.checkpoint_interval_ms, "milliseconds between exactly-once checkpoints to disk; 0: none");

  StateOptions state_options;
  latency->add_option("--watermark-delay", options.watermark_delay_ms, "milliseconds that the query's watermark is behind, for rows of windows");

  auto* state = app.add_subcommand("state", "memory a key, and counts a CPU-second, of a keyed count");
  state->add_option("--keys", state_options.keys, "distinct keys");
  state->add_option("--rounds", state_options.rounds, "how often each key comes");
  state->add_flag("--nullable", state_options.nullable, "keys of a type that may be NULL");

  thalweg::bench::TierOptions tier_options;
  int64_t memory_mb = -1;
  auto* tier = app.add_subcommand("tier", "keyed state larger than memory, beside RocksDB");
  tier->add_option("--keys", tier_options.keys, "distinct keys");
  tier->add_option("--payload", tier_options.payload_bytes, "bytes of a payload");
  tier->add_option("--rows", tier_options.rows, "updates after every key came once");
  tier->add_option("--over", tier_options.over, "how many times the state is larger than the memory for it");
  tier->add_option("--skew", tier_options.skew, "the exponent of Zipf's law, above 1; 0: keys are drawn evenly");
  tier->add_option("--rocks-rows", tier_options.rocks_rows, "updates of RocksDB");
  tier->add_option("--folder", tier_options.folder, "where files are");
  tier->add_option("--job", memory_mb, "measure a job with so many MB for the process instead; 0: no limit, in memory");

  int64_t job_interval_ms = -1;
  tier->add_option("--checkpoints", job_interval_ms, "measure a job with a checkpoint every so many milliseconds instead; 0: with none");

  tier->add_option("--backend", tier_options.backend, "of that job: rocksdb or hashmap");
  bool snapshots = false;
  tier->add_flag("--snapshots", snapshots, "measure snapshots and restarts of one table instead");

  thalweg::bench::StreamOptions stream_options;
  auto* stream = app.add_subcommand("stream", "DataStream programs, in records per CPU-second");
  auto* bridge = app.add_subcommand("bridge", "what it costs that a query is between two streams, in nanoseconds of CPU a record");
  for (auto* each : {stream, bridge}) {
    each->add_option("--records", stream_options.records, "how many records");
    each->add_option("--parallelism", stream_options.parallelism, "parallel subtasks");
    each->add_option("--keys", stream_options.keys, "distinct keys");
  }

  thalweg::bench::ExchangeBenchOptions exchange_options;
  auto* exchange = app.add_subcommand("exchange", "the exchange between two processes beside a bare gRPC stream of the same frames");
  exchange->add_option("--frames", exchange_options.frames, "how many");
  exchange->add_option("--rows", exchange_options.rows, "rows of a frame, of two BIGINT each");
  exchange->add_option("--round-trips", exchange_options.round_trips, "of a bare message; 0: none");
  exchange->add_option("--repeat", exchange_options.repeat, "run each so often, in turn");
  exchange->add_option("--results", exchange_options.results, "the file that gets the JSON lines");
  exchange->add_option("--end", exchange_options.end, "be the other process: bare, echo or exchange");
  exchange->add_option("--certificates", exchange_options.certificates, "of the other process");

  CLI11_PARSE(app, argc, argv);
  if (state->parsed()) return printLine(thalweg::bench::runStateBench(state_options));
  if (tier->parsed()) {
    if (job_interval_ms >= 0) return printLine(thalweg::bench::runCheckpointJob(tier_options, job_interval_ms));
    if (snapshots) return printLine(thalweg::bench::runSnapshotBench(tier_options));
    return printLine(memory_mb < 0 ? thalweg::bench::runTierBench(tier_options) : thalweg::bench::runTierJob(tier_options, memory_mb));
  }
  if (bridge->parsed()) return printLine(thalweg::bench::runBridgeBench(stream_options));
  if (exchange->parsed()) {
    const thalweg::Status status = exchange_options.end.empty() ? thalweg::bench::runExchangeBench(exchange_options) : thalweg::bench::runExchangeEnd(exchange_options);
    if (!status.isOk()) std::cerr << "thalweg-bench: " << status.message() << '\n';
    return status.isOk() ? 0 : 1;
  }
  if (stream->parsed()) return printLine(thalweg::bench::runStreamBench(stream_options));
  if (latency->parsed()) return printLine(thalweg::bench::runLatencyBench(options, options.only));
  if (!options.only.empty()) return printLine(thalweg::bench::runNexmarkQuery(options, options.only));
  if (decode->parsed() && alone) {
    int code = 0;
    for (const std::string& format : formats) {
      code = std::max(code, printLine(thalweg::bench::runDecodeAlone({format, options.folder, options.events, std::max(options.repeat, 3)})));
    }
    return code;
  }
  if (decode->parsed()) {
    for (const std::string& format : formats) options.queries.push_back("decode_" + format);
  }
  if (options.queries.empty()) options.queries = thalweg::bench::nexmarkQueries();
  return thalweg::bench::runNexmarkTable(options);
}
