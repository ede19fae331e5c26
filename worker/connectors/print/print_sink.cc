#include "worker/connectors/print/print_sink.h"

#include <cstdio>

#include "common/base/mutex.h"
#include "common/plan/catalog/option_spec.h"
#include "common/types/value_text.h"

namespace thalweg::worker {
namespace {

Mutex& consoleMutex() {
  static Mutex mutex;
  return mutex;
}

class PrintWriter : public SinkWriter {
 public:
  explicit PrintWriter(const SinkSpec& spec)
      : identifier_(optionValue(spec.options, "print-identifier")),
        file_(optionValue(spec.options, "standard-error", "false") == "true" ? stderr : stdout) {
    for (const Column& column : spec.schema.columns()) types_.push_back(column.type);
  }

  Status open(OperatorContext& context) override {
    prefix_ = identifier_;
    if (context.parallelism() > 1) {
      if (!prefix_.empty()) prefix_ += ':';
      prefix_ += std::to_string(context.subtaskIndex() + 1);
    }
    if (!prefix_.empty()) prefix_ += "> ";
    return {};
  }

  Status write(const Batch& batch) override {
    if (batch.rows() == 0) return {};
    std::string lines;
    std::vector<Value> values(types_.size());
    for (size_t row = 0; row < batch.rows(); ++row) {
      for (size_t column = 0; column < types_.size(); ++column) values[column] = batch.column(column)->valueAt(row);
      lines += prefix_;
      lines += rowForm(batch.rowKind(row), values, types_);
      lines += '\n';
    }
    MutexLock lock(consoleMutex());
    if (std::fwrite(lines.data(), 1, lines.size(), file_) != lines.size() || std::fflush(file_) != 0) {
      return Status::io("cannot print rows: standard " + std::string(file_ == stderr ? "error" : "output") +
                        " does not take them");
    }
    return {};
  }

 private:
  std::string identifier_;
  std::FILE* file_;
  std::string prefix_;
  std::vector<DataType> types_;
};

}  // namespace

Result<std::unique_ptr<SinkWriter>> makePrintSink(const SinkSpec& spec, const ConnectorEnvironment&) {
  return std::unique_ptr<SinkWriter>(std::make_unique<PrintWriter>(spec));
}

}  // namespace thalweg::worker
