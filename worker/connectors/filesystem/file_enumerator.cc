#include "worker/connectors/filesystem/file_enumerator.h"

#include <re2/re2.h>

#include "common/config/config_value.h"
#include "common/plan/option_spec.h"
#include "worker/connectors/filesystem/file_listing.h"

namespace thalweg::worker {
namespace {

class FileEnumerator : public SplitEnumerator {
 public:
  FileEnumerator(std::string root, std::string pattern, int64_t monitor_ms, FileSystem& files)
      : root_(std::move(root)), pattern_(std::move(pattern)), monitor_ms_(monitor_ms), files_(files) {}

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
    ASSIGN_OR_RETURN(const auto found, listTableFiles(files_, root_));
    listed_ = true;
    for (const FileInfo& file : found) {
      if (!pattern_.empty() && !RE2::FullMatch(file.path, pattern_)) continue;
      if (!seen_.insert(file.path).second) continue;
      waiting_.push_back(FileSplit{file.path, 0, file.size_bytes, file.modified_ms}.encode());
    }
    return {};
  }

  std::string root_;
  std::string pattern_;
  int64_t monitor_ms_;
  FileSystem& files_;
  bool listed_ = false;
  std::deque<std::string> waiting_;
  std::set<std::string> seen_;
};

}  // namespace

std::string FileSplit::encode() const {
  return encodeFields({path, std::to_string(offset), std::to_string(size_bytes), std::to_string(modified_ms)});
}

Result<FileSplit> FileSplit::decode(std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto fields, decodeFields(bytes, 4, "file split"));
  FileSplit split{fields[0]};
  ASSIGN_OR_RETURN(split.offset, decodeNumber(fields[1], "file split"));
  ASSIGN_OR_RETURN(split.size_bytes, decodeNumber(fields[2], "file split"));
  ASSIGN_OR_RETURN(split.modified_ms, decodeNumber(fields[3], "file split"));
  return split;
}

Result<std::unique_ptr<SplitEnumerator>> makeFileEnumerator(const SourceSpec& spec, int, const ConnectorEnvironment& environment) {
  ASSIGN_OR_RETURN(std::string root, pathOfUrl(optionValue(spec.options, "path")));
  int64_t monitor_ms = 0;
  if (const std::string text = optionValue(spec.options, "source.monitor-interval"); !text.empty()) {
    ASSIGN_OR_RETURN(const auto interval, parseConfigDuration(text));
    monitor_ms = std::chrono::duration_cast<std::chrono::milliseconds>(interval).count();
  }
  return std::unique_ptr<SplitEnumerator>(std::make_unique<FileEnumerator>(
      std::move(root), optionValue(spec.options, "source.path.regex-pattern"), monitor_ms, *environment.files));
}

}  // namespace thalweg::worker
