#include "tests/unit/worker/connectors/connector_harness.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

namespace thalweg::testing {

namespace fs = std::filesystem;

void TestFolder::write(const std::string& name, std::string_view text) const {
  fs::create_directories(fs::path(at(name)).parent_path());
  std::ofstream(at(name), std::ios::binary) << text;
}

std::vector<std::string> TestFolder::files() const {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(path())) {
    if (!entry.is_regular_file() || entry.path().filename().string().starts_with('.')) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    const std::string name = std::regex_replace(fs::relative(entry.path(), path()).string(), std::regex("part-[0-9a-f-]{36}-"), "part-…-");
    found.push_back(name + ": " + text.str());
  }
  std::sort(found.begin(), found.end());
  return found;
}

size_t TestFolder::hiddenFiles() const {
  size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path())) count += entry.path().filename().string().starts_with('.');
  return count;
}

SourceResult readSource(const SourceSpec& spec, const SourceRun& run) {
  SourceResult result;
  std::vector<Column> columns;
  for (const auto& output : spec.outputs) columns.push_back({"c", output.type});
  const Schema schema(columns);
  const auto fail = [&](const Status& status) { result.error = status.message(); return result; };
  auto enumerator = worker::makeSplitEnumerator(spec, run.parallelism);
  if (!enumerator.isOk()) return fail(enumerator.status());
  for (int subtask = 0; subtask < run.parallelism; ++subtask) {
    TestOperatorContext context;
    context.subtask_index = subtask;
    context.subtasks = run.parallelism;
    std::unique_ptr<SourceReader> reader;
    const auto fresh = [&](const std::vector<std::string>& splits) -> Status {
      ASSIGN_OR_RETURN(reader, worker::makeSourceReader(spec, schema));
      RETURN_IF_ERROR(reader->open(context));
      for (const std::string& split : splits) RETURN_IF_ERROR(reader->addSplit(split));
      return {};
    };
    if (const Status status = fresh({}); !status.isOk()) return fail(status);
    for (int polls = 0;; ++polls) {
      if (polls > 1'000'000) throw std::runtime_error("a bounded source does not end");
      CollectingOutput output;
      const auto polled = reader->poll(run.rows_wanted, output);
      for (const std::string& message : output.messages()) result.rows.push_back(message);
      if (!polled.isOk()) return fail(polled.status());
      for (const Batch& batch : output.batches) {
        if (batch.rows() > run.rows_wanted) throw std::runtime_error("a batch is larger than wanted");
      }
      if (*polled == PollResult::IDLE) {
        context.clock.advanceMillis(std::max<int64_t>(1, context.wakeup.value_or(0) - context.nowMillis()));
        context.wakeup.reset();
      } else if (*polled == PollResult::NEED_SPLIT) {
        auto next = (*enumerator)->next(subtask, run.parallelism);
        if (!next.isOk()) return fail(next.status());
        if (next->availability != SplitEnumerator::Availability::SPLIT) break;
        // With several readers each takes one split at a time, the last one what is left.
        if (const Status status = reader->addSplit(next->split); !status.isOk()) return fail(status);
      } else if (run.restores) {
        std::vector<std::string> splits;
        if (const Status status = reader->snapshotSplits(splits); !status.isOk()) return fail(status);
        reader->close();
        if (const Status status = fresh(splits); !status.isOk()) return fail(status);
      }
    }
    reader->close();
    result.skipped += context.counters.bad_records_skipped;
    if (subtask + 1 < run.parallelism) continue;
  }
  return result;
}

SourceSpec sourceOf(const std::string& connector, const Schema& physical, const OptionMap& options) {
  SourceSpec spec;
  spec.table_name = "t";
  spec.connector = connector;
  spec.physical = physical;
  spec.options = options;
  for (size_t i = 0; i < physical.size(); ++i) {
    SourceSpec::Output output;
    output.physical_column = static_cast<int>(i);
    output.type = physical.type(i);
    spec.outputs.push_back(std::move(output));
  }
  return spec;
}

std::string writeSink(const SinkSpec& spec, const std::vector<Batch>& batches) {
  TestOperatorContext context;
  auto writer = worker::makeSinkWriter(spec);
  if (!writer.isOk()) return writer.status().message();
  const auto run = [&]() -> Status {
    RETURN_IF_ERROR((*writer)->open(context));
    for (const Batch& batch : batches) RETURN_IF_ERROR((*writer)->write(batch));
    RETURN_IF_ERROR((*writer)->finish());
    ASSIGN_OR_RETURN(const std::string staged, (*writer)->stage());
    return staged.empty() ? Status() : (*writer)->commit(staged);
  };
  const Status status = run();
  (*writer)->close();
  return status.isOk() ? std::string() : status.message();
}

SinkSpec sinkOf(const std::string& connector, const Schema& schema, const OptionMap& options) {
  SinkSpec spec;
  spec.table_name = "t";
  spec.connector = connector;
  spec.schema = schema;
  spec.options = options;
  return spec;
}

}  // namespace thalweg::testing
