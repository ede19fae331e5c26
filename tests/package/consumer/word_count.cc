#include <sstream>
#include <thalweg/thalweg.h>

using namespace thalweg::api;

int main() {
  auto env = StreamExecutionEnvironment::getExecutionEnvironment();
  env.fromElements("to be or", "not to be")
      .flatMap([](const std::string& line, Collector<std::tuple<std::string, int>>& out) {
        std::istringstream words(line);
        for (std::string word; words >> word;) out.collect({word, 1});
      })
      .keyBy([](const auto& pair) { return std::get<0>(pair); })
      .sum<1>()
      .print();
  env.execute("word count");
}
