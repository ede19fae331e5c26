#include "worker/host/program_cache.h"

#include "common/log/log.h"
#include "common/process/daemon.h"
#include "thalweg/v1/control.pb.h"

namespace thalweg::worker {
namespace {

constexpr const char* kFetchMethod = "/thalweg.v1.Control/FetchProgram";
constexpr int64_t kPieceTimeoutMs = 30000;
constexpr size_t kProgramsMax = 8;

}  // namespace

void ProgramCache::fetch(const ShippedProgram& program, std::function<void(const Result<std::string>&)> done) {
  loop_.post([this, program, done = std::move(done)] { done(fetchNow(program)); });
}

Result<std::string> ProgramCache::fetchNow(const ShippedProgram& program) {
  const std::string& digest = program.digest;
  if (!programs_.has(digest)) {
    LOG_INFO("worker.host", "fetching a program", {"name", program.name}, {"digest", digest}, {"bytes", program.size_bytes});
    const std::string upload = randomHex(8);
    for (uint64_t offset = 0; offset < program.size_bytes;) {
      v1::FetchProgramRequest request;
      request.set_digest(digest);
      request.set_offset(offset);
      ASSIGN_OR_RETURN(const BufferPtr bytes, channel_.call(kFetchMethod, request.SerializeAsString(), kPieceTimeoutMs));
      v1::FetchProgramReply reply;
      if (!reply.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) return Status::io("a piece of a program could not be read");
      RETURN_IF_ERROR(programs_.append(digest, upload, offset, reply.bytes(), program.size_bytes));
      offset += reply.bytes().size();
    }
    if (!programs_.has(digest)) return Status::invalid("the program " + digest + " has no bytes");
  }
  programs_.touch(digest);
  programs_.removeAllBut({digest}, kProgramsMax);
  return programs_.pathOf(digest);
}

}  // namespace thalweg::worker
