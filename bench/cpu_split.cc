#include "bench/cpu_split.h"

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace thalweg::bench {
namespace {

constexpr int kFramesMax = 48;
constexpr size_t kSamplesMax = 1 << 16;

struct Sample {
  int frames = 0;
  std::array<void*, kFramesMax> at = {};
};

/// Filled by the signal handler; allocated once, before the first signal.
std::unique_ptr<Sample[]> samples;
std::atomic<size_t> taken{0};

void onProfilingSignal(int) {
  const size_t mine = taken.fetch_add(1, std::memory_order_relaxed);
  if (mine < kSamplesMax) samples[mine].frames = backtrace(samples[mine].at.data(), kFramesMax);
}

void setTimer(suseconds_t microseconds) {
  const itimerval timer = {{0, microseconds}, {0, microseconds}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

enum class Room : uint8_t { NONE, SOURCE, EXCHANGE, OPERATORS, STATE, CHECKPOINT };

struct RoomName {
  std::string_view part;     ///< of a function's name
  Room room;
};
constexpr RoomName kRooms[] = {
    {"snapshotOperators", Room::CHECKPOINT}, {"::JobCheckpoints::", Room::CHECKPOINT}, {"storeSnapshot", Room::CHECKPOINT},
    {"CheckpointWriter", Room::CHECKPOINT}, {"HotKeyedTable", Room::STATE}, {"SlotIndex", Room::STATE}, {"EntryArena", Room::STATE},
    {"KeyArena", Room::STATE}, {"TieredKeyedTable", Room::STATE}, {"RocksColdTier", Room::STATE}, {"rocksdb::", Room::STATE},
    {"JoinRows", Room::STATE}, {"RankRows", Room::STATE}, {"HashWriter", Room::EXCHANGE}, {"EdgeWriter", Room::EXCHANGE},
    {"ChannelSet", Room::EXCHANGE}, {"InputGate", Room::EXCHANGE}, {"BatchCoalescer", Room::EXCHANGE}, {"TaskOutput", Room::EXCHANGE},
    {"Nexmark", Room::SOURCE}, {"FileReader", Room::SOURCE}, {"SplitReader", Room::SOURCE}, {"Decoder", Room::SOURCE},
    {"SourceHead::poll", Room::SOURCE}, {"ExprProgram", Room::OPERATORS}, {"AggregateSet", Room::OPERATORS},
    {"Operator", Room::OPERATORS}, {"ChainLink", Room::OPERATORS}, {"Sink", Room::OPERATORS}, {"Calc", Room::OPERATORS},
};

Room roomOf(std::string_view function) {
  for (const RoomName& known : kRooms) {
    if (function.find(known.part) != std::string_view::npos) return known.room;
  }
  return Room::NONE;
}

/// The program's functions by address.
class Symbols {
 public:
  Result<Symbols*> read() {
    FILE* pipe = popen("nm -C -n --defined-only /proc/$PPID/exe 2>/dev/null", "r");
    if (pipe == nullptr) return Status::notSupported("'nm' cannot be run");
    std::vector<char> line(1 << 16);
    while (fgets(line.data(), static_cast<int>(line.size()), pipe) != nullptr) {
      char* end = nullptr;
      const uint64_t address = std::strtoull(line.data(), &end, 16);
      if (end == line.data() || end[0] != ' ' || end[1] == '\0' || std::strchr("tTwWuU", end[1]) == nullptr) continue;
      functions_.push_back({address, roomOf(end + 2)});
    }
    pclose(pipe);
    if (functions_.empty()) return Status::notSupported("'nm' finds no symbols in this program");
    dl_iterate_phdr([](dl_phdr_info* info, size_t, void* base) {
      *static_cast<uint64_t*>(base) = info->dlpi_addr;       // the first is the program itself
      return 1;
    }, &base_);
    return this;
  }

  Room room(void* at) {
    const uint64_t address = reinterpret_cast<uint64_t>(at) - base_;
    auto after = std::upper_bound(functions_.begin(), functions_.end(), address, [](uint64_t a, const Function& b) { return a < b.address; });
    return after == functions_.begin() || after == functions_.end() ? Room::NONE : std::prev(after)->room;
  }

 private:
  struct Function {
    uint64_t address;
    Room room;
  };
  std::vector<Function> functions_;
  uint64_t base_ = 0;
};

Room roomOf(const Sample& sample, Symbols& symbols) {
  Room innermost = Room::NONE;
  for (int i = 0; i < sample.frames; ++i) {
    const Room room = symbols.room(sample.at[static_cast<size_t>(i)]);
    if (room == Room::CHECKPOINT) return room;
    if (innermost == Room::NONE) innermost = room;
  }
  return innermost;
}

}  // namespace

void startCpuSamples() {
  samples = std::make_unique<Sample[]>(kSamplesMax);
  taken = 0;
  void* warm[1];
  (void)backtrace(warm, 1);                   // loads what it needs now, not in the handler
  struct sigaction action = {};
  action.sa_handler = onProfilingSignal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  setTimer(1000);
}

Result<CpuSplit> stopCpuSamples() {
  setTimer(0);
  Symbols symbols;
  RETURN_IF_ERROR(symbols.read().status());
  CpuSplit split;
  split.samples = std::min(taken.load(), kSamplesMax);
  for (size_t i = 0; i < split.samples; ++i) {
    switch (roomOf(samples[i], symbols)) {
      case Room::SOURCE: split.source += 1; break;
      case Room::EXCHANGE: split.exchange += 1; break;
      case Room::OPERATORS: split.operators += 1; break;
      case Room::STATE: split.state += 1; break;
      case Room::CHECKPOINT: split.checkpoint += 1; break;
      case Room::NONE: split.other += 1; break;
    }
  }
  for (double* share : {&split.source, &split.exchange, &split.operators, &split.state, &split.checkpoint, &split.other}) {
    if (split.samples > 0) *share /= static_cast<double>(split.samples);
  }
  return split;
}

}  // namespace thalweg::bench
