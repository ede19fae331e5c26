// Rows given in a query. They become columns once; poll() hands out slices. The one split is the next row's number.
#include "common/columnar/builder.h"
#include "worker/connectors/connector_registry.h"
#include "worker/connectors/split_list.h"

namespace thalweg::worker {
namespace {

class ValuesReader : public SourceReader {
 public:
  ValuesReader(const ValuesSpec& spec, const Schema& output) : rows_(spec.rows.size()) {
    std::vector<Value> values(rows_);
    for (size_t column = 0; column < output.size(); ++column) {
      for (size_t row = 0; row < rows_; ++row) values[row] = spec.rows[row][column];
      columns_.push_back(makeVector(output.type(column), values));
    }
  }

  Status open(OperatorContext&) override { return {}; }

  Status addSplit(std::string split) override {
    ASSIGN_OR_RETURN(const int64_t next, decodeNumber(split, "row"));
    if (next < 0) return Status::internal("expected a row number in a split of VALUES, found " + split);
    next_ = static_cast<size_t>(next);
    reading_ = true;
    return {};
  }

  Result<PollResult> poll(size_t rows_wanted, Output& output) override {
    if (!reading_) return PollResult::NEED_SPLIT;
    if (next_ >= rows_) {
      reading_ = false;
      return PollResult::NEED_SPLIT;
    }
    const size_t rows = std::min(rows_wanted, rows_ - next_);
    RETURN_IF_ERROR(output.emit(Batch(rows_, columns_).slice(next_, rows)));
    next_ += rows;
    return PollResult::MORE;
  }

  Status snapshotSplits(std::vector<std::string>& splits) override {
    if (reading_) splits.push_back(std::to_string(next_));
    return {};
  }

 private:
  size_t rows_;
  std::vector<VectorPtr> columns_;
  size_t next_ = 0;
  bool reading_ = false;
};

}  // namespace

std::unique_ptr<SourceReader> makeValuesReader(const ValuesSpec& spec, const Schema& output) {
  return std::make_unique<ValuesReader>(spec, output);
}

std::unique_ptr<SplitEnumerator> makeValuesEnumerator(const ValuesSpec&) {
  return std::make_unique<SplitList>(std::vector<std::string>{"0"});
}

}  // namespace thalweg::worker
