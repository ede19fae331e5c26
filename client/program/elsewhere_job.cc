#include "client/program/program_parts.h"

namespace thalweg::client {
namespace {

/// Has ended, as far as this process is concerned; what its end or its rows were nobody here knows.
class ElsewhereJob final : public ProgramJob {
 public:
  ElsewhereJob(int execution, bool gives_rows) : execution_(execution), gives_rows_(gives_rows) {}
  bool next(Batch&, int64_t) override { return false; }
  bool isDone() const override { return true; }
  Status wait() override { return gives_rows_ ? unknown("its rows") : Status(); }
  void cancel() override {}
  JobProgress progress() const override { return {}; }
  bool isElsewhere() const override { return true; }
  bool hasEnded() const override { return true; }
  void whenEnded(std::function<void()> then) override { then(); }
  Result<std::string> savepoint(const std::string&) override { return unknown("its savepoint"); }
  Result<std::string> stopWithSavepoint(const std::string&) override { return unknown("its savepoint"); }

 private:
  Status unknown(const std::string& what) const {
    return Status::notSupported("the program uses what came of its execution number " + std::to_string(execution_ + 1) + " (" + what +
                                ") before it defines this job; on a worker that is not known. Print results in the client, or make two programs");
  }
  const int execution_;
  const bool gives_rows_;
};

}  // namespace

std::shared_ptr<ProgramJob> passBy(int execution, bool gives_rows) { return std::make_shared<ElsewhereJob>(execution, gives_rows); }

}  // namespace thalweg::client
