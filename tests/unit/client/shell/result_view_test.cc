// What a query shows on a terminal while it runs, and when it has ended.
#include "client/shell/result_view.h"

#include <algorithm>
#include <sstream>

#include "common/columnar/builder.h"

#include <catch2/catch.hpp>

namespace thalweg::shell {
namespace {

const Schema kSchema({{"number", DataType::integer()}});

Batch numbers(int32_t count) {
  FlatBuilder<int32_t> builder(DataType::integer(), static_cast<size_t>(count));
  for (int32_t i = 0; i < count; ++i) builder.set(static_cast<size_t>(i), i);
  return Batch(static_cast<size_t>(count), {builder.finish()});
}

client::JobProgress readSoFar(uint64_t rows) {
  client::JobProgress progress;
  progress.rows_read = rows;
  return progress;
}

struct Screen {
  std::ostringstream out;
  std::unique_ptr<ResultView> view;

  explicit Screen(ViewSettings settings) {
    settings.terminal = true;
    view = ResultView::make(kSchema, settings, out);
  }
  std::string tick(uint64_t rows, int64_t now_ms) {
    out.str("");
    view->tick(readSoFar(rows), now_ms);
    return out.str();
  }
};

size_t lines(const std::string& text) { return static_cast<size_t>(std::ranges::count(text, '\n')); }

TEST_CASE("a table fits the terminal while it changes, whatever size that has by now, and is whole in the end") {
  ViewSettings settings;
  size_t height = 10;
  settings.measure = [&height](ViewSettings& measured) { measured.terminal_rows = height; };
  Screen screen(settings);
  screen.view->add(numbers(50));
  CHECK(lines(screen.tick(50, 1000)) == 9);
  height = 20;
  CHECK(lines(screen.tick(50, 2000)) == 19);
  screen.out.str("");
  screen.view->finish(readSoFar(50), true, 120);
  for (int i = 0; i < 50; ++i) CHECK(screen.out.str().find(" " + std::to_string(i) + " |") != std::string::npos);
}

TEST_CASE("a table with an order stands in it while rows come and go, its first rows in view") {
  ViewSettings settings;
  settings.terminal_rows = 9;                  // two rows beside the frame
  settings.order = {{0, SortDirection::DESCENDING, NullOrder::LAST}};
  Screen screen(settings);
  screen.view->add(numbers(12));
  const std::string first = screen.tick(12, 1000);
  REQUIRE(first.find(" 11 |") != std::string::npos);
  CHECK(first.find(" 11 |") < first.find(" 10 |"));
  CHECK(first.find(" 0 |") == std::string::npos);
  FlatBuilder<int32_t> late(DataType::integer(), 1);
  late.set(0, 100);
  screen.view->add(Batch(1, {late.finish()}));
  const std::string second = screen.tick(13, 2000);
  CHECK(second.find(" 100 |") < second.find(" 11 |"));
}

TEST_CASE("a line that is wider than the terminal is cut with a mark") {
  ViewSettings settings;
  settings.terminal_columns = 7;
  Screen screen(settings);
  screen.view->add(numbers(1));
  CHECK(screen.tick(1, 1000).find("| numb>\n") != std::string::npos);
}

TEST_CASE("a result that is whole says how long it took, if that is known") {
  for (const auto& [took_ms, shown] : {std::pair(int64_t{120}, "Empty set (0.12 seconds)\n"), std::pair(int64_t{-1}, "Empty set\n")}) {
    Screen screen({});
    screen.view->finish({}, true, took_ms);
    CHECK(screen.out.str().ends_with(shown));
  }
}

TEST_CASE("rows per second are those of a second at least") {
  Screen screen({});
  CHECK(screen.tick(1, 1000).find("1 row read, 0 rows/s") != std::string::npos);
  CHECK(screen.tick(9000, 1100).find("9000 rows read, 0 rows/s") != std::string::npos);
  CHECK(screen.tick(20001, 3000).find("10000 rows/s") != std::string::npos);
}

}  // namespace
}  // namespace thalweg::shell
