// NexmarkGenerator: events of the Nexmark stream as columns, a range of event numbers at a time.
//
// Every field of an event is a pure function of (seed, event number, field): random numbers are hashes of those. So any
// subset of the fields can be made at will, in any split of the numbers over subtasks, with the same data. Rules of the
// fields: docs/reference/nexmark.md. Long texts refer to buffers made once per process; making one costs 16 bytes.
// Threads: one owner; the text buffers are shared.
#pragma once

#include <memory>
#include <vector>

#include "common/columnar/vector.h"
#include "worker/connectors/nexmark/nexmark_config.h"

namespace thalweg::worker {

/// Which fields are asked for, by position in the suite's table.
struct NexmarkWanted {
  bool event_type = false;
  std::vector<bool> person, auction, bid;   ///< per field; empty: the column is not wanted
};

class NexmarkTexts;

class NexmarkGenerator {
 public:
  static constexpr size_t kPersonFields = 8;
  static constexpr size_t kAuctionFields = 10;
  static constexpr size_t kBidFields = 7;

  NexmarkGenerator(NexmarkConfig config, DataType person, DataType auction, DataType bid);
  ~NexmarkGenerator();

  /// Event time of event `number` (0, 1, …), milliseconds.
  int64_t timeOf(int64_t number) const;
  /// Events [first, first + rows); columns event_type, person, auction, bid, null where not wanted.
  std::vector<VectorPtr> make(int64_t first, size_t rows, const NexmarkWanted& wanted);

 private:
  enum Kind : uint8_t { PERSON, AUCTION, BID };
  void plan(int64_t first, size_t rows);
  // A column each; the value's function is a template argument so that it is part of the loop.
  template <int64_t (NexmarkGenerator::*kValue)(size_t) const>
  VectorPtr numbers(const DataType& type, Kind kind) const;
  template <StringRef (NexmarkGenerator::*kValue)(size_t) const>
  VectorPtr texts(const DataType& type, Kind kind, BufferPtr buffer) const;
  template <void (NexmarkGenerator::*kWrite)(size_t, std::string&) const>
  VectorPtr writtenTexts(const DataType& type, Kind kind) const;
  VectorPtr structOf(const DataType& type, Kind kind, std::vector<VectorPtr> fields) const;
  VectorPtr makePersons(const std::vector<bool>& wanted) const;
  VectorPtr makeAuctions(const std::vector<bool>& wanted) const;
  VectorPtr makeBids(const std::vector<bool>& wanted) const;

  uint64_t random(size_t row, uint64_t field) const;
  int64_t randomPerson(size_t row, uint64_t field) const;
  int64_t price(size_t row, uint64_t field) const;
  StringRef extra(size_t row, uint64_t field, int64_t used_bytes, int64_t target_bytes) const;
  void randomText(size_t row, uint64_t field, int64_t length_max, std::string& out) const;

  int64_t bidAuction(size_t row) const;
  int64_t bidBidder(size_t row) const;
  int64_t bidPrice(size_t row) const { return price(row, 7); }
  StringRef bidChannel(size_t row) const;
  StringRef bidUrl(size_t row) const;
  StringRef bidExtra(size_t row) const { return extra(row, 10, 32, config_.bid_bytes); }
  int64_t auctionId(size_t row) const { return last_auction_[row] + 1000; }
  int64_t auctionInitialBid(size_t row) const { return price(row, 23); }
  int64_t auctionReserve(size_t row) const { return price(row, 23) + price(row, 24); }
  int64_t auctionExpires(size_t row) const;
  int64_t auctionSeller(size_t row) const;
  int64_t auctionCategory(size_t row) const;
  void auctionItemName(size_t row, std::string& out) const { randomText(row, 30, 20, out); }
  void auctionDescription(size_t row, std::string& out) const { randomText(row, 50, 100, out); }
  StringRef auctionExtra(size_t row) const;
  int64_t personId(size_t row) const { return last_person_[row] + 1000; }
  void personName(size_t row, std::string& out) const;
  void personEmail(size_t row, std::string& out) const;
  void personCard(size_t row, std::string& out) const;
  void personCity(size_t row, std::string& out) const;
  void personState(size_t row, std::string& out) const;
  StringRef personExtra(size_t row) const;

  NexmarkConfig config_;
  DataType person_type_, auction_type_, bid_type_;
  std::shared_ptr<const NexmarkTexts> texts_;
  double micros_per_event_;
  // The range being made, by row.
  int64_t first_ = 0;
  size_t rows_ = 0;
  std::vector<Kind> kinds_;
  std::vector<int64_t> last_person_, last_auction_;
  std::vector<RowIndex> rows_of_[3];
  VectorPtr times_;
};

}  // namespace thalweg::worker
