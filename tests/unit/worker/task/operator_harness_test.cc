#include "tests/support/operator_harness.h"

#include <stdexcept>

#include "tests/unit/worker/task/fake_operators.h"

#include <catch2/catch.hpp>

namespace thalweg::worker {

using testing::advanceStep;
using testing::batchStep;
using testing::HarnessSpec;
using testing::runOperator;
using testing::watermarkStep;
using Messages = std::vector<std::string>;

namespace {

template <typename T, typename... Arguments>
HarnessSpec specOf(Arguments... arguments) {
  HarnessSpec spec;
  spec.make = [=]() -> Result<std::unique_ptr<Operator>> { return std::make_unique<T>(arguments...); };
  return spec;
}

Batch marked(const std::vector<Pair>& pairs, std::vector<WatermarkMark> marks) { return pairBatch(pairs).withMarks(std::move(marks)); }

/// Requires that the harness finds a fault, and that its description names it.
void requireFault(const HarnessSpec& spec, const std::string& part) {
  try {
    runOperator(spec);
  } catch (const std::runtime_error& error) {
    INFO(error.what());
    REQUIRE(std::string(error.what()).find(part) != std::string::npos);
    return;
  }
  FAIL("the harness found no fault");
}

/// Counts its batches: different for every cut.
class CountBatchesOperator : public PassOperator {
 public:
  Result<Progress> process(int, const Batch& batch, Output& output) override {
    if (batch.rows() > 0) ++batches_;
    RETURN_IF_ERROR(output.emit(pairBatch({{batches_, 0}}).withMarks({batch.marks().begin(), batch.marks().end()})));
    return Progress::DONE;
  }

 private:
  int32_t batches_ = 0;
};

/// Sums all numbers, and forgets the sum on restore.
class ForgetfulOperator : public PieceOperator {
 public:
  Status open(OperatorContext&) override { return {}; }

 protected:
  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    std::vector<Pair> sums;
    for (const Pair& pair : pairsOf(piece)) sums.push_back({0, sum_ += pair.number});
    RETURN_IF_ERROR(output.emit(pairBatch(sums)));
    return Progress::DONE;
  }

 private:
  int64_t sum_ = 0;
};

class SwallowMarksOperator : public PassOperator {
 public:
  Result<Progress> process(int, const Batch& batch, Output& output) override {
    RETURN_IF_ERROR(output.emit(batch.withoutMarks()));
    return Progress::DONE;
  }
};

/// Drops what it was about to emit when the output is full.
class LossyOperator : public PassOperator {
 public:
  Result<Progress> process(int, const Batch& batch, Output& output) override {
    if (output.isFull() && batch.rows() > 0) return Progress::MORE;
    RETURN_IF_ERROR(output.emit(batch));
    return Progress::DONE;
  }
};

/// Two inputs; rows get their input as key. Prefers input 1 if told so.
class UnionOperator : public PassOperator {
 public:
  explicit UnionOperator(bool prefers) : prefers_(prefers) {}
  Result<Progress> process(int input, const Batch& batch, Output& output) override {
    std::vector<Pair> pairs = pairsOf(batch);
    for (Pair& pair : pairs) pair.key = input;
    RETURN_IF_ERROR(output.emit(pairBatch(pairs).withMarks({batch.marks().begin(), batch.marks().end()})));
    return Progress::DONE;
  }
  Result<Progress> endInput(int input, Output& output) override {
    RETURN_IF_ERROR(output.emit(pairBatch({{input, -1}})));
    return Progress::DONE;
  }
  int preferredInput() const override { return prefers_ ? 1 : -1; }

 private:
  bool prefers_;
};

/// Holds a row back until 10 ms have passed.
class DelayOperator : public PieceOperator {
 public:
  Status open(OperatorContext& context) override {
    context_ = &context;
    return {};
  }
  Result<Progress> onWakeup(int64_t now_ms, Output& output) override {
    RETURN_IF_ERROR(output.emit(pairBatch({{static_cast<int32_t>(now_ms), held_}})));
    return Progress::DONE;
  }

 protected:
  Result<Progress> processRows(int, const Batch& piece, Output&) override {
    held_ = pairsOf(piece).back().number;
    context_->requestWakeup(context_->nowMillis() + 10);
    return Progress::DONE;
  }

 private:
  OperatorContext* context_ = nullptr;
  int64_t held_ = 0;
};

}  // namespace

TEST_CASE("the harness gives the messages of an operator that does everything right") {
  HarnessSpec sum = specOf<SumOperator>();
  sum.steps = {batchStep(marked({{1, 10}, {2, 5}, {1, 1}}, {{1, 3}, {3, 8}})), watermarkStep(9), batchStep(pairBatch({{2, 7}, {2, 1}}))};
  REQUIRE(runOperator(sum) == Messages{"+I[1, 10]", "watermark 3", "+I[2, 5]", "-U[1, 10]", "+U[1, 11]", "watermark 9",
                                       "-U[2, 5]", "+U[2, 12]", "-U[2, 12]", "+U[2, 13]"});

  HarnessSpec sort = specOf<SortByNumberOperator>(size_t{2});
  sort.steps = {batchStep(pairBatch({{1, 10}, {2, 5}, {3, 7}, {4, 1}})), watermarkStep(7), batchStep(pairBatch({{5, 6}}))};
  REQUIRE(runOperator(sort) == Messages{"+I[4, 1]", "+I[2, 5]", "+I[3, 7]", "watermark 7", "+I[5, 6]", "+I[1, 10]"});
}

TEST_CASE("the harness combines watermarks of several inputs and honours the preferred one") {
  HarnessSpec spec = specOf<UnionOperator>(false);
  spec.inputs = 2;
  spec.steps = {batchStep(marked({{0, 1}}, {{1, 10}})), batchStep(marked({{0, 2}}, {{1, 5}}), 1), batchStep(marked({{0, 3}}, {{0, 20}}))};
  REQUIRE(runOperator(spec) == Messages{"+I[0, 1]", "+I[1, 2]", "watermark 5", "+I[0, 3]", "+I[0, -1]", "+I[1, -1]"});

  spec.make = specOf<UnionOperator>(true).make;
  REQUIRE(runOperator(spec) == Messages{"+I[1, 2]", "+I[1, -1]", "+I[0, 1]", "watermark 20", "+I[0, 3]", "+I[0, -1]"});
}

TEST_CASE("the harness moves time and fires wake-ups") {
  HarnessSpec spec = specOf<DelayOperator>();
  spec.restores = false;
  spec.steps = {batchStep(pairBatch({{1, 42}})), advanceStep(9), advanceStep(1), advanceStep(100)};
  REQUIRE(runOperator(spec) == Messages{"+I[10, 42]"});
}

TEST_CASE("the harness finds operators that break the contract") {
  const std::vector<testing::HarnessStep> steps = {batchStep(marked({{1, 1}, {2, 2}}, {{1, 5}})), batchStep(pairBatch({{3, 3}}))};
  HarnessSpec spec = specOf<CountBatchesOperator>();
  spec.steps = steps;
  requireFault(spec, "run 'all at once'");
  spec = specOf<ForgetfulOperator>();
  spec.steps = steps;
  requireFault(spec, "run 'as given, restored after every step'");
  spec.restores = false;
  REQUIRE(runOperator(spec).size() == 4);
  spec = specOf<SwallowMarksOperator>();
  spec.steps = steps;
  requireFault(spec, "was not forwarded");
  spec = specOf<LossyOperator>();
  spec.steps = steps;
  requireFault(spec, "output full every other call");
}

TEST_CASE("an operator that fails alike in every run gives its error") {
  class FailingOperator : public PassOperator {
   public:
    Result<Progress> process(int, const Batch& batch, Output& output) override {
      for (const Pair& pair : pairsOf(batch)) {
        if (pair.number == 0) return Status::runtime("division by zero");
      }
      RETURN_IF_ERROR(output.emit(batch));
      return Progress::DONE;
    }
  };
  HarnessSpec spec = specOf<FailingOperator>();
  spec.steps = {batchStep(pairBatch({{1, 1}, {2, 0}, {3, 3}}))};
  REQUIRE(runOperator(spec) == Messages{"error: division by zero"});
}

TEST_CASE("messages show every kind of value") {
  const Batch batch = testing::batchOf({DataType::string(), DataType::float64(), DataType::timestamp(9), DataType::array(DataType::integer())},
                                       {{Value::string("a"), Value::floating(1.5), Value::timestamp({5, 1, 0}), Value::list({Value::integer(1), Value::null()})},
                                        {Value::null(), Value::null(), Value::null(), Value::null()}},
                                       {RowKind::INSERT, RowKind::DELETE});
  REQUIRE(testing::messagesOf(batch) == Messages{"+I[a, 1.5, 5.000001, [1, null]]", "-D[null, null, null, null]"});
}

}  // namespace thalweg::worker
