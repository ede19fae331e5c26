#include "client/remote/remote_job.h"

#include "common/columnar/batch_wire.h"
#include "common/rpc/job_messages.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::client {
namespace {

constexpr int64_t kAcceptTimeoutMs = 30000;

}  // namespace

/// What has been heard of the job.
class RemoteJob::Updates final : public RpcHandler {
 public:
  explicit Updates(std::vector<DataType> row_types) : types(std::move(row_types)) {}

  void onMessage(BufferPtr message) override {
    v1::RunUpdate update;
    const bool read = update.ParseFromArray(message->data(), static_cast<int>(message->sizeBytes()));
    Result<Batch> batch = Batch();
    if (read && update.has_result()) {
      const std::string& bytes = update.result().batch();
      batch = decodeBatch(Buffer::copyOf({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}), 0, types);
    }
    const MutexLock lock(mutex);
    if (!read) end(Status::io("an update of the coordinator could not be read"));
    else if (!batch.isOk()) end(batch.status());
    else take(update, *batch);
    changed.notifyAll();
  }

  void onClosed(const Status& closed) override {
    const MutexLock lock(mutex);
    end(closed.isOk() ? Status::io("the coordinator ended the connection before the job's end") : closed);
    changed.notifyAll();
  }

  struct Rows {
    Batch batch;
    int process;
    int attempt;
  };
  const std::vector<DataType> types;
  mutable Mutex mutex;
  Condition changed;
  std::string id GUARDED_BY(mutex);
  std::deque<Rows> rows GUARDED_BY(mutex);
  JobProgress progress GUARDED_BY(mutex);
  std::string waiting_for GUARDED_BY(mutex);
  bool ended GUARDED_BY(mutex) = false;
  Status status GUARDED_BY(mutex);

 private:
  void end(const Status& how) REQUIRES(mutex) {
    if (!ended) status = how;
    ended = true;
  }

  void take(const v1::RunUpdate& update, const Batch& batch) REQUIRES(mutex) {
    switch (update.update_case()) {
      case v1::RunUpdate::kJobId: id = update.job_id(); return;
      case v1::RunUpdate::kState: waiting_for.clear(); return;
      case v1::RunUpdate::kWaitingFor: waiting_for = update.waiting_for(); return;
      case v1::RunUpdate::kResult:
        rows.push_back({batch, update.result().process(), update.result().attempt()});
        return;
      case v1::RunUpdate::kProgress: {
        const v1::Progress& heard = update.progress();
        progress = {heard.rows_read(), heard.rows_written(), heard.late_rows_dropped(), heard.bad_records_skipped(),
                    heard.has_watermark() ? heard.watermark() : kMinWatermark};
        return;
      }
      case v1::RunUpdate::kEnded: return end(rpc::statusOf(update.ended()));
      case v1::RunUpdate::UPDATE_NOT_SET: return;
    }
  }
};

Result<std::shared_ptr<JobHandle>> RemoteJob::submit(std::shared_ptr<RpcChannel> channel, const std::string& request, std::vector<DataType> types) {
  std::shared_ptr<RemoteJob> job(new RemoteJob(std::move(channel)));
  job->updates_ = std::make_shared<Updates>(std::move(types));
  job->stream_ = job->channel_->openStream("/thalweg.v1.Client/Run", job->updates_);
  job->stream_->send(request);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kAcceptTimeoutMs);
  Updates& updates = *job->updates_;
  const MutexLock lock(updates.mutex);
  while (updates.id.empty() && !updates.ended && std::chrono::steady_clock::now() < deadline) {
    updates.changed.waitFor(updates.mutex, std::chrono::milliseconds(100));
  }
  if (updates.id.empty()) return updates.ended ? updates.status : Status::io("the coordinator did not answer within 30 s");
  return std::shared_ptr<JobHandle>(std::move(job));
}

RemoteJob::~RemoteJob() {
  if (stream_) stream_->abort();
}

bool RemoteJob::next(Batch& batch, int64_t timeout_ms) {
  v1::RunRequest credit;
  {
    const MutexLock lock(updates_->mutex);
    if (updates_->rows.empty() && !updates_->ended) updates_->changed.waitFor(updates_->mutex, std::chrono::milliseconds(timeout_ms));
    if (updates_->rows.empty()) return false;
    Updates::Rows& first = updates_->rows.front();
    batch = std::move(first.batch);
    credit.mutable_result_credit()->set_process(first.process);
    credit.mutable_result_credit()->set_attempt(first.attempt);
    updates_->rows.pop_front();
  }
  stream_->send(credit.SerializeAsString());
  return true;
}

bool RemoteJob::isDone() const {
  const MutexLock lock(updates_->mutex);
  return updates_->ended && updates_->rows.empty();
}

Status RemoteJob::wait() {
  const MutexLock lock(updates_->mutex);
  while (!updates_->ended) updates_->changed.wait(updates_->mutex);
  return updates_->status;
}

void RemoteJob::cancel() {
  v1::RunRequest request;
  request.set_cancel(true);
  stream_->send(request.SerializeAsString());
}

JobProgress RemoteJob::progress() const {
  const MutexLock lock(updates_->mutex);
  return updates_->progress;
}

std::string RemoteJob::id() const {
  const MutexLock lock(updates_->mutex);
  return updates_->id;
}

std::string RemoteJob::waitingFor() const {
  const MutexLock lock(updates_->mutex);
  return updates_->waiting_for;
}

}  // namespace thalweg::client
