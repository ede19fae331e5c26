// thalweg-tpch-data FOLDER SCALE: writes the eight tables of TPC-H as CSV files, columns and distributions as the
// specification has them (4.2.3), with texts of its own words. SCALE 1 is 6 million order lines, 0.01 is 60,000.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "bench/tpch/tpch_words.h"

namespace thalweg::tpch {
namespace {

enum Table : uint64_t { SUPPLIER = 1, CUSTOMER, PART, PARTSUPP, ORDERS, LINES };

/// One file of lines; fields are appended one by one.
class CsvFile {
 public:
  CsvFile(const std::string& folder, const std::string& name) : stream_(folder + "/" + name + ".csv", std::ios::binary) {}

  template <typename... Fields>
  void line(const Fields&... fields) {
    line_.clear();
    (append(fields), ...);
    line_.back() = '\n';
    stream_ << line_;
  }

  bool close() {
    stream_.close();
    return !stream_.fail();
  }

 private:
  void append(std::string_view text) { line_.append(text).append(1, ','); }
  void append(int64_t number) { append(std::string_view(std::to_string(number))); }

  std::ofstream stream_;
  std::string line_;
};

struct Sizes {
  int64_t suppliers, customers, parts, orders;

  explicit Sizes(double scale)
      : suppliers(atLeast(4, 10'000 * scale)), customers(atLeast(10, 150'000 * scale)), parts(atLeast(20, 200'000 * scale)),
        orders(atLeast(50, 1'500'000 * scale)) {}

 private:
  static int64_t atLeast(int64_t least, double count) { return std::max(least, static_cast<int64_t>(count)); }
};

int64_t retailCents(int64_t part) { return 90'000 + part / 10 % 20'001 + 100 * (part % 1000); }

/// One of the four suppliers of a part.
int64_t supplierOf(int64_t part, int64_t which, int64_t suppliers) {
  return (part + which * (suppliers / 4 + (part - 1) / suppliers)) % suppliers + 1;
}

bool writeNations(const std::string& folder) {
  CsvFile region(folder, "region");
  CsvFile nation(folder, "nation");
  RowRandom random(0, 0);
  for (size_t i = 0; i < kRegions.size(); ++i) region.line(static_cast<int64_t>(i), kRegions[i], comment(random, 4, 12));
  for (size_t i = 0; i < kNations.size(); ++i) {
    nation.line(static_cast<int64_t>(i), kNations[i].name, static_cast<int64_t>(kNations[i].region), comment(random, 4, 12));
  }
  return region.close() && nation.close();
}

bool writeSuppliers(const std::string& folder, const Sizes& sizes) {
  CsvFile file(folder, "supplier");
  for (int64_t key = 1; key <= sizes.suppliers; ++key) {
    RowRandom random(SUPPLIER, static_cast<uint64_t>(key));
    const int64_t nation = random.between(0, 24);
    std::string text = comment(random, 4, 10);
    const int64_t remark = random.between(0, 1999);          // five of ten thousand complain, five recommend
    if (remark == 0) text += " Customer slyly Complaints";
    else if (remark == 1) text += " Customer bold Recommends";
    file.line(key, numbered("Supplier", key), address(random), nation, phone(random, nation), money(random.between(-99'999, 999'999)), text);
  }
  return file.close();
}

bool writeCustomers(const std::string& folder, const Sizes& sizes) {
  CsvFile file(folder, "customer");
  for (int64_t key = 1; key <= sizes.customers; ++key) {
    RowRandom random(CUSTOMER, static_cast<uint64_t>(key));
    const int64_t nation = random.between(0, 24);
    const std::string_view segment = pick(random, kSegments);
    file.line(key, numbered("Customer", key), address(random), nation, phone(random, nation), money(random.between(-99'999, 999'999)), segment,
              comment(random, 4, 12));
  }
  return file.close();
}

bool writeParts(const std::string& folder, const Sizes& sizes) {
  CsvFile file(folder, "part");
  CsvFile offers(folder, "partsupp");
  for (int64_t key = 1; key <= sizes.parts; ++key) {
    RowRandom random(PART, static_cast<uint64_t>(key));
    std::string name;
    for (int word = 0; word < 5; ++word) name.append(word == 0 ? "" : " ").append(pick(random, kColors));
    const int64_t maker = random.between(1, 5);
    const std::string brand = "Brand#" + std::to_string(maker * 10 + random.between(1, 5));
    std::string type(pick(random, kTypeFirst));
    type.append(" ").append(pick(random, kTypeSecond)).append(" ").append(pick(random, kTypeThird));
    std::string container(pick(random, kContainerFirst));
    container.append(" ").append(pick(random, kContainerSecond));
    file.line(key, name, "Manufacturer#" + std::to_string(maker), brand, type, random.between(1, 50), container, money(retailCents(key)), comment(random, 1, 4));
    for (int64_t which = 0; which < 4; ++which) {
      RowRandom offer(PARTSUPP, static_cast<uint64_t>(key * 4 + which));
      const int64_t available = offer.between(1, 9999);
      const std::string cost = money(offer.between(100, 100'000));
      offers.line(key, supplierOf(key, which, sizes.suppliers), available, cost, comment(offer, 8, 24));
    }
  }
  return file.close() && offers.close();
}

bool writeOrders(const std::string& folder, const Sizes& sizes) {
  CsvFile orders(folder, "orders");
  CsvFile lines(folder, "lineitem");
  const int64_t last_order = dayOf(1998, 8, 2);
  const int64_t today = dayOf(1995, 6, 17);
  for (int64_t number = 0; number < sizes.orders; ++number) {
    const int64_t key = number / 8 * 32 + number % 8 + 1;    // a quarter of the keys is in use
    RowRandom random(ORDERS, static_cast<uint64_t>(key));
    int64_t customer = random.between(1, sizes.customers);
    if (customer % 3 == 0) customer = customer == sizes.customers ? customer - 1 : customer + 1;      // a third never orders
    const int64_t ordered = random.between(0, last_order);
    const int64_t count = random.between(1, 7);
    int64_t total = 0;
    int64_t shipped_count = 0;
    for (int64_t line = 1; line <= count; ++line) {
      RowRandom item(LINES, static_cast<uint64_t>(key * 8 + line));
      const int64_t part = item.between(1, sizes.parts);
      const int64_t supplier = supplierOf(part, item.between(0, 3), sizes.suppliers);
      const int64_t quantity = item.between(1, 50);
      const int64_t price = quantity * retailCents(part);
      const int64_t discount = item.between(0, 10);
      const int64_t tax = item.between(0, 8);
      const int64_t shipped = ordered + item.between(1, 121);
      const int64_t committed = ordered + item.between(30, 90);
      const int64_t received = shipped + item.between(1, 30);
      const std::string_view returned = received > today ? "N" : item.between(0, 1) == 0 ? "R" : "A";
      const std::string_view instruction = pick(item, kInstructions);
      const std::string_view mode = pick(item, kShipModes);
      lines.line(key, part, supplier, line, money(quantity * 100), money(price), money(discount), money(tax), returned, shipped > today ? "O" : "F",
                 date(shipped), date(committed), date(received), instruction, mode, comment(item, 2, 6));
      total += price * (100 - discount) / 100 * (100 + tax) / 100;
      shipped_count += shipped > today ? 0 : 1;
    }
    const std::string_view status = shipped_count == count ? "F" : shipped_count == 0 ? "O" : "P";
    const std::string_view priority = pick(random, kPriorities);
    const std::string clerk = numbered("Clerk", random.between(1, std::max<int64_t>(1, sizes.orders / 1500)));
    orders.line(key, customer, status, money(total), date(ordered), priority, clerk, int64_t{0}, comment(random, 3, 12));
  }
  return orders.close() && lines.close();
}

}  // namespace
}  // namespace thalweg::tpch

int main(int argc, char** argv) {
  using namespace thalweg::tpch;
  const double scale = argc == 3 ? std::atof(argv[2]) : 0;
  if (scale <= 0) {
    std::cerr << "thalweg-tpch-data FOLDER SCALE: expected a folder and a scale above 0\n";
    return 2;
  }
  const std::string folder = argv[1];
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  const Sizes sizes(scale);
  const bool written = writeNations(folder) && writeSuppliers(folder, sizes) && writeCustomers(folder, sizes) && writeParts(folder, sizes) &&
                       writeOrders(folder, sizes);
  if (!written) std::cerr << "cannot write the files in " << folder << '\n';
  return written ? 0 : 1;
}
