#include "worker/connectors/nexmark/nexmark_config.h"

#include "common/config/config_value.h"
#include "common/plan/catalog/option_spec.h"

namespace thalweg::worker {
namespace {

/// Reads integer options into `target`, remembering the first failure.
class OptionReader {
 public:
  explicit OptionReader(const OptionMap& options) : options_(options) {}

  void integer(const char* key, int64_t& target, int64_t min) {
    const std::string text = optionValue(options_, key);
    if (text.empty()) return;
    take(key, parseConfigInt(text), target, min);
  }
  void bytes(const char* key, int64_t& target) {
    const std::string text = optionValue(options_, key);
    if (!text.empty()) take(key, parseConfigMemorySize(text), target, 0);
  }
  const Status& status() const { return status_; }

 private:
  void take(const char* key, Result<int64_t> value, int64_t& target, int64_t min) {
    if (!status_.isOk()) return;
    if (!value.isOk()) status_ = value.status().withContext(key);
    else if (*value < min) status_ = Status::plan(std::string("option '") + key + "' must be at least " + std::to_string(min) + ", not " + std::to_string(*value));
    else target = *value;
  }

  const OptionMap& options_;
  Status status_;
};

}  // namespace

Result<NexmarkConfig> NexmarkConfig::from(const OptionMap& options) {
  NexmarkConfig config;
  OptionReader reader(options);
  int64_t next_rate = 0;
  int64_t seed = 0;
  reader.integer("events.num", config.events, 0);
  reader.integer("first-event.rate", config.events_per_second, 1);
  reader.integer("next-event.rate", next_rate, 1);
  reader.integer("seed", seed, 0);
  reader.integer("person.proportion", config.person_proportion, 1);
  reader.integer("auction.proportion", config.auction_proportion, 1);
  reader.integer("bid.proportion", config.bid_proportion, 0);
  reader.integer("bid.hot-ratio.auctions", config.hot_auction_ratio, 1);
  reader.integer("bid.hot-ratio.bidders", config.hot_bidder_ratio, 1);
  reader.integer("auction.hot-ratio.sellers", config.hot_seller_ratio, 1);
  reader.bytes("person.avg-size", config.person_bytes);
  reader.bytes("auction.avg-size", config.auction_bytes);
  reader.bytes("bid.avg-size", config.bid_bytes);
  if (const std::string base = optionValue(options, "base-time"); !base.empty()) {
    reader.integer("base-time", config.base_time_ms, INT64_MIN);
    config.has_base_time = true;
  }
  RETURN_IF_ERROR(reader.status());
  if (next_rate != 0 && next_rate != config.events_per_second) {
    return Status::notSupported("nexmark with 'next-event.rate' other than 'first-event.rate' is not supported");
  }
  config.seed = static_cast<uint64_t>(seed);
  config.rate_limited = optionValue(options, "rate.limited") == "true" || optionValue(options, "max-emit-speed") == "false";
  config.all_columns = optionValue(options, "all-columns") == "true";
  return config;
}

}  // namespace thalweg::worker
