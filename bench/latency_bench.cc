#include "bench/latency_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <iomanip>
#include <memory>
#include <sstream>
#include <vector>

#include "common/columnar/column_reader.h"
#include "worker/connectors/blackhole/blackhole_sink.h"

namespace thalweg::bench {
namespace {

constexpr int64_t kBucketMicros = 100;
constexpr size_t kBuckets = 200'000;          // up to 20 s; what is later counts as that
constexpr int64_t kWarmUpMillis = 1000;

int64_t nowMicros() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// How many rows were how late.
class Latencies {
 public:
  explicit Latencies(int64_t delay_ms) : delay_ms_(delay_ms) {}

  void add(const Batch& batch) {
    const int64_t now_us = nowMicros();
    std::vector<int64_t> newest(batch.rows(), INT64_MIN);
    for (const VectorPtr& column : batch.columns()) {
      if (!column->type().isTimestamp()) continue;
      const TimestampReader times(*column);
      for (size_t row = 0; row < batch.rows(); ++row) {
        if (!times.isNull(row)) newest[row] = std::max(newest[row], times.millis(row));
      }
    }
    for (size_t row = 0; row < batch.rows(); ++row) {
      const RowKind kind = batch.rowKind(row);
      if (newest[row] < counted_from_ms_ || kind == RowKind::UPDATE_BEFORE || kind == RowKind::DELETE) continue;
      const int64_t bucket = std::max<int64_t>(0, now_us - (newest[row] + delay_ms_) * 1000) / kBucketMicros;
      counts_[std::min(static_cast<size_t>(bucket), kBuckets - 1)].fetch_add(1, std::memory_order_relaxed);
    }
  }

  uint64_t rows() const {
    uint64_t sum = 0;
    for (const auto& count : counts_) sum += count.load();
    return sum;
  }
  /// Milliseconds that `share` of the rows took at most.
  double percentile(double share) const {
    const auto wanted = static_cast<uint64_t>(share * static_cast<double>(rows()));
    uint64_t seen = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
      seen += counts_[i].load();
      if (seen >= wanted) return static_cast<double>((static_cast<int64_t>(i) + 1) * kBucketMicros) / 1000;
    }
    return static_cast<double>(kBuckets) * kBucketMicros / 1000;
  }

 private:
  const int64_t delay_ms_;
  const int64_t counted_from_ms_ = nowMicros() / 1000 + kWarmUpMillis;
  std::vector<std::atomic<uint64_t>> counts_ = std::vector<std::atomic<uint64_t>>(kBuckets);
};

}  // namespace

Result<std::string> runLatencyBench(NexmarkOptions options, const std::string& query) {
  options.paced = true;
  const auto latencies = std::make_shared<Latencies>(options.watermark_delay_ms);
  worker::observeBlackhole([latencies](const Batch& batch) { latencies->add(batch); });
  const auto run = runNexmarkQuery(options, query);
  worker::observeBlackhole({});
  RETURN_IF_ERROR(run.status());
  std::ostringstream line;
  line << run->substr(0, run->size() - 1) << std::fixed << ", \"bench\": \"latency\", \"rate\": " << options.rate << ", \"rows_timed\": " << latencies->rows()
       << std::setprecision(1) << ", \"p50_ms\": " << latencies->percentile(0.5) << ", \"p99_ms\": " << latencies->percentile(0.99)
       << ", \"p999_ms\": " << latencies->percentile(0.999) << "}";
  return line.str();
}

}  // namespace thalweg::bench
