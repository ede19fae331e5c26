#include "bench/nexmark_table.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>

#include "bench/child_runs.h"
#include "bench/json_line.h"

namespace thalweg::bench {
namespace {

/// Figures of another engine by query.
struct Reference {
  double events_per_cpu_second = 0;
  double peak_rss_mb = 0;
};
using References = std::map<std::string, Reference>;

/// From a file of `query events_per_cpu_second peak_rss_mb` lines, the last of which may be left out.
References referenceFigures(const std::string& folder) {
  References figures;
  std::ifstream stream(folder + "/reference.txt");
  std::string line;
  while (std::getline(stream, line)) {
    std::istringstream words(line);
    std::string query;
    Reference figure;
    if (line[0] == '#' || !(words >> query >> figure.events_per_cpu_second)) continue;
    words >> figure.peak_rss_mb;
    figures[query] = figure;
  }
  return figures;
}

class GeometricMean {
 public:
  void add(double value) {
    logs_ += std::log(value);
    ++count_;
  }
  int count() const { return count_; }
  double value() const { return std::exp(logs_ / count_); }

 private:
  double logs_ = 0;
  int count_ = 0;
};

/// One query's runs.
struct Runs {
  std::string own;
  std::string split;         ///< the same with samples
  std::string source;        ///< the source alone
  std::string all_columns;
  Reference peer;
};

class Table {
 public:
  explicit Table(const NexmarkOptions& options) : options_(options), figures_(referenceFigures(options.folder)), results_(options.results, std::ios::app) {}

  int run() {
    printHead();
    int code = 0;
    for (const std::string& query : options_.queries) code = std::max(code, runQuery(query));
    if (ratios_.count() > 1) {
      std::cout << "geometric mean of " << ratios_.count() << " ratios: " << std::setprecision(1) << std::fixed << ratios_.value() << '\n';
    }
    return code;
  }

 private:
  int runQuery(const std::string& query) {
    Runs runs;
    NexmarkOptions plain = options_;
    plain.split = false;
    runs.own = runInChild(plain, query);
    if (runs.own.empty()) {
      std::cout << std::left << std::setw(10) << query << " failed" << std::endl;
      return 1;
    }
    results_ << runs.own;
    if (options_.split) {
      NexmarkOptions sampled = options_;
      sampled.repeat = 1;
      results_ << (runs.split = runInChild(sampled, query));
    }
    if (options_.beside) runBeside(plain, query, runs);
    if (figures_.contains(query)) runs.peer = figures_.at(query);
    if (!options_.peer.empty()) {
      const std::string line = runPeer(options_, query);
      runs.peer = {number(line, "events_per_cpu_second"), number(line, "peak_rss_mb")};
      if (!line.empty()) results_ << line << '\n';
    }
    results_.flush();
    print(query, runs);
    return 0;
  }

  /// Without checkpoints: what the source costs has nothing to do with them.
  void runBeside(NexmarkOptions options, const std::string& query, Runs& runs) {
    options.checkpoint_interval_ms = 0;
    options.source_only = true;
    results_ << (runs.source = runInChild(options, query));
    options = options_;
    options.split = false;
    options.all_columns = true;
    results_ << (runs.all_columns = runInChild(options, query));
  }

  void printHead() const {
    std::cout << std::left << std::setw(10) << "query" << std::right << std::setw(10) << "events" << std::setw(9) << "seconds" << std::setw(9) << "cpu s"
              << std::setw(13) << "events/cpu s" << std::setw(12) << "events/s" << std::setw(9) << "peak MB" << std::setw(11) << "rows out" << std::setw(8)
              << "ratio" << std::setw(8) << "memory";
    if (options_.checkpoint_interval_ms > 0) {
      std::cout << std::setw(7) << "ckpts" << std::setw(9) << "ckpt ms" << std::setw(9) << "pause ms" << std::setw(9) << "ckpt MB";
    }
    if (options_.beside) std::cout << std::setw(13) << "source only" << std::setw(10) << "net ratio" << std::setw(13) << "all columns";
    if (options_.split) std::cout << "  source/exchange/operators/state/checkpoint/other %";
    std::cout << '\n';
  }

  void print(const std::string& query, const Runs& runs) {
    const std::string& own = runs.own;
    std::cout << std::left << std::setw(10) << query << std::right << std::setw(10) << field(own, "events") << std::setw(9) << field(own, "seconds")
              << std::setw(9) << field(own, "cpu_seconds") << std::setw(13) << field(own, "events_per_cpu_second") << std::setw(12)
              << field(own, "events_per_second") << std::setw(9) << field(own, "peak_rss_mb") << std::setw(11) << field(own, "rows_out");
    printRatios(runs);
    if (options_.checkpoint_interval_ms > 0) {
      std::cout << std::setw(7) << field(own, "checkpoints") << std::setw(9) << field(own, "checkpoint_ms_max") << std::setw(9) << field(own, "pause_ms_max")
                << std::setw(9) << field(own, "checkpoint_mb");
    }
    if (options_.beside) {
      std::cout << std::setw(13) << field(runs.source, "events_per_cpu_second");
      printNumber(netRatio(runs), 10, 1);
      std::cout << std::setw(13) << field(runs.all_columns, "events_per_cpu_second");
    }
    if (options_.split) printSplit(runs.split);
    std::cout << std::endl;
  }

  void printRatios(const Runs& runs) {
    const double ratio = runs.peer.events_per_cpu_second > 0 ? number(runs.own, "events_per_cpu_second") / runs.peer.events_per_cpu_second : 0;
    if (ratio > 0) ratios_.add(ratio);
    printNumber(ratio, 8, 1);
    printNumber(runs.peer.peak_rss_mb > 0 ? number(runs.own, "peak_rss_mb") / runs.peer.peak_rss_mb : 0, 8, 3);
  }

  /// The ratio of what both engines spend on an event beyond the making of it; 0 where it is not known.
  double netRatio(const Runs& runs) const {
    const auto source = figures_.find("source_all");
    if (source == figures_.end() || runs.peer.events_per_cpu_second <= 0) return 0;
    const double own = 1 / number(runs.own, "events_per_cpu_second") - 1 / number(runs.source, "events_per_cpu_second");
    const double peer = 1 / runs.peer.events_per_cpu_second - 1 / source->second.events_per_cpu_second;
    return own > 0 && peer > 0 ? peer / own : 0;
  }

  static void printSplit(const std::string& line) {
    const char* between = "  ";
    for (const char* share : {"source_share", "exchange_share", "operators_share", "state_share", "checkpoint_share", "other_share"}) {
      std::cout << between << std::fixed << std::setprecision(0) << number(line, share) * 100;
      between = "/";
    }
  }

  /// "-" for 0.
  static void printNumber(double value, int width, int digits) {
    if (value > 0) std::cout << std::fixed << std::setprecision(digits) << std::setw(width) << value;
    else std::cout << std::setw(width) << "-";
  }

  const NexmarkOptions& options_;
  References figures_;
  std::ofstream results_;
  GeometricMean ratios_;
};

}  // namespace

std::vector<std::string> nexmarkQueries() {
  std::vector<std::string> queries;
  for (int i = 0; i <= 23; ++i) {
    queries.push_back("q" + std::to_string(i));
    if (i == 12) queries.emplace_back("q12e");
  }
  queries.emplace_back("source");
  queries.emplace_back("source_all");
  return queries;
}

int runNexmarkTable(const NexmarkOptions& options) {
  if (const auto folder = std::filesystem::path(options.results).parent_path(); !folder.empty()) std::filesystem::create_directories(folder);
  return Table(options).run();
}

}  // namespace thalweg::bench
