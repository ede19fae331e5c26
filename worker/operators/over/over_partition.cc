#include "worker/operators/over/over_partition.h"

#include "common/functions/aggregates/state_bytes.h"

namespace thalweg::worker {

void OverPartition::serialize(std::string& out) const {
  StateWriter writer(out);
  writer.number(last_time);
  writer.number(rows);
  writer.number(rank);
  writer.number(dense_rank);
  writer.number<uint64_t>(waiting.size());
  for (const auto& [time, row] : waiting) {
    writer.number(time);
    writer.number(row.timer);
    writer.text(row.bytes);
  }
  writer.number<uint64_t>(frame.size());
  for (const Folded& row : frame) {
    writer.number(row.time);
    writer.text(row.bytes);
  }
  writer.number<uint64_t>(recent.size());
  for (const std::string& row : recent) writer.text(row);
  std::string accumulated;
  if (accumulators.exist()) accumulators.serialize(accumulated);
  writer.number(accumulators.exist());
  writer.text(accumulated);
}

Status OverPartition::deserialize(std::string_view bytes, const std::shared_ptr<AggregateSet>& set) {
  StateReader reader(bytes);
  last_time = reader.number<EventTime>();
  rows = reader.number<int64_t>();
  rank = reader.number<int64_t>();
  dense_rank = reader.number<int64_t>();
  for (auto count = reader.count(3 * sizeof(uint64_t)); count > 0 && reader.isOk(); --count) {
    const auto time = reader.number<EventTime>();
    const auto timer = reader.number<uint64_t>();
    waiting.emplace_hint(waiting.end(), time, Waiting{timer, std::string(reader.text())});
  }
  for (auto count = reader.count(2 * sizeof(uint64_t)); count > 0 && reader.isOk(); --count) {
    const auto time = reader.number<EventTime>();
    frame.push_back({time, std::string(reader.text())});
  }
  for (auto count = reader.count(sizeof(uint64_t)); count > 0 && reader.isOk(); --count) recent.emplace_back(reader.text());
  const bool accumulated = reader.number<uint8_t>() != 0;
  const std::string_view rest = reader.text();
  if (!reader.isDone()) return Status::internal("state of an OVER aggregation is cut short");
  return accumulated ? accumulators.deserialize(rest, set) : Status();
}

KeyedTableSpec OverPartition::tableSpec(std::shared_ptr<AggregateSet> set, bool fixed_keys) {
  KeyedTableSpec spec;
  spec.name = "partitions";
  spec.payload_bytes = sizeof(OverPartition*);
  spec.fixed_keys = fixed_keys;
  spec.init = [](char* at) { *reinterpret_cast<OverPartition**>(at) = new OverPartition(); };
  spec.destroy = [](char* at) { delete *reinterpret_cast<OverPartition**>(at); };
  spec.serialize = [](const char* at, std::string& out) { (*reinterpret_cast<OverPartition* const*>(at))->serialize(out); };
  spec.deserialize = [set = std::move(set)](std::string_view bytes, char* at) -> Status {
    auto partition = std::make_unique<OverPartition>();
    RETURN_IF_ERROR(partition->deserialize(bytes, set));
    *reinterpret_cast<OverPartition**>(at) = partition.release();
    return {};
  };
  return spec;
}

}  // namespace thalweg::worker
