#include "client/api/thalweg/data_generator.h"

namespace thalweg::api {
namespace {

class ShareEnumerator final : public thalweg::SplitEnumerator {
 public:
  explicit ShareEnumerator(int64_t count) : count_(count) {}

  Result<Next> next(int subtask, int parallelism) override {
    if (!back_.empty()) {
      Next next{Availability::SPLIT, std::move(back_.back()), 0};
      back_.pop_back();
      return next;
    }
    if (shares_ == 0) shares_ = parallelism;
    int number = subtask;
    // Restored with another parallelism: shares stay as they were cut, and whoever asks gets what is left of them.
    if (shares_ != parallelism) {
      for (number = 0; given_.contains(number);) ++number;
    }
    if (number >= shares_ || !given_.insert(number).second) return Next{Availability::FINISHED};
    const int64_t share = count_ / shares_;
    const int64_t more = count_ % shares_;
    const int64_t begin = share * number + std::min<int64_t>(number, more);
    const int64_t end = begin + share + (number < more ? 1 : 0);
    if (begin == end) return Next{Availability::FINISHED};
    return Next{Availability::SPLIT, bytesOf(std::tuple(begin, end - 1)), 0};
  }
  void giveBack(std::string split) override { back_.push_back(std::move(split)); }
  Status snapshot(std::string& out) override {
    out += bytesOf(std::tuple(std::vector<int32_t>(given_.begin(), given_.end()), back_, static_cast<int32_t>(shares_)));
    return {};
  }
  Status restore(const std::string& bytes) override {
    return guardedEnumerator([&] {
      auto [given, back, shares] = valueOf<std::tuple<std::vector<int32_t>, std::vector<std::string>, int32_t>>(bytes);
      given_ = {given.begin(), given.end()};
      back_ = std::move(back);
      shares_ = shares;
    });
  }

 private:
  int64_t count_;
  int shares_ = 0;                       // into how many the numbers are cut; 0: not yet
  std::set<int> given_;                  // numbers of shares
  std::vector<std::string> back_;
};

}  // namespace

Status guardedEnumerator(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return Status::runtime(std::string("the split enumerator of a source threw: ") + error.what());
  }
  return {};
}

std::unique_ptr<thalweg::SplitEnumerator> shareEnumerator(int64_t count) { return std::make_unique<ShareEnumerator>(count); }

RateLimiterStrategy RateLimiterStrategy::perSecond(double records) {
  if (records <= 0) throw ValidationException("a rate limit must be above zero records a second, not " + std::to_string(records));
  return {records};
}

void RateLimit::begin(double per_second, int64_t now_ms) {
  per_second_ = per_second;
  begin_ms_ = now_ms;
}

size_t RateLimit::allowed(size_t wanted, int64_t now_ms) const {
  if (per_second_ <= 0) return wanted;
  // The first record is due at once.
  const double due = per_second_ * static_cast<double>(now_ms - begin_ms_) / 1000.0 + 1 - taken_;
  return due < 1 ? 0 : std::min(wanted, static_cast<size_t>(due));
}

int64_t RateLimit::waitMs(int64_t now_ms) const {
  const double due_ms = taken_ * 1000.0 / per_second_;
  return std::max<int64_t>(1, static_cast<int64_t>(due_ms) - (now_ms - begin_ms_) + 1);
}

}  // namespace thalweg::api
