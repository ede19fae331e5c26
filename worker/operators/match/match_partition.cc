#include "worker/operators/match/match_partition.h"

#include "common/functions/aggregates/state_bytes.h"

namespace thalweg::worker {
namespace {

void writeRow(const MatchPartition::Row& row, StateWriter& writer) {
  writer.number(row.time);
  writer.number(row.flags);
  writer.text(row.bytes);
}

MatchPartition::Row readRow(StateReader& reader) {
  MatchPartition::Row row;
  row.time = reader.number<EventTime>();
  row.flags = reader.number<uint64_t>();
  row.bytes = reader.text();
  return row;
}

void writeCounts(const MatchCounts& counts, StateWriter& writer) {
  writer.number<uint64_t>(counts.size());
  for (const uint32_t count : counts) writer.number(count);
}

MatchCounts readCounts(StateReader& reader) {
  MatchCounts counts;
  for (auto left = reader.count(sizeof(uint32_t)); left > 0 && reader.isOk(); --left) counts.push_back(reader.number<uint32_t>());
  return counts;
}

}  // namespace

void MatchPartition::trim() {
  const int64_t needed = starts.empty() ? endRow() : starts.front().row;
  while (first_row < needed) {
    rows.pop_front();
    ++first_row;
  }
}

void MatchPartition::serialize(std::string& out) const {
  StateWriter writer(out);
  writer.number<uint64_t>(waiting.size());
  for (const auto& [place, held] : waiting) {
    writer.text(place.second);
    writer.number(held.timer);
    writeRow(held.row, writer);
  }
  writer.number(first_row);
  writer.number<uint64_t>(rows.size());
  for (const Row& row : rows) writeRow(row, writer);
  writer.number<uint64_t>(starts.size());
  for (const MatchStart& start : starts) {
    writer.number(start.row);
    writer.number(start.time);
    writer.number<uint64_t>(start.threads.size());
    for (const MatchThread& thread : start.threads) {
      writer.number(thread.variable);
      writeCounts(thread.counts, writer);
    }
    writer.number<uint8_t>(start.found.has_value());
    if (start.found) writeCounts(*start.found, writer);
  }
  writer.number<uint8_t>(expiry.has_value());
  if (expiry) {
    writer.number(expiry->time);
    writer.number(expiry->timer);
  }
}

Status MatchPartition::deserialize(std::string_view bytes, MatchPartition& into) {
  StateReader reader(bytes);
  for (auto left = reader.count(5 * sizeof(uint64_t)); left > 0 && reader.isOk(); --left) {
    std::string order(reader.text());
    Waiting held;
    held.timer = reader.number<uint64_t>();
    held.row = readRow(reader);
    const EventTime time = held.row.time;
    into.waiting.emplace_hint(into.waiting.end(), std::pair(time, std::move(order)), std::move(held));
  }
  into.first_row = reader.number<int64_t>();
  for (auto left = reader.count(3 * sizeof(uint64_t)); left > 0 && reader.isOk(); --left) into.rows.push_back(readRow(reader));
  for (auto left = reader.count(3 * sizeof(uint64_t) + 1); left > 0 && reader.isOk(); --left) {
    MatchStart start;
    start.row = reader.number<int64_t>();
    start.time = reader.number<EventTime>();
    for (auto threads = reader.count(sizeof(uint32_t) + sizeof(uint64_t)); threads > 0 && reader.isOk(); --threads) {
      MatchThread thread;
      thread.variable = reader.number<uint32_t>();
      thread.counts = readCounts(reader);
      start.threads.push_back(std::move(thread));
    }
    if (reader.number<uint8_t>() != 0) start.found = readCounts(reader);
    into.starts.push_back(std::move(start));
  }
  if (reader.number<uint8_t>() != 0) {
    Expiry expiry;
    expiry.time = reader.number<EventTime>();
    expiry.timer = reader.number<uint64_t>();
    into.expiry = expiry;
  }
  return reader.isDone() ? Status() : Status::internal("state of MATCH_RECOGNIZE is cut short");
}

}  // namespace thalweg::worker
