#include "worker/operators/over/over_frames.h"

#include <algorithm>

#include "common/base/failpoint.h"
#include "common/columnar/column_reader.h"

namespace thalweg::worker {
namespace {

/// The order column as numbers that ascend along the partition, distances in the same unit.
template <typename Number>
struct OrderValues {
  std::vector<Number> values;
  std::vector<uint8_t> nulls;
  Number unit = 1;              ///< what a distance of 1 is
};

template <typename Number, typename T>
void readNumbers(const Vector& column, OrderValues<Number>& out) {
  const ColumnReader<T> reader(column);
  for (size_t i = 0; i < column.size(); ++i) {
    out.nulls[i] = static_cast<uint8_t>(reader.isNull(i));
    if (!out.nulls[i]) out.values[i] = static_cast<Number>(reader[i]);
  }
}

void readTimes(const Vector& column, OrderValues<int128>& out) {
  const TimestampReader reader(column);
  out.unit = 1'000'000;
  for (size_t i = 0; i < column.size(); ++i) {
    out.nulls[i] = static_cast<uint8_t>(reader.isNull(i));
    if (!out.nulls[i]) out.values[i] = int128{reader[i].millis} * 1'000'000 + reader[i].nanos;
  }
}

OrderValues<int128> exactValues(const Vector& column) {
  OrderValues<int128> out;
  out.values.resize(column.size());
  out.nulls.resize(column.size());
  if (column.type().isTimestamp()) {
    readTimes(column, out);
    return out;
  }
  if (column.type().kind() == TypeKind::DECIMAL) {
    for (int digit = 0; digit < column.type().scale(); ++digit) out.unit *= 10;
  }
  switch (column.physicalType()) {
    case PhysicalType::INT8: readNumbers<int128, int8_t>(column, out); break;
    case PhysicalType::INT16: readNumbers<int128, int16_t>(column, out); break;
    case PhysicalType::INT32: readNumbers<int128, int32_t>(column, out); break;
    case PhysicalType::INT64: readNumbers<int128, int64_t>(column, out); break;
    case PhysicalType::INT128: readNumbers<int128, int128>(column, out); break;
    default: std::fill(out.nulls.begin(), out.nulls.end(), uint8_t{1});
  }
  return out;
}

OrderValues<double> approximateValues(const Vector& column) {
  OrderValues<double> out;
  out.values.resize(column.size());
  out.nulls.resize(column.size());
  if (column.physicalType() == PhysicalType::FLOAT32) readNumbers<double, float>(column, out);
  else readNumbers<double, double>(column, out);
  return out;
}

/// Frames by distance in the order column; a bound that is 0 or unset is set already.
template <typename Number>
void setByDistance(const OverAggregateSpec& spec, const OverRanges& ranges, OrderValues<Number> order, std::vector<OverFrame>& frames) {
  if (spec.order_by[0].direction == SortDirection::DESCENDING) {
    for (Number& value : order.values) value = -value;
  }
  const auto& values = order.values;
  for (size_t i = 0; i < frames.size(); ++i) {
    if (order.nulls[i]) continue;   // peers only, where there is a distance
    // NULLs stand at one end of the partition; numbers lie between them.
    size_t first = ranges.partitions[i].begin;
    size_t last = ranges.partitions[i].end;
    while (order.nulls[first]) first = ranges.peers[first].end;
    while (order.nulls[last - 1]) last = ranges.peers[last - 1].begin;
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(last);
    if (spec.preceding && *spec.preceding != 0) {
      const Number from = values[i] - static_cast<Number>(*spec.preceding) * order.unit;
      frames[i].begin = static_cast<size_t>(std::lower_bound(begin, end, from) - values.begin());
    }
    if (spec.following && *spec.following != 0) {
      const Number to = values[i] + static_cast<Number>(*spec.following) * order.unit;
      frames[i].end = static_cast<size_t>(std::upper_bound(begin, end, to) - values.begin());
    }
    frames[i].end = std::max(frames[i].begin, frames[i].end);
  }
}

/// `at` moved by `rows`, kept within [begin, end].
size_t moved(size_t at, int64_t rows, size_t begin, size_t end) {
  const auto room_back = static_cast<int64_t>(at - begin);
  const auto room_ahead = static_cast<int64_t>(end - at);
  return static_cast<size_t>(static_cast<int64_t>(at) + std::clamp(rows, -room_back, room_ahead));
}

}  // namespace

OverRanges rangesOf(const HeldRows& rows) {
  OverRanges ranges;
  ranges.partitions.resize(rows.size());
  ranges.peers.resize(rows.size());
  size_t partition = 0;
  size_t peers = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows.startsPartition(i)) partition = i;
    if (rows.startsPeers(i)) peers = i;
    ranges.partitions[i].begin = partition;
    ranges.peers[i].begin = peers;
  }
  for (size_t i = rows.size(); i-- > 0;) {
    const bool ends_partition = i + 1 == rows.size() || rows.startsPartition(i + 1);
    const bool ends_peers = ends_partition || rows.startsPeers(i + 1);
    ranges.partitions[i].end = ends_partition ? i + 1 : ranges.partitions[i + 1].end;
    ranges.peers[i].end = ends_peers ? i + 1 : ranges.peers[i + 1].end;
  }
  return ranges;
}

std::vector<OverFrame> framesOf(const OverAggregateSpec& spec, const HeldRows& rows, const OverRanges& ranges) {
  std::vector<OverFrame> frames(rows.size());
  bool by_distance = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    const OverFrame& partition = ranges.partitions[i];
    OverFrame& frame = frames[i];
    frame = spec.rows_frame || THALWEG_MUTANT("peers_apart") ? OverFrame{i, i + 1} : ranges.peers[i];
    if (!spec.preceding) frame.begin = partition.begin;
    else if (spec.rows_frame) frame.begin = moved(i, -*spec.preceding, partition.begin, partition.end);
    else by_distance = by_distance || *spec.preceding != 0;
    if (!spec.following) frame.end = partition.end;
    else if (spec.rows_frame) frame.end = moved(i + 1, *spec.following, partition.begin, partition.end);
    else by_distance = by_distance || *spec.following != 0;
    frame.end = std::max(frame.begin, frame.end);
  }
  if (!by_distance || rows.size() == 0) return frames;
  const Vector& column = *rows.rows().column(static_cast<size_t>(spec.order_by[0].column));
  if (column.type().isApproximateNumeric()) setByDistance(spec, ranges, approximateValues(column), frames);
  else setByDistance(spec, ranges, exactValues(column), frames);
  return frames;
}

}  // namespace thalweg::worker
