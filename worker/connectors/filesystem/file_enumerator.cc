#include "worker/connectors/filesystem/file_enumerator.h"

#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "common/config/config_value.h"
#include "common/plan/catalog/option_spec.h"
#include "worker/connectors/filesystem/file_listing.h"
#include "worker/connectors/filesystem/file_split.h"
#include "worker/connectors/filesystem/path_filter.h"
#include "worker/connectors/split_list.h"

namespace thalweg::worker {
namespace {

class FileEnumerator : public SplitEnumerator {
 public:
  FileEnumerator(const SourceSpec& spec, std::string root, PathFilter filter, int64_t monitor_ms, int parallelism, FileSystem& files)
      : root_(std::move(root)),
        filter_(std::move(filter)),
        partition_keys_(spec.partition_keys),
        traits_(formatTraits(optionValue(spec.options, "format"), spec.options)),
        monitor_ms_(monitor_ms),
        parallelism_(parallelism),
        files_(files) {
    const std::string pattern = optionValue(spec.options, "source.path.regex-pattern");
    if (!pattern.empty()) pattern_ = std::make_unique<RE2>(pattern, RE2::Quiet);
  }

  Status check() const {
    if (pattern_ == nullptr || pattern_->ok()) return {};
    return Status::plan("option 'source.path.regex-pattern' is no regular expression: " + pattern_->error());
  }

  Result<Next> next(int, int) override {
    if (waiting_.empty() && (!listed_ || monitor_ms_ > 0)) RETURN_IF_ERROR(list());
    if (!waiting_.empty()) {
      std::string split = std::move(waiting_.front());
      waiting_.pop_front();
      return Next{Availability::SPLIT, std::move(split), 0};
    }
    if (monitor_ms_ > 0) return Next{Availability::LATER, {}, monitor_ms_};
    return Next{Availability::FINISHED};
  }

  void giveBack(std::string split) override { waiting_.push_front(std::move(split)); }

  Status snapshot(std::string& out) override {
    const std::vector<std::string> waiting(waiting_.begin(), waiting_.end());
    const std::vector<std::string> seen(seen_.begin(), seen_.end());
    out += encodeFields({listed_ ? "1" : "0", encodeFields(waiting), encodeFields(seen)});
    return {};
  }

  Status restore(const std::string& bytes) override {
    ASSIGN_OR_RETURN(const auto fields, decodeFields(bytes, 3, "state of a file source"));
    ASSIGN_OR_RETURN(const auto waiting, decodeFields(fields[1]));
    ASSIGN_OR_RETURN(const auto seen, decodeFields(fields[2]));
    listed_ = fields[0] == "1";
    waiting_.assign(waiting.begin(), waiting.end());
    seen_ = {seen.begin(), seen.end()};
    return {};
  }

 private:
  Status list() {
    ASSIGN_OR_RETURN(const auto found, listTableFiles(files_, root_, [this](const std::string& folder) { return filter_.admitsFolder(folder); }));
    listed_ = true;
    for (const FileInfo& file : found) {
      if (pattern_ && !RE2::FullMatch(file.path, *pattern_)) continue;
      // A file is judged once, by what it is when it is found: later its size may be another.
      if (!isInPartition(file.path) || !seen_.insert(file.path).second) continue;
      ASSIGN_OR_RETURN(const bool is_wanted, filter_.admitsFile(file));
      if (!is_wanted) continue;
      ASSIGN_OR_RETURN(const auto splits, splitsOfFile(files_, file, traits_, parallelism_));
      for (const FileSplit& split : splits) waiting_.push_back(split.encode());
    }
    return {};
  }

  bool isInPartition(const std::string& path) const {
    if (partition_keys_.empty()) return true;
    const auto values = partitionValuesOf(root_, path);
    return std::all_of(partition_keys_.begin(), partition_keys_.end(), [&](const std::string& key) { return values.contains(key); });
  }

  std::string root_;
  PathFilter filter_;
  std::vector<std::string> partition_keys_;
  FormatTraits traits_;
  int64_t monitor_ms_;
  int parallelism_;
  FileSystem& files_;
  std::unique_ptr<RE2> pattern_;
  bool listed_ = false;
  std::deque<std::string> waiting_;
  std::set<std::string> seen_;
};

}  // namespace

Result<std::unique_ptr<SplitEnumerator>> makeFileEnumerator(const SourceSpec& spec, int parallelism, const ConnectorEnvironment& environment) {
  ASSIGN_OR_RETURN(std::string root, pathOfUrl(optionValue(spec.options, "path")));
  int64_t monitor_ms = 0;
  if (const std::string text = optionValue(spec.options, "source.monitor-interval"); !text.empty()) {
    ASSIGN_OR_RETURN(const auto interval, parseConfigDuration(text));
    monitor_ms = std::max<int64_t>(1, std::chrono::duration_cast<std::chrono::milliseconds>(interval).count());
  }
  ASSIGN_OR_RETURN(PathFilter filter, PathFilter::of(spec, root));
  auto enumerator = std::make_unique<FileEnumerator>(spec, std::move(root), std::move(filter), monitor_ms, parallelism, *environment.files);
  RETURN_IF_ERROR(enumerator->check());
  return std::unique_ptr<SplitEnumerator>(std::move(enumerator));
}

}  // namespace thalweg::worker
