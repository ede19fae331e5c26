// A library of functions as a user would write it; functions_test.py calls them.
#include <sstream>
#include <stdexcept>

#include "client/api/thalweg/function_library.h"

namespace {

using namespace thalweg;

struct Shout : table::ScalarFunction {
  std::string eval(const std::string& text, int32_t times) { return text + std::string(static_cast<size_t>(times), '!'); }
};
THALWEG_FUNCTION(shout, Shout)

struct Picky : table::ScalarFunction {
  int64_t eval(int64_t number) {
    if (number > 2) throw std::invalid_argument("no more than two");
    return number;
  }
};
THALWEG_FUNCTION(picky, Picky)

struct Words : table::TableFunction<std::string> {
  void eval(const std::string& text) {
    std::istringstream words(text);
    for (std::string word; words >> word;) collect(word);
  }
};
THALWEG_FUNCTION(words, Words)

struct Product {
  double value = 1;
};
BOOST_DESCRIBE_STRUCT(Product, (), (value))

struct Multiply : table::AggregateFunction<double, Product> {
  Product createAccumulator() { return {}; }
  void accumulate(Product& product, double factor) { product.value *= factor; }
  void retract(Product& product, double factor) { product.value /= factor; }
  double getValue(const Product& product) { return product.value; }
};
THALWEG_FUNCTION(multiply, Multiply)

}  // namespace
