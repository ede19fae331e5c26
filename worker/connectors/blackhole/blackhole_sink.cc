#include "worker/connectors/blackhole/blackhole_sink.h"

#include <atomic>

#include "common/columnar/column_reader.h"
#include "common/columnar/text_bytes.h"

namespace thalweg::worker {
namespace {

struct Counters {
  std::atomic<uint64_t> rows{0};
  std::atomic<uint64_t> bytes{0};
  std::atomic<uint64_t> checksum{0};
};

/// Set before jobs run, read by all writers.
BlackholeObserver& observer() {
  static BlackholeObserver instance;
  return instance;
}

Counters& counters() {
  static Counters instance;
  return instance;
}

/// Sums of 64-bit words, so that order does not count; a value's place counts through the factor of its column.
class Checksum {
 public:
  void addColumn(const Vector& column, uint64_t factor);
  uint64_t sum() const { return sum_; }
  uint64_t bytes() const { return bytes_; }

 private:
  template <typename T>
  void addFixed(const Vector& column, uint64_t factor);
  void addText(const Vector& column, uint64_t factor);
  void addElements(const Vector& column, uint64_t factor);

  uint64_t sum_ = 0;
  uint64_t bytes_ = 0;
};

uint64_t wordsOf(std::string_view text) {
  uint64_t sum = text.size();
  const char* at = text.data();
  size_t left = text.size();
  uint64_t word = 0;
  for (; left >= sizeof(word); left -= sizeof(word), at += sizeof(word)) {
    std::memcpy(&word, at, sizeof(word));
    sum += word;
  }
  word = 0;
  copyText(reinterpret_cast<char*>(&word), at, left);
  return sum + word;
}

template <typename T>
uint64_t wordOf(const T& value) {
  if constexpr (sizeof(T) <= sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(T));
    return word;
  } else {
    uint64_t words[2];
    static_assert(sizeof(T) == sizeof(words));
    std::memcpy(words, &value, sizeof(T));
    return words[0] + words[1];
  }
}

template <typename T>
void Checksum::addFixed(const Vector& column, uint64_t factor) {
  const ColumnReader<T> values(column);
  const size_t rows = column.size();
  uint64_t sum = 0;
  size_t counted = rows;
  if (values.isIdentity() && !values.mayHaveNulls()) {
    for (size_t row = 0; row < rows; ++row) sum += wordOf(values.raw()[row]);
  } else {
    for (size_t row = 0; row < rows; ++row) {
      if (values.isNull(row)) --counted;
      else sum += wordOf(values.stored(row));
    }
  }
  sum_ += sum * factor;
  bytes_ += counted * sizeof(T);
}

void Checksum::addText(const Vector& column, uint64_t factor) {
  const ColumnReader<std::string_view> values(column);
  uint64_t sum = 0;
  for (size_t row = 0; row < column.size(); ++row) {
    if (values.isNull(row)) continue;
    const std::string_view text = values[row];
    sum += wordsOf(text);
    bytes_ += text.size();
  }
  sum_ += sum * factor;
}

/// Lists, maps and rows: their children, element by element where rows were selected.
void Checksum::addElements(const Vector& column, uint64_t factor) {
  if (column.physicalType() == PhysicalType::ROW) {
    for (size_t i = 0; i < column.type().childCount(); ++i) {
      const VectorPtr field = rowField(column, i);
      if (field) addColumn(*field, factor * (2 * i + 3));
    }
    return;
  }
  const NestedReader lists(column);
  const size_t children = column.physicalType() == PhysicalType::MAP ? 2 : 1;
  std::vector<RowIndex> picked;
  for (size_t row = 0; row < column.size(); ++row) {
    if (lists.isNull(row)) continue;
    for (size_t i = 0; i < lists.length(row); ++i) picked.push_back(static_cast<RowIndex>(lists.begin(row) + i));
  }
  sum_ += picked.size();
  if (picked.empty()) return;
  for (size_t i = 0; i < children; ++i) addColumn(*gather(*lists.child(i), picked), factor * (2 * i + 3));
}

void Checksum::addColumn(const Vector& column, uint64_t factor) {
  switch (column.physicalType()) {
    case PhysicalType::NONE: return;
    case PhysicalType::BOOL: case PhysicalType::INT8: return addFixed<int8_t>(column, factor);
    case PhysicalType::INT16: return addFixed<int16_t>(column, factor);
    case PhysicalType::INT32: case PhysicalType::FLOAT32: return addFixed<int32_t>(column, factor);
    case PhysicalType::INT64: case PhysicalType::FLOAT64: return addFixed<int64_t>(column, factor);
    case PhysicalType::INT128: return addFixed<int128>(column, factor);
    case PhysicalType::TIMESTAMP_NANOS: return addFixed<TimestampValue>(column, factor);
    case PhysicalType::STRING: return addText(column, factor);
    case PhysicalType::LIST: case PhysicalType::MAP: case PhysicalType::ROW: return addElements(column, factor);
  }
}

class BlackholeWriter : public SinkWriter {
 public:
  Status open(OperatorContext&) override { return {}; }

  Status write(const Batch& batch) override {
    if (observer()) observer()(batch);
    Checksum checksum;
    for (size_t i = 0; i < batch.columnCount(); ++i) checksum.addColumn(*batch.column(i), 2 * i + 1);
    uint64_t kinds = 0;
    for (size_t row = 0; !batch.isInsertOnly() && row < batch.rows(); ++row) kinds += static_cast<uint64_t>(batch.rowKind(row));
    counters().rows.fetch_add(batch.rows(), std::memory_order_relaxed);
    counters().bytes.fetch_add(checksum.bytes(), std::memory_order_relaxed);
    counters().checksum.fetch_add(checksum.sum() + kinds, std::memory_order_relaxed);
    return {};
  }
};

}  // namespace

void observeBlackhole(BlackholeObserver observe) { observer() = std::move(observe); }

BlackholeTotals blackholeTotals() {
  return {counters().rows.load(std::memory_order_relaxed), counters().bytes.load(std::memory_order_relaxed),
          counters().checksum.load(std::memory_order_relaxed)};
}

Result<std::unique_ptr<SinkWriter>> makeBlackholeSink(const SinkSpec&, const ConnectorEnvironment&) {
  return std::unique_ptr<SinkWriter>(std::make_unique<BlackholeWriter>());
}

}  // namespace thalweg::worker
