// The program of docs/guide/first-stream.md.
#include <iostream>

// snippet: begin
#include <thalweg/thalweg.h>

using namespace thalweg::api;
// end

// snippet: describe
struct Order {
  std::string user;
  std::string product;
  int32_t amount = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (user, product, amount))
// end

int main() {
  // snippet: hello
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.fromElements("to", "be", "or", "not", "to", "be")
      .filter([](const std::string& word) { return word != "or"; })
      .map([](const std::string& word) { return word + "!"; })
      .print();
  env.execute("hello");
  // end

  // snippet: orders
  auto orders = env.fromElements<Order>({{"Alice", "tea", 3}, {"Bob", "beer", 2}, {"Alice", "rubber", 5}});
  orders.keyBy(&Order::user).sum(&Order::amount).print("total");
  env.execute("totals");
  // end

  // snippet: collect
  for (const Order& order : orders.filter([](const Order& order) { return order.amount > 2; }).executeAndCollect()) {
    std::cout << order.user << " bought " << order.product << "\n";
  }
  // end

  // snippet: batch
  env.setRuntimeMode(RuntimeExecutionMode::BATCH);
  orders.keyBy(&Order::user).sum(&Order::amount).print("final");
  env.execute("final totals");
  // end

  // snippet: error
  orders.map([](const Order& order) {
    if (order.product == "beer") throw std::runtime_error("no licence");
    return order.product;
  }).name("sell").print();
  try {
    env.execute("shop");
  } catch (const JobExecutionException& failed) {
    std::cout << "failed: " << failed.what() << "\n";
  }
  // end
}
