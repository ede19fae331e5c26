// Batch operators sort the same whether rows wait in memory or in files, however they come.
#include "worker/operators/held_rows.h"

#include <algorithm>
#include <map>

#include "common/base/random.h"
#include "tests/support/operator_harness.h"
#include "tests/support/temporary_folder.h"
#include "worker/state/cold_spill_space.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

namespace {

using testing::batchOf;

const std::vector<DataType> kTypes = {DataType::integer(), DataType::integer(), DataType::string(), DataType::bigint(false)};

/// A context whose spill space is always short of memory, or that has none.
class SpillingContext : public testing::TestOperatorContext, public SpillSpaceOwner {
 public:
  explicit SpillingContext(bool spills) {
    auto tier = ColdTier::make({.folder = testing::makeTemporaryFolder() + "/cold", .memory_bytes = 0, .when_needed = true});
    REQUIRE(tier.isOk());
    if (spills) space_ = std::make_unique<ColdSpillSpace>(*tier);
  }
  SpillSpace* spillSpace() override { return space_.get(); }

 private:
  std::unique_ptr<ColdSpillSpace> space_;
};

struct Row {
  std::optional<int> partition;
  int key;
  std::string text;
  int64_t number;          // of its coming
};

std::vector<Row> randomRows(Random& random, size_t count, int partitions) {
  std::vector<Row> rows;
  for (size_t i = 0; i < count; ++i) {
    std::optional<int> partition;
    if (random.nextBelow(10) != 0) partition = static_cast<int>(random.nextBelow(static_cast<uint64_t>(partitions)));
    rows.push_back({partition, static_cast<int>(random.nextBelow(50)), std::string(random.nextBelow(30), 'x') + std::to_string(i % 7), static_cast<int64_t>(i)});
  }
  return rows;
}

Batch toBatch(std::span<const Row> rows) {
  std::vector<std::vector<Value>> values;
  for (const Row& row : rows) {
    values.push_back({row.partition ? Value::integer(*row.partition) : Value::null(), Value::integer(row.key), Value::string(row.text), Value::integer(row.number)});
  }
  return batchOf(kTypes, values);
}

std::vector<int64_t> numbersOf(const Batch& batch) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < batch.rows(); ++i) numbers.push_back(batch.column(3)->valueAt(i).asInt());
  return numbers;
}

/// The numbers of the rows as they should come: by partition (NULL first), then by key descending, then as they came.
std::vector<int64_t> expectedOrder(std::vector<Row> rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.partition != b.partition ? a.partition < b.partition : a.key > b.key; });
  std::vector<int64_t> numbers;
  for (const Row& row : rows) numbers.push_back(row.number);
  return numbers;
}

const std::vector<SortKey> kByKey = {{1, SortDirection::DESCENDING, NullOrder::LAST}};

template <typename Holder>
void addAll(Holder& holder, const std::vector<Row>& rows, size_t batch_rows) {
  for (size_t at = 0; at < rows.size(); at += batch_rows) {
    REQUIRE(holder.add(toBatch(std::span(rows).subspan(at, std::min(batch_rows, rows.size() - at)))).isOk());
  }
  REQUIRE(holder.finish().isOk());
}

}  // namespace

TEST_CASE("an external sort gives what a sort in memory gives") {
  Random random(7);
  for (const size_t batch_rows : {size_t{3}, size_t{100}, size_t{5000}}) {
    for (const bool spills : {false, true}) {
      const std::vector<Row> rows = randomRows(random, batch_rows == 3 ? 700 : 20'000, 40);
      ExternalSorter sorter({{0}, kByKey[0]}, kTypes);
      SpillingContext context(spills);
      sorter.open(context);
      addAll(sorter, rows, batch_rows);
      std::vector<int64_t> found;
      while (true) {
        const auto batch = sorter.next();
        REQUIRE(batch.isOk());
        if (batch->rows() == 0) break;
        for (const int64_t number : numbersOf(*batch)) found.push_back(number);
      }
      INFO("batches of " << batch_rows << (spills ? ", spilled" : ""));
      REQUIRE(found == expectedOrder(rows));
    }
  }
}

TEST_CASE("a sort that wants few rows gives those") {
  Random random(8);
  const std::vector<Row> rows = randomRows(random, 200'000, 1000);
  for (const bool spills : {false, true}) {
    ExternalSorter sorter({{0}, kByKey[0]}, kTypes, 10);
    SpillingContext context(spills);
    sorter.open(context);
    addAll(sorter, rows, 4000);
    const auto batch = sorter.next();
    REQUIRE(batch.isOk());
    std::vector<int64_t> expected = expectedOrder(rows);
    expected.resize(10);
    std::vector<int64_t> found = numbersOf(*batch);
    REQUIRE(found.size() >= 10);
    found.resize(10);
    REQUIRE(found == expected);
  }
}

TEST_CASE("held rows come in whole partitions, or in pieces that know where partitions begin") {
  Random random(9);
  for (const int partitions : {1, 5, 3000}) {
    const std::vector<Row> rows = randomRows(random, 30'000, partitions);
    const std::vector<int64_t> expected = expectedOrder(rows);
    for (const bool spills : {false, true}) {
      for (const HeldRows::Cut cut : {HeldRows::Cut::ANYWHERE, HeldRows::Cut::PARTITIONS}) {
        HeldRows held({0}, kByKey, kTypes);
        SpillingContext context(spills);
        held.open(context);
        addAll(held, rows, 997);
        size_t at = 0;
        const Row* before = nullptr;
        while (true) {
          const auto more = held.next(cut);
          REQUIRE(more.isOk());
          if (!*more) break;
          const std::vector<int64_t> numbers = numbersOf(held.rows());
          if (cut == HeldRows::Cut::PARTITIONS) REQUIRE(held.startsPartition(0));
          for (size_t i = 0; i < held.size(); ++i, ++at) {
            REQUIRE(numbers[i] == expected[at]);
            const Row& row = rows[static_cast<size_t>(numbers[i])];
            const bool starts = before == nullptr || before->partition != row.partition;
            REQUIRE(held.startsPartition(i) == starts);
            REQUIRE(held.startsPeers(i) == (starts || before->key != row.key));
            before = &row;
          }
        }
        REQUIRE(at == expected.size());
      }
    }
  }
}

}  // namespace thalweg::worker
