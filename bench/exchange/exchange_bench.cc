#include "bench/exchange/exchange_bench.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "bench/exchange/bare_stream.h"
#include "bench/exchange/exchange_stream.h"
#include "bench/exchange/far_process.h"
#include "bench/json_line.h"
#include "bench/resource_use.h"
#include "bench/scratch_folder.h"
#include "client/remote/certificates.h"
#include "common/columnar/batch_wire.h"
#include "worker/exchange/exchange_frame.h"

namespace thalweg::bench {
namespace {

constexpr size_t kPingBytes = 256;

/// What one run cost, both processes together.
struct Run {
  double seconds = 0;
  double cpu_seconds = 0;
};

/// The frame as it is sent: its header and the batch behind it.
std::vector<BufferPtr> frameOf(const Batch& batch) {
  std::vector<BufferPtr> pieces = encodeBatch(batch);
  pieces.insert(pieces.begin(), worker::ExchangeFrame{worker::ExchangeFrame::Kind::BATCH, {1, 0}, 0}.header());
  return pieces;
}

template <typename T>
T medianOf(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double atShare(const std::vector<int64_t>& sorted_ns, double share) {
  const auto at = static_cast<size_t>(share * static_cast<double>(sorted_ns.size()));
  return static_cast<double>(sorted_ns[std::min(at, sorted_ns.size() - 1)]) / 1000;
}

class Bench {
 public:
  explicit Bench(const ExchangeBenchOptions& options) : options_(options), results_(options.results, std::ios::app) {}

  Status run() {
    CertificateFolder certificates;
    RETURN_IF_ERROR(certificates.made);
    for (const std::string& folder : {std::string(), certificates.folder.path()}) {
      RETURN_IF_ERROR(compare(folder));
      if (options_.round_trips > 0) RETURN_IF_ERROR(roundTrips(folder));
    }
    return {};
  }

 private:
  struct CertificateFolder {
    ScratchFolder folder;
    Status made = client::makeCertificates({.folder = folder.path(), .hosts = {}});
  };

  Result<std::unique_ptr<FarProcess>> otherEnd(const std::string& end, const std::string& certificates, int& port) {
    ASSIGN_OR_RETURN(auto far, FarProcess::start({"exchange", "--end", end, "--certificates", certificates}));
    ASSIGN_OR_RETURN(const std::string listens, far->readLine());
    port = static_cast<int>(number(listens, "port"));
    return far;
  }

  /// `send` comes back when `wait` has: the other end has everything.
  template <typename Send>
  Result<Run> measured(const std::string& end, const std::string& certificates, Send&& send) {
    int port = 0;
    ASSIGN_OR_RETURN(const auto far, otherEnd(end, certificates, port));
    std::string told;
    const auto wait = [&]() -> Status {
      ASSIGN_OR_RETURN(told, far->readLine());
      return {};
    };
    const ResourceUse start = ResourceUse::now();
    RETURN_IF_ERROR(send(port, wait));
    const ResourceUse use = ResourceUse::now().since(start);
    return Run{use.wall_seconds, use.cpu_seconds + number(told, "cpu_seconds")};
  }

  Status compare(const std::string& certificates) {
    const Batch batch = rowsToSend(options_.rows);
    const std::vector<BufferPtr> frame = frameOf(batch);
    const double megabytes = static_cast<double>(piecesBytes(frame)) * static_cast<double>(options_.frames) / 1e6;
    std::vector<double> throughputs;
    std::vector<double> costs;
    for (int i = 0; i < options_.repeat; ++i) {
      ASSIGN_OR_RETURN(const Run bare, measured("bare", certificates, [&](int port, const auto& wait) -> Status {
        RETURN_IF_ERROR(sendBareStream(certificates, port, frame, options_.frames));
        return wait();
      }));
      ASSIGN_OR_RETURN(const Run ours, measured("exchange", certificates, [&](int port, const auto& wait) {
        return sendExchange(certificates, port, batch, options_.frames, wait);
      }));
      throughputs.push_back(bare.seconds / ours.seconds);
      costs.push_back(ours.cpu_seconds / bare.cpu_seconds);
      std::ostringstream line;
      line << std::setprecision(3) << R"({"bench": "exchange", "tls": )" << (certificates.empty() ? "false" : "true") << R"(, "frame_bytes": )" << piecesBytes(frame)
           << R"(, "frames": )" << options_.frames << R"(, "bare_mb_per_second": )" << megabytes / bare.seconds << R"(, "mb_per_second": )" << megabytes / ours.seconds
           << R"(, "bare_cpu_seconds_per_gb": )" << bare.cpu_seconds / megabytes * 1000 << R"(, "cpu_seconds_per_gb": )" << ours.cpu_seconds / megabytes * 1000
           << R"(, "throughput_ratio": )" << throughputs.back() << R"(, "cpu_ratio": )" << costs.back() << "}";
      say(line.str());
    }
    std::ostringstream line;
    line << std::setprecision(3) << R"({"bench": "exchange, medians", "tls": )" << (certificates.empty() ? "false" : "true") << R"(, "frame_bytes": )" << piecesBytes(frame)
         << R"(, "runs": )" << options_.repeat << R"(, "throughput_ratio": )" << medianOf(throughputs) << R"(, "cpu_ratio": )" << medianOf(costs) << "}";
    say(line.str());
    return {};
  }

  Status roundTrips(const std::string& certificates) {
    int port = 0;
    ASSIGN_OR_RETURN(const auto far, otherEnd("echo", certificates, port));
    ASSIGN_OR_RETURN(std::vector<int64_t> nanos, bareRoundTrips(certificates, port, kPingBytes, options_.round_trips));
    std::sort(nanos.begin(), nanos.end());
    std::ostringstream line;
    line << std::setprecision(4) << R"({"bench": "bare round trip", "tls": )" << (certificates.empty() ? "false" : "true") << R"(, "bytes": )" << kPingBytes
         << R"(, "p50_us": )" << atShare(nanos, 0.5) << R"(, "p99_us": )" << atShare(nanos, 0.99) << "}";
    say(line.str());
    return {};
  }

  void say(const std::string& line) {
    std::cout << line << std::endl;
    results_ << line << std::endl;
  }

  const ExchangeBenchOptions options_;
  std::ofstream results_;
};

}  // namespace

Status runExchangeBench(const ExchangeBenchOptions& options) { return Bench(options).run(); }

Status runExchangeEnd(const ExchangeBenchOptions& options) {
  ResourceUse start;
  const auto listening = [&](int port) {
    start = ResourceUse::now();
    std::cout << R"({"port": )" << port << "}" << std::endl;
  };
  const auto taken = [&] {
    std::cout << R"({"cpu_seconds": )" << ResourceUse::now().since(start).cpu_seconds << "}" << std::endl;
    pause();                              // it is killed when it has been heard
  };
  if (options.end == "exchange") return takeExchange(options.certificates, listening, taken);
  return takeBareStream(options.certificates, options.end == "echo", listening, taken);
}

}  // namespace thalweg::bench
