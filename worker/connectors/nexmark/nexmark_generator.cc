#include "worker/connectors/nexmark/nexmark_generator.h"

#include <array>
#include <cmath>
#include <cstring>

#include "common/columnar/builder.h"
#include "worker/connectors/nexmark/nexmark_texts.h"

namespace thalweg::worker {
namespace {

constexpr int64_t kFirstId = 1000;
constexpr int64_t kActivePeople = 1000;
constexpr int64_t kInFlightAuctions = 100;
constexpr int64_t kIdLead = 10;
constexpr int64_t kHotBatch = 100;
constexpr int64_t kFirstCategory = 10;
constexpr int64_t kCategories = 5;

constexpr std::array kFirstNames = {"Peter", "Paul", "Luke", "John", "Saul", "Vicky", "Kate", "Julie", "Sarah", "Deiter", "Walter"};
constexpr std::array kLastNames = {"Shultz", "Abrams", "Spencer", "White", "Bartels", "Walton", "Smith", "Jones", "Noris"};
constexpr std::array kCities = {"Phoenix", "Los Angeles", "San Francisco", "Boise", "Portland", "Bend", "Redmond", "Seattle", "Kent", "Cheyenne"};
constexpr std::array kStates = {"AZ", "CA", "ID", "OR", "WA", "WY"};

/// 10^(6u) for u in [0, 1): a table of 4096 steps, and the rest by three terms of the series.
double powerOfTen(uint64_t random) {
  static const auto table = [] {
    std::array<double, 4096> powers{};
    for (size_t i = 0; i < powers.size(); ++i) powers[i] = std::pow(10.0, 6.0 * static_cast<double>(i) / 4096.0);
    return powers;
  }();
  const double rest = static_cast<double>((random << 12) >> 12) * (1.0 / 4503599627370496.0) * (6.0 * 2.302585092994046 / 4096.0);
  return table[random >> 52] * (1.0 + rest * (1.0 + rest * (0.5 + rest * (1.0 / 6.0))));
}

}  // namespace

NexmarkGenerator::NexmarkGenerator(NexmarkConfig config, DataType person, DataType auction, DataType bid)
    : config_(config), person_type_(std::move(person)), auction_type_(std::move(auction)), bid_type_(std::move(bid)),
      texts_(NexmarkTexts::forSeed(config.seed)), micros_per_event_(1e6 / static_cast<double>(config.events_per_second)) {}

NexmarkGenerator::~NexmarkGenerator() = default;

int64_t NexmarkGenerator::timeOf(int64_t number) const {
  return config_.base_time_ms + static_cast<int64_t>(static_cast<double>(number + 1) * micros_per_event_) / 1000;
}

uint64_t NexmarkGenerator::random(size_t row, uint64_t field) const {
  return mixBits((config_.seed * 0x632BE59BD9B4E019ULL + static_cast<uint64_t>(first_ + static_cast<int64_t>(row))) ^ (field << 56));
}

void NexmarkGenerator::plan(int64_t first, size_t rows) {
  first_ = first;
  rows_ = rows;
  kinds_.resize(rows);
  last_person_.resize(rows);
  last_auction_.resize(rows);
  for (auto& list : rows_of_) list.resize(rows);
  size_t counts[3] = {};
  const int64_t period = config_.period();
  const int64_t persons = config_.person_proportion;
  const int64_t auctions = config_.auction_proportion;
  const int64_t id = first + 2;   // the first event has id 2
  int64_t epoch = id / period;
  int64_t offset = id % period;
  for (size_t row = 0; row < rows; ++row) {
    const Kind kind = offset < persons ? PERSON : offset < persons + auctions ? AUCTION : BID;
    kinds_[row] = kind;
    rows_of_[kind][counts[kind]++] = static_cast<RowIndex>(row);
    last_person_[row] = epoch * persons + std::min(offset, persons - 1);
    if (kind == PERSON) last_auction_[row] = (epoch - 1) * auctions + auctions - 1;
    else last_auction_[row] = epoch * auctions + std::min(offset - persons, auctions - 1);
    if (++offset == period) {
      offset = 0;
      ++epoch;
    }
  }
  for (const Kind kind : {PERSON, AUCTION, BID}) rows_of_[kind].resize(counts[kind]);
  FlatBuilder<int64_t> times(DataType::timestamp(3), rows);
  for (size_t row = 0; row < rows; ++row) times.set(row, timeOf(first + static_cast<int64_t>(row)));
  times_ = times.finish();
}

template <int64_t (NexmarkGenerator::*kValue)(size_t) const>
VectorPtr NexmarkGenerator::numbers(const DataType& type, Kind kind) const {
  FlatBuilder<int64_t> builder(type, rows_);
  int64_t* values = builder.raw();
  if (rows_of_[kind].size() < rows_) std::memset(values, 0, rows_ * sizeof(int64_t));
  for (const RowIndex row : rows_of_[kind]) values[row] = (this->*kValue)(row);
  return builder.finish();
}

template <StringRef (NexmarkGenerator::*kValue)(size_t) const>
VectorPtr NexmarkGenerator::texts(const DataType& type, Kind kind, BufferPtr buffer) const {
  auto refs = Buffer::allocateZeroed(rows_ * sizeof(StringRef));
  auto* values = refs->mutableAs<StringRef>();
  for (const RowIndex row : rows_of_[kind]) values[row] = (this->*kValue)(row);
  Vector::Flat parts{.type = type, .size = rows_, .data = std::move(refs)};
  if (buffer) parts.strings.push_back(std::move(buffer));
  return Vector::flat(std::move(parts));
}

template <void (NexmarkGenerator::*kWrite)(size_t, std::string&) const>
VectorPtr NexmarkGenerator::writtenTexts(const DataType& type, Kind kind) const {
  auto refs = Buffer::allocateZeroed(rows_ * sizeof(StringRef));
  auto* values = refs->mutableAs<StringRef>();
  std::string written;
  std::vector<std::pair<RowIndex, size_t>> ends;   // of the long ones
  for (const RowIndex row : rows_of_[kind]) {
    const size_t begin = written.size();
    (this->*kWrite)(row, written);
    if (written.size() - begin <= StringRef::kInlineMax) {
      values[row] = StringRef::inlined(std::string_view(written).substr(begin));
      written.resize(begin);
    } else {
      ends.emplace_back(row, written.size());
    }
  }
  Vector::Flat parts{.type = type, .size = rows_, .data = std::move(refs)};
  if (!ends.empty()) {
    auto buffer = Buffer::allocate(written.size());
    std::memcpy(buffer->mutableData(), written.data(), written.size());
    size_t begin = 0;
    for (const auto& [row, end] : ends) {
      values[row] = StringRef::referring(std::string_view(written).substr(begin, end - begin), 0, static_cast<uint32_t>(begin));
      begin = end;
    }
    parts.strings.push_back(std::move(buffer));
  }
  return Vector::flat(std::move(parts));
}

VectorPtr NexmarkGenerator::structOf(const DataType& type, Kind kind, std::vector<VectorPtr> fields) const {
  auto validity = Buffer::allocateZeroed(bitmapBytes(rows_));
  for (const RowIndex row : rows_of_[kind]) setBit(validity->mutableAs<uint64_t>(), row);
  Vector::Flat parts{.type = type, .size = rows_, .validity = std::move(validity)};
  parts.children = std::move(fields);
  return Vector::flat(std::move(parts));
}

int64_t NexmarkGenerator::randomPerson(size_t row, uint64_t field) const {
  const int64_t people = last_person_[row] + 1;
  const int64_t active = std::min(people, kActivePeople);
  return people - active + static_cast<int64_t>(boundedBy(random(row, field), static_cast<uint64_t>(active + kIdLead)));
}

int64_t NexmarkGenerator::price(size_t row, uint64_t field) const {
  return static_cast<int64_t>(powerOfTen(random(row, field)) * 100.0 + 0.5);
}

StringRef NexmarkGenerator::extra(size_t row, uint64_t field, int64_t used_bytes, int64_t target_bytes) const {
  const int64_t rest = target_bytes - used_bytes;
  if (rest <= 0) return {};
  const int64_t spread = (rest * 2 + 5) / 10;   // a fifth, rounded
  const uint64_t bits = random(row, field);
  const uint64_t length = static_cast<uint64_t>(rest - spread) + (spread > 0 ? boundedBy(bits << 32, static_cast<uint64_t>(2 * spread)) : 0);
  return texts_->extraAt(boundedBy(bits, NexmarkTexts::kExtraBytes - 1024), std::min<size_t>(length, 1024));
}

void NexmarkGenerator::randomText(size_t row, uint64_t field, int64_t length_max, std::string& out) const {
  appendRandomText(random(row, field), length_max, ' ', out);
}

int64_t NexmarkGenerator::bidAuction(size_t row) const {
  const uint64_t bits = random(row, 1);
  const int64_t last = last_auction_[row];
  if (boundedBy(bits, static_cast<uint64_t>(config_.hot_auction_ratio)) > 0) return last / kHotBatch * kHotBatch + kFirstId;
  const int64_t low = std::max<int64_t>(last - kInFlightAuctions, 0);
  return low + static_cast<int64_t>(boundedBy(mixBits(bits), static_cast<uint64_t>(last - low + 1 + kIdLead))) + kFirstId;
}

int64_t NexmarkGenerator::bidBidder(size_t row) const {
  // Bidder ids run a thousand ahead of person ids, as in the suite's generator.
  if (boundedBy(random(row, 3), static_cast<uint64_t>(config_.hot_bidder_ratio)) > 0) {
    return last_person_[row] / kHotBatch * kHotBatch + 1 + 2 * kFirstId;
  }
  return randomPerson(row, 4) + 2 * kFirstId;
}

StringRef NexmarkGenerator::bidChannel(size_t row) const {
  const uint64_t bits = random(row, 8);
  if (bits >> 63) return texts_->hotChannel(bits & 3);
  return texts_->channel(boundedBy(bits << 1, NexmarkTexts::kChannels));
}

StringRef NexmarkGenerator::bidUrl(size_t row) const {
  const uint64_t bits = random(row, 8);
  if (bits >> 63) return texts_->hotUrl(bits & 3);
  return texts_->url(boundedBy(bits << 1, NexmarkTexts::kChannels));
}

int64_t NexmarkGenerator::auctionExpires(size_t row) const {
  const int64_t number = first_ + static_cast<int64_t>(row);
  const int64_t horizon_events = kInFlightAuctions * config_.period() / config_.auction_proportion;
  const int64_t horizon = timeOf(number + horizon_events) - timeOf(number);
  return timeOf(number) + 1 + static_cast<int64_t>(boundedBy(random(row, 25), static_cast<uint64_t>(std::max<int64_t>(2 * horizon, 1))));
}

int64_t NexmarkGenerator::auctionSeller(size_t row) const {
  if (boundedBy(random(row, 26), static_cast<uint64_t>(config_.hot_seller_ratio)) > 0) {
    return last_person_[row] / kHotBatch * kHotBatch + kFirstId;
  }
  return randomPerson(row, 27) + kFirstId;
}

int64_t NexmarkGenerator::auctionCategory(size_t row) const {
  return kFirstCategory + static_cast<int64_t>(boundedBy(random(row, 28), kCategories));
}

StringRef NexmarkGenerator::auctionExtra(size_t row) const {
  std::string text;
  auctionItemName(row, text);
  auctionDescription(row, text);
  return extra(row, 29, 8 + static_cast<int64_t>(text.size()) + 40, config_.auction_bytes);
}

void NexmarkGenerator::personName(size_t row, std::string& out) const {
  const uint64_t bits = random(row, 40);
  out += kFirstNames[boundedBy(bits, kFirstNames.size())];
  out += ' ';
  out += kLastNames[boundedBy(bits << 32, kLastNames.size())];
}

void NexmarkGenerator::personEmail(size_t row, std::string& out) const {
  randomText(row, 41, 7, out);
  out += '@';
  randomText(row, 42, 5, out);
  out += ".com";
}

void NexmarkGenerator::personCard(size_t row, std::string& out) const {
  uint64_t bits = random(row, 43);
  for (int group = 0; group < 4; ++group) {
    if (group > 0) out += ' ';
    uint64_t number = bits % 10000;
    bits /= 10000;
    char digits[4];
    for (int i = 3; i >= 0; --i) {
      digits[i] = static_cast<char>('0' + number % 10);
      number /= 10;
    }
    out.append(digits, 4);
  }
}

void NexmarkGenerator::personCity(size_t row, std::string& out) const { out += kCities[boundedBy(random(row, 44), kCities.size())]; }
void NexmarkGenerator::personState(size_t row, std::string& out) const { out += kStates[boundedBy(random(row, 45), kStates.size())]; }

StringRef NexmarkGenerator::personExtra(size_t row) const {
  std::string text;
  personName(row, text);
  personEmail(row, text);
  personCard(row, text);
  personCity(row, text);
  personState(row, text);
  return extra(row, 46, 8 + static_cast<int64_t>(text.size()), config_.person_bytes);
}

VectorPtr NexmarkGenerator::makePersons(const std::vector<bool>& wanted) const {
  std::vector<VectorPtr> fields(kPersonFields);
  const auto& types = person_type_;
  if (wanted[0]) fields[0] = numbers<&NexmarkGenerator::personId>(types.child(0), PERSON);
  if (wanted[1]) fields[1] = writtenTexts<&NexmarkGenerator::personName>(types.child(1), PERSON);
  if (wanted[2]) fields[2] = writtenTexts<&NexmarkGenerator::personEmail>(types.child(2), PERSON);
  if (wanted[3]) fields[3] = writtenTexts<&NexmarkGenerator::personCard>(types.child(3), PERSON);
  if (wanted[4]) fields[4] = writtenTexts<&NexmarkGenerator::personCity>(types.child(4), PERSON);
  if (wanted[5]) fields[5] = writtenTexts<&NexmarkGenerator::personState>(types.child(5), PERSON);
  if (wanted[6]) fields[6] = times_;
  if (wanted[7]) fields[7] = texts<&NexmarkGenerator::personExtra>(types.child(7), PERSON, texts_->extraBuffer());
  return structOf(person_type_, PERSON, std::move(fields));
}

VectorPtr NexmarkGenerator::makeAuctions(const std::vector<bool>& wanted) const {
  std::vector<VectorPtr> fields(kAuctionFields);
  const auto& types = auction_type_;
  if (wanted[0]) fields[0] = numbers<&NexmarkGenerator::auctionId>(types.child(0), AUCTION);
  if (wanted[1]) fields[1] = writtenTexts<&NexmarkGenerator::auctionItemName>(types.child(1), AUCTION);
  if (wanted[2]) fields[2] = writtenTexts<&NexmarkGenerator::auctionDescription>(types.child(2), AUCTION);
  if (wanted[3]) fields[3] = numbers<&NexmarkGenerator::auctionInitialBid>(types.child(3), AUCTION);
  if (wanted[4]) fields[4] = numbers<&NexmarkGenerator::auctionReserve>(types.child(4), AUCTION);
  if (wanted[5]) fields[5] = times_;
  if (wanted[6]) fields[6] = numbers<&NexmarkGenerator::auctionExpires>(types.child(6), AUCTION);
  if (wanted[7]) fields[7] = numbers<&NexmarkGenerator::auctionSeller>(types.child(7), AUCTION);
  if (wanted[8]) fields[8] = numbers<&NexmarkGenerator::auctionCategory>(types.child(8), AUCTION);
  if (wanted[9]) fields[9] = texts<&NexmarkGenerator::auctionExtra>(types.child(9), AUCTION, texts_->extraBuffer());
  return structOf(auction_type_, AUCTION, std::move(fields));
}

VectorPtr NexmarkGenerator::makeBids(const std::vector<bool>& wanted) const {
  std::vector<VectorPtr> fields(kBidFields);
  const auto& types = bid_type_;
  if (wanted[0]) fields[0] = numbers<&NexmarkGenerator::bidAuction>(types.child(0), BID);
  if (wanted[1]) fields[1] = numbers<&NexmarkGenerator::bidBidder>(types.child(1), BID);
  if (wanted[2]) fields[2] = numbers<&NexmarkGenerator::bidPrice>(types.child(2), BID);
  if (wanted[3]) fields[3] = texts<&NexmarkGenerator::bidChannel>(types.child(3), BID, nullptr);
  if (wanted[4]) fields[4] = texts<&NexmarkGenerator::bidUrl>(types.child(4), BID, texts_->urlBuffer());
  if (wanted[5]) fields[5] = times_;
  if (wanted[6]) fields[6] = texts<&NexmarkGenerator::bidExtra>(types.child(6), BID, texts_->extraBuffer());
  return structOf(bid_type_, BID, std::move(fields));
}

std::vector<VectorPtr> NexmarkGenerator::make(int64_t first, size_t rows, const NexmarkWanted& wanted) {
  plan(first, rows);
  std::vector<VectorPtr> columns(4);
  if (wanted.event_type) {
    FlatBuilder<int32_t> types(DataType::integer(), rows);
    for (size_t row = 0; row < rows; ++row) types.set(row, static_cast<int32_t>(kinds_[row]));
    columns[0] = types.finish();
  }
  if (!wanted.person.empty()) columns[1] = makePersons(wanted.person);
  if (!wanted.auction.empty()) columns[2] = makeAuctions(wanted.auction);
  if (!wanted.bid.empty()) columns[3] = makeBids(wanted.bid);
  return columns;
}

}  // namespace thalweg::worker
