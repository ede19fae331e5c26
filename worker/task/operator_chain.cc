#include "worker/task/operator_chain.h"

#include <algorithm>

#include "common/base/check.h"

namespace thalweg::worker {

ChainLink::ChainLink(std::unique_ptr<Operator> op, std::unique_ptr<TaskContext> context, Output& next, size_t batch_rows_max)
    : context_(std::move(context)), operator_(std::move(op)), output_(next, context_->metrics(), batch_rows_max) {}

Status ChainLink::accept(Element element) {
  if (hasWork()) {
    pending_.push_back(std::move(element));
    return {};
  }
  if (element.is_status) return output_.markIdle(element.idle);
  return process(0, std::move(element.batch));
}

Status ChainLink::process(int input, Batch batch) {
  DCHECK(!busy_);
  context_->metrics().rows_in += batch.rows();
  if (batch.hasMarks()) next_watermark_ = batch.marks().back().value;
  const OperatorMark mark(context_->operatorName().c_str());
  return settle(operator_->process(input, batch, output_));
}

Status ChainLink::settle(Result<Progress> progress) {
  if (!progress.isOk()) return progress.status();
  busy_ = *progress == Progress::MORE;
  if (!busy_) {
    context_->metrics().watermark = next_watermark_;
    context_->evalContext().current_watermark = next_watermark_;
  }
  return {};
}

void ChainLink::restoreWatermark(EventTime watermark) {
  next_watermark_ = watermark;
  context_->metrics().watermark = watermark;
  context_->evalContext().current_watermark = watermark;
}

Status ChainLink::advance() {
  if (busy_) {
    const OperatorMark mark(context_->operatorName().c_str());
    return settle(operator_->resume(output_));
  }
  Element element = std::move(pending_.front());
  pending_.pop_front();
  if (element.is_status) return output_.markIdle(element.idle);
  return process(0, std::move(element.batch));
}

OperatorChain::OperatorChain(std::vector<std::unique_ptr<ChainLink>> links, Output& tail, int inputs)
    : links_(std::move(links)), tail_(tail), inputs_left_(inputs) {}

Status OperatorChain::open() {
  // The last first, so that an operator may emit as soon as it is open.
  for (; opened_links_ < links_.size();) {
    ChainLink& link = *links_[links_.size() - ++opened_links_];
    const OperatorMark mark(link.context().operatorName().c_str());
    RETURN_IF_ERROR(link.op().open(link.context()));
  }
  return {};
}

void OperatorChain::endInput(int input) {
  CHECK(inputs_left_ > 0);
  --inputs_left_;
  if (links_.empty()) return;
  steps_.push_back({Step::Kind::END_INPUT, 0, input});
  if (inputs_left_ > 0) return;
  for (size_t link = 0; link < links_.size(); ++link) {
    if (link > 0) steps_.push_back({Step::Kind::END_INPUT, link, 0});
    steps_.push_back({Step::Kind::FINISH, link});
  }
}

void OperatorChain::prepareSnapshot() {
  for (size_t link = 0; link < links_.size(); ++link) steps_.push_back({Step::Kind::PREPARE_SNAPSHOT, link});
}

void OperatorChain::fireWakeups(int64_t now_ms) {
  for (size_t link = finished_links_; link < links_.size(); ++link) {
    if (links_[link]->context().takeWakeup(now_ms)) steps_.push_back({Step::Kind::WAKEUP, link});
  }
}

int64_t OperatorChain::wakeupTime() const {
  int64_t earliest = INT64_MAX;
  for (size_t link = finished_links_; link < links_.size(); ++link) earliest = std::min(earliest, links_[link]->context().wakeupTime());
  return earliest;
}

Result<OperatorChain::Work> OperatorChain::work() {
  for (size_t i = links_.size(); i-- > 0;) {
    if (!links_[i]->hasWork()) continue;
    if (links_[i]->outputIsFull()) return Work::BLOCKED;
    RETURN_IF_ERROR(links_[i]->advance());
    return Work::PROGRESS;
  }
  if (steps_.empty()) return Work::IDLE;
  const Step step = steps_.front();
  steps_.pop_front();
  RETURN_IF_ERROR(take(step));
  return Work::PROGRESS;
}

Status OperatorChain::take(const Step& step) {
  ChainLink& link = *links_[step.link];
  switch (step.kind) {
    case Step::Kind::END_INPUT:
      return link.call([&](Operator& op, Output& output) { return op.endInput(step.input, output); });
    case Step::Kind::FINISH:
      ++finished_links_;
      return link.call([](Operator& op, Output& output) { return op.finish(output); });
    case Step::Kind::PREPARE_SNAPSHOT:
      return link.call([](Operator& op, Output& output) { return op.prepareSnapshot(output); });
    case Step::Kind::WAKEUP:
      return link.call([&](Operator& op, Output& output) { return op.onWakeup(link.context().nowMillis(), output); });
  }
  return {};
}

Status OperatorChain::onCheckpointComplete(uint64_t snapshots) {
  for (const auto& link : links_) RETURN_IF_ERROR(link->op().onCheckpointComplete(snapshots));
  return {};
}

Status OperatorChain::relieveState() {
  for (const auto& link : links_) RETURN_IF_ERROR(link->context().keyedState().relieve());
  return {};
}

bool OperatorChain::commitPending() const {
  return std::any_of(links_.begin(), links_.end(), [](const auto& link) { return link->op().commitPending(); });
}

void OperatorChain::close() {
  for (; opened_links_ > 0; --opened_links_) {
    ChainLink& link = *links_[links_.size() - opened_links_];
    link.op().close();
    link.context().keyedState().clear();
  }
}

}  // namespace thalweg::worker
