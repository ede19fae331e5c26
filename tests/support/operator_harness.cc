// A run is: the steps cut anew into deliveries (one way per variant), then a driver that plays them to one operator
// instance after another. The cutting goes through single events (a row, or a mark), so that all variants see the
// same events in the same order and differ only in what travels together.
#include "tests/support/operator_harness.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "common/columnar/builder.h"

namespace thalweg::testing {

namespace {

// ---- messages ----

void appendText(std::string& out, const Value& value);

void appendList(std::string& out, const std::vector<Value>& values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) out += ", ";
    appendText(out, values[i]);
  }
}

std::string decimalText(int128 value) {
  if (value == 0) return "0";
  std::string digits;
  for (int128 rest = value; rest != 0; rest /= 10) digits += static_cast<char>('0' + (rest < 0 ? -(rest % 10) : rest % 10));
  if (value < 0) digits += '-';
  return {digits.rbegin(), digits.rend()};
}

struct TextOf {
  std::string& out;
  void operator()(std::monostate) const { out += "null"; }
  void operator()(bool value) const { out += value ? "true" : "false"; }
  void operator()(int64_t value) const { out += std::to_string(value); }
  void operator()(int128 value) const { out += decimalText(value); }
  void operator()(double value) const {
    char text[32];
    out.append(text, std::to_chars(text, text + sizeof(text), value).ptr);
  }
  void operator()(const std::string& value) const { out += value; }
  void operator()(const TimestampValue& value) const {
    out += std::to_string(value.millis);
    if (value.nanos == 0) return;
    const std::string nanos = std::to_string(value.nanos);
    out += '.' + std::string(6 - nanos.size(), '0') + nanos;
  }
  void operator()(const ListValue& value) const {
    out += '[';
    appendList(out, *value);
    out += ']';
  }
  void operator()(const MapValue& value) const {
    out += '{';
    for (size_t i = 0; i < value->size(); ++i) {
      if (i > 0) out += ", ";
      appendText(out, (*value)[i].first);
      out += '=';
      appendText(out, (*value)[i].second);
    }
    out += '}';
  }
  void operator()(const RowValue& value) const {
    out += '(';
    appendList(out, *value.fields);
    out += ')';
  }
};

void appendText(std::string& out, const Value& value) { std::visit(TextOf{out}, value.content()); }

std::string rowMessage(const Batch& batch, size_t row) {
  std::string out(rowKindText(batch.rowKind(row)));
  out += '[';
  for (size_t i = 0; i < batch.columnCount(); ++i) {
    if (i > 0) out += ", ";
    appendText(out, batch.column(i)->valueAt(row));
  }
  return out + ']';
}

std::string markMessage(EventTime watermark) { return "watermark " + std::to_string(watermark); }
bool isMark(const std::string& message) { return message.starts_with("watermark "); }

/// Of marks in a row the last only; rows between marks sorted if their order does not count.
std::vector<std::string> normalized(const std::vector<std::string>& messages, bool ordered) {
  std::vector<std::string> result;
  for (const std::string& message : messages) {
    if (isMark(message) && !result.empty() && isMark(result.back())) result.pop_back();
    result.push_back(message);
  }
  if (ordered) return result;
  for (auto begin = result.begin(); begin != result.end();) {
    const auto end = std::find_if(begin, result.end(), isMark);
    std::sort(begin, end);
    begin = end == result.end() ? end : end + 1;
  }
  return result;
}

// ---- variants ----

enum class Cut : uint8_t { AS_GIVEN, ALL_AT_ONCE, ONE_ROW, MARKS_ALONE, MARKS_AT_END, MARKS_AT_START };

struct Variant {
  const char* name;
  Cut cut;
  bool full_every_other_call;
  bool restore_after_every_step;
};

constexpr Variant kVariants[] = {
    {"as given", Cut::AS_GIVEN, false, false},
    {"all at once", Cut::ALL_AT_ONCE, false, false},
    {"one row a batch", Cut::ONE_ROW, false, false},
    {"marks in batches of their own", Cut::MARKS_ALONE, false, false},
    {"marks at the end of batches", Cut::MARKS_AT_END, false, false},
    {"marks at the start of batches", Cut::MARKS_AT_START, false, false},
    {"as given, output full every other call", Cut::AS_GIVEN, true, false},
    {"all at once, output full every other call", Cut::ALL_AT_ONCE, true, false},
    {"as given, restored after every step", Cut::AS_GIVEN, false, true},
    {"one row a batch, restored after every step", Cut::ONE_ROW, false, true},
    {"marks in batches of their own, restored after every step, output full every other call", Cut::MARKS_ALONE, true, true},
};

/// The pieces of a batch between its marks, and the marks, each as a batch.
std::vector<Batch> piecesOf(const Batch& batch) {
  std::vector<Batch> pieces;
  (void)forEachPiece(
      batch,
      [&](const Batch& rows) {
        if (rows.rows() > 0) pieces.push_back(rows.withoutMarks());
        return Status();
      },
      [&](EventTime watermark) {
        pieces.push_back(Batch::watermark(watermark));
        return Status();
      });
  return pieces;
}

Batch withMark(const Batch& rows, size_t offset, EventTime value) {
  return rows.withMarks({WatermarkMark{static_cast<RowIndex>(offset), value}});
}

/// Cuts one step in single rows, or at its marks.
void cutStep(const HarnessStep& step, Cut cut, std::vector<HarnessStep>& out) {
  bool waits = false;                 // the next rows are to begin with the mark `waiting`
  EventTime waiting = kMinWatermark;
  for (const Batch& piece : piecesOf(step.batch)) {
    const bool is_mark = piece.rows() == 0;
    if (cut == Cut::ONE_ROW && !is_mark) {
      for (size_t row = 0; row < piece.rows(); ++row) out.push_back(batchStep(piece.slice(row, 1), step.input));
    } else if (cut == Cut::MARKS_AT_END && is_mark && !out.empty() && out.back().input == step.input &&
               out.back().advance_ms == 0 && !out.back().batch.hasMarks()) {
      out.back().batch = withMark(out.back().batch, out.back().batch.rows(), piece.marks()[0].value);
    } else if (cut == Cut::MARKS_AT_START && is_mark) {
      if (waits) out.push_back(watermarkStep(waiting, step.input));
      waits = true;
      waiting = piece.marks()[0].value;
    } else if (waits) {
      out.push_back(batchStep(withMark(piece, 0, waiting), step.input));
      waits = false;
    } else {
      out.push_back(batchStep(piece, step.input));
    }
  }
  if (waits) out.push_back(watermarkStep(waiting, step.input));
}

std::vector<HarnessStep> cutSteps(const std::vector<HarnessStep>& steps, Cut cut) {
  if (cut == Cut::AS_GIVEN) return steps;
  std::vector<HarnessStep> result;
  for (const HarnessStep& step : steps) {
    const bool joins = cut == Cut::ALL_AT_ONCE && !result.empty() && result.back().advance_ms == 0 && step.advance_ms == 0 &&
                       result.back().input == step.input;
    if (joins && result.back().batch.rows() > 0 && step.batch.rows() > 0) {
      result.back().batch = concatBatches(std::vector<Batch>{result.back().batch, step.batch});
    } else if (joins && result.back().batch.rows() > 0) {
      const auto before = result.back().batch.marks();
      std::vector<WatermarkMark> marks(before.begin(), before.end());
      for (const WatermarkMark& mark : step.batch.marks()) {
        marks.push_back({static_cast<RowIndex>(result.back().batch.rows()), mark.value});
      }
      result.back().batch = result.back().batch.withMarks(std::move(marks));
    } else if (step.advance_ms != 0 || cut == Cut::ALL_AT_ONCE) {
      result.push_back(step);
    } else {
      cutStep(step, cut, result);
    }
  }
  return result;
}

// ---- the driver ----

class HarnessOutput final : public CollectingOutput {
 public:
  explicit HarnessOutput(bool alternates) : alternates_(alternates) {}
  bool isFull() const override {
    if (alternates_) answer_ = !answer_;
    return answer_;
  }

 private:
  bool alternates_;
  mutable bool answer_ = false;
};

[[noreturn]] void fail(const std::string& what) { throw std::runtime_error("operator harness: " + what); }

class Run {
 public:
  Run(const HarnessSpec& spec, const Variant& variant)
      : spec_(spec), variant_(variant), output_(variant.full_every_other_call), now_ms_(spec.start_ms),
        watermarks_(static_cast<size_t>(spec.inputs), kMinWatermark), ended_(static_cast<size_t>(spec.inputs), false) {}

  Status play() {
    Status status = playAll();
    if (operator_) {
      operator_->close();
      context_->state.clear();
    }
    return status;
  }
  std::vector<std::string> messages() const { return output_.messages(); }

 private:
  Status start(const std::string& own_state, const worker::KeyedSnapshot& keyed_state) {
    context_ = std::make_unique<TestOperatorContext>(now_ms_);
    context_->settings = spec_.configuration;
    context_->batch_mode = spec_.batch_mode;
    context_->eval.batch_mode = spec_.batch_mode;
    context_->eval.current_watermark = combined_;
    context_->restored_bytes = own_state;
    RETURN_IF_ERROR(context_->state.restore({&keyed_state, 1}));
    ASSIGN_OR_RETURN(operator_, spec_.make());
    return operator_->open(*context_);
  }

  Status playAll() {
    RETURN_IF_ERROR(start({}, {}));
    std::vector<HarnessStep> steps = cutSteps(spec_.steps, variant_.cut);
    while (!steps.empty()) {
      auto next = steps.begin();
      const int preferred = operator_->preferredInput();
      if (preferred >= 0 && !ended_[static_cast<size_t>(preferred)]) {
        next = std::find_if(steps.begin(), steps.end(), [&](const HarnessStep& step) { return step.advance_ms == 0 && step.input == preferred; });
        if (next == steps.end()) {
          RETURN_IF_ERROR(end(preferred));
          continue;
        }
      }
      const HarnessStep step = *next;
      steps.erase(next);
      RETURN_IF_ERROR(step.advance_ms != 0 ? advance(step.advance_ms) : deliver(step.input, step.batch));
      if (variant_.restore_after_every_step && spec_.restores) RETURN_IF_ERROR(restart());
    }
    for (int input = 0; input < spec_.inputs; ++input) {
      const int preferred = operator_->preferredInput();
      if (preferred >= 0) RETURN_IF_ERROR(end(preferred));
      if (input + 1 < spec_.inputs) RETURN_IF_ERROR(end(input));
    }
    RETURN_IF_ERROR(end(spec_.inputs - 1));
    for (int input = 0; input < spec_.inputs; ++input) RETURN_IF_ERROR(end(input));
    return settle(operator_->finish(output_));
  }

  /// The +inf mark and the end of an input, if it has not ended.
  Status end(int input) {
    if (ended_[static_cast<size_t>(input)]) return {};
    RETURN_IF_ERROR(deliver(input, Batch::watermark(kMaxWatermark)));
    ended_[static_cast<size_t>(input)] = true;
    return settle(operator_->endInput(input, output_));
  }

  Status deliver(int input, const Batch& batch) {
    std::vector<WatermarkMark> marks;
    for (const WatermarkMark& mark : batch.marks()) {
      EventTime& known = watermarks_[static_cast<size_t>(input)];
      known = std::max(known, mark.value);
      const EventTime combined = *std::min_element(watermarks_.begin(), watermarks_.end());
      if (combined > combined_) marks.push_back({mark.offset, combined_ = combined});
    }
    if (batch.rows() == 0 && marks.empty()) return {};
    RETURN_IF_ERROR(settle(operator_->process(input, batch.withMarks(std::move(marks)), output_)));
    context_->eval.current_watermark = combined_;
    return {};
  }

  Status advance(int64_t by_ms) {
    context_->clock.advanceMillis(by_ms);
    now_ms_ = context_->clock.nowMillis();
    for (int fired = 0; context_->wakeup && *context_->wakeup <= now_ms_; ++fired) {
      if (fired > 1000) fail("the operator asks for wake-ups in the past for ever");
      context_->wakeup.reset();
      RETURN_IF_ERROR(settle(operator_->onWakeup(now_ms_, output_)));
    }
    return {};
  }

  /// Resumes until the call that gave `progress` is done.
  Status settle(Result<Progress> progress) {
    for (int64_t resumed = 0; progress.isOk() && *progress == Progress::MORE; ++resumed) {
      if (resumed > 10'000'000) fail("resume() returns MORE for ever");
      progress = operator_->resume(output_);
    }
    return progress.status();
  }

  Status restart() {
    RETURN_IF_ERROR(settle(operator_->prepareSnapshot(output_)));
    std::string own_state;
    RETURN_IF_ERROR(operator_->snapshot(own_state));
    ASSIGN_OR_RETURN(const worker::KeyedSnapshot keyed_state, context_->state.snapshot());
    operator_->close();
    context_->state.clear();
    operator_.reset();
    return start(own_state, keyed_state);
  }

  const HarnessSpec& spec_;
  const Variant& variant_;
  HarnessOutput output_;
  int64_t now_ms_;
  std::vector<EventTime> watermarks_;
  std::vector<bool> ended_;
  EventTime combined_ = kMinWatermark;
  std::unique_ptr<TestOperatorContext> context_;
  std::unique_ptr<Operator> operator_;
};

/// Checks the marks and takes the final one off.
std::vector<std::string> checked(const HarnessSpec& spec, const Variant& variant, std::vector<std::string> messages) {
  EventTime last = kMinWatermark;
  for (const std::string& message : messages) {
    if (!isMark(message)) continue;
    const EventTime watermark = std::stoll(message.substr(std::string("watermark ").size()));
    if (watermark <= last) fail(std::string(variant.name) + ": marks do not ascend: " + std::to_string(last) + ", then " + std::to_string(watermark));
    last = watermark;
  }
  if (last == kMaxWatermark) {
    std::erase(messages, markMessage(kMaxWatermark));
  } else if (spec.forwards_watermarks) {
    fail(std::string(variant.name) + ": the watermark at the end of input was not forwarded");
  }
  return normalized(messages, spec.ordered);
}

std::vector<std::string> runVariant(const HarnessSpec& spec, const Variant& variant) {
  Run run(spec, variant);
  const Status status = run.play();
  if (!status.isOk()) return {"error: " + status.message()};
  return checked(spec, variant, run.messages());
}

std::string describeDifference(const std::vector<std::string>& expected, const std::vector<std::string>& found) {
  const size_t at = static_cast<size_t>(std::mismatch(expected.begin(), expected.end(), found.begin(), found.end()).first - expected.begin());
  const auto message = [&](const std::vector<std::string>& list) { return at < list.size() ? "'" + list[at] + "'" : std::string("nothing"); };
  std::string all;
  for (const std::string& line : found) all += "\n  " + line;
  return "message " + std::to_string(at) + " is " + message(found) + " and not " + message(expected) + "; all messages:" + all;
}

}  // namespace

std::vector<HarnessStep> interleave(const std::vector<std::vector<Batch>>& inputs) {
  std::vector<HarnessStep> steps;
  for (size_t round = 0, more = 1; more > 0; ++round) {
    more = 0;
    for (size_t input = 0; input < inputs.size(); ++input) {
      if (round >= inputs[input].size()) continue;
      steps.push_back(batchStep(inputs[input][round], static_cast<int>(input)));
      ++more;
    }
  }
  return steps;
}

std::vector<std::string> runOperator(const HarnessSpec& spec) {
  const std::vector<std::string> expected = runVariant(spec, kVariants[0]);
  for (const Variant& variant : kVariants) {
    if (variant.restore_after_every_step && !spec.restores) continue;
    const std::vector<std::string> found = runVariant(spec, variant);
    if (found != expected) fail("run '" + std::string(variant.name) + "': " + describeDifference(expected, found));
  }
  return expected;
}

std::vector<std::string> messagesOf(const Batch& batch) {
  std::vector<std::string> messages;
  size_t row = 0;
  for (const WatermarkMark& mark : batch.marks()) {
    for (; row < mark.offset; ++row) messages.push_back(rowMessage(batch, row));
    messages.push_back(markMessage(mark.value));
  }
  for (; row < batch.rows(); ++row) messages.push_back(rowMessage(batch, row));
  return messages;
}

Batch batchOf(const std::vector<DataType>& types, const std::vector<std::vector<Value>>& rows, const std::vector<RowKind>& kinds) {
  std::vector<VectorPtr> columns;
  for (size_t column = 0; column < types.size(); ++column) {
    std::vector<Value> values;
    for (const std::vector<Value>& row : rows) values.push_back(row.at(column));
    columns.push_back(makeVector(types[column], values));
  }
  const Batch batch(rows.size(), std::move(columns));
  return kinds.empty() ? batch : batch.withRowKinds(makeRowKinds(kinds));
}

TestOperatorContext::TestOperatorContext(int64_t start_ms)
    : clock(start_ms), state({.now_ms = [this] { return clock.nowMillis(); }}) {
  eval.session_zone = &zone;
  eval.query_start_ms = start_ms;
  eval.now_ms = [this] { return clock.nowMillis(); };
  eval.random = [this] { return random.nextBits(); };
}

std::vector<std::string> CollectingOutput::messages() const {
  std::vector<std::string> messages;
  for (const Batch& batch : batches) {
    for (std::string& message : messagesOf(batch)) messages.push_back(std::move(message));
  }
  return messages;
}

}  // namespace thalweg::testing
