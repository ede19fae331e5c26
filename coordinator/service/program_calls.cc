// Executables of C++ jobs: clients bring them in pieces, workers fetch them so. The folder outlives the coordinator.
#include <set>

#include "coordinator/service/coordinator_office.h"
#include "thalweg/v1/client.pb.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::coordinator {
namespace {

/// Programs of no job that are kept: between upload and submission, and for the next start of the same one.
constexpr size_t kUnusedProgramsMax = 8;

}  // namespace

void Office::answerOfPrograms(const std::string& method, const BufferPtr& bytes, const std::shared_ptr<RpcStream>& stream) {
  disk_events.post([this, puts = method.ends_with("/PutProgram"), bytes, stream] {
    const auto parse = [&](auto& request) { return request.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes())); };
    const auto reply = [&](const auto& message) {
      stream->send(message.SerializeAsString());
      stream->finish();
    };
    if (puts) {
      v1::PutProgramRequest request;
      if (!parse(request)) return stream->finish(Status::invalid("a request could not be read"));
      if (!request.bytes().empty() && !programs.has(request.digest())) {
        const Status status = programs.append(request.digest(), request.upload(), request.offset(), request.bytes(), request.size_bytes());
        if (!status.isOk()) return stream->finish(status);
      }
      v1::PutProgramReply answer;
      answer.set_complete(programs.has(request.digest()));
      programs.touch(request.digest());
      return reply(answer);
    }
    v1::FetchProgramRequest request;
    if (!parse(request)) return stream->finish(Status::invalid("a request could not be read"));
    Result<std::string> piece = programs.read(request.digest(), request.offset());
    if (!piece.isOk()) return stream->finish(piece.status());
    v1::FetchProgramReply answer;
    answer.set_bytes(*std::move(piece));
    reply(answer);
  });
}

void Office::removeOldPrograms() {
  std::set<std::string> used;
  for (const auto& [id, job] : jobs) {
    if (job->program() != nullptr && !job->isOver()) used.insert(job->program()->digest);
  }
  disk_events.post([this, used = std::move(used)] { programs.removeAllBut(used, kUnusedProgramsMax); });
}

}  // namespace thalweg::coordinator
