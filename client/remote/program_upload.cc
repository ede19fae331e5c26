#include "client/remote/program_upload.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common/process/daemon.h"
#include "common/process/program_folder.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::client {
namespace {

constexpr int64_t kPieceTimeoutMs = 30000;

/// Whether the coordinator has the whole program now.
Result<bool> put(RpcChannel& channel, const v1::PutProgramRequest& request) {
  ASSIGN_OR_RETURN(const BufferPtr bytes, channel.call("/thalweg.v1.Client/PutProgram", request.SerializeAsString(), kPieceTimeoutMs));
  v1::PutProgramReply reply;
  if (!reply.ParseFromArray(bytes->data(), static_cast<int>(bytes->sizeBytes()))) return Status::io("the coordinator's answer could not be read");
  return reply.complete();
}

Status checkProgram(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return Status::notFound("there is no program '" + path + "'");
  if (access(path.c_str(), X_OK) != 0) return Status::invalid("'" + path + "' is not executable");
  char magic[4] = {};
  std::ifstream(path, std::ios::binary).read(magic, sizeof(magic));
  if (std::string(magic, sizeof(magic)) != "\x7f" "ELF") return Status::invalid("expected a program on the C++ API, found that '" + path + "' is no executable of this system");
  return {};
}

}  // namespace

Result<ShippedProgram> uploadProgram(RpcChannel& channel, const std::string& path, const std::function<void(uint64_t bytes, uint64_t size)>& progress) {
  RETURN_IF_ERROR(checkProgram(path));
  ShippedProgram program;
  ASSIGN_OR_RETURN(program.digest, digestOfFile(path));
  program.size_bytes = std::filesystem::file_size(path);
  program.name = path;
  v1::PutProgramRequest request;
  request.set_digest(program.digest);
  request.set_size_bytes(program.size_bytes);
  request.set_upload(randomHex(8));
  ASSIGN_OR_RETURN(bool complete, put(channel, request));
  std::ifstream stream(path, std::ios::binary);
  std::string piece(ProgramFolder::kPieceBytes, '\0');
  for (uint64_t offset = 0; !complete && offset < program.size_bytes; offset += request.bytes().size()) {
    stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    if (stream.gcount() <= 0) return Status::io("'" + path + "' became shorter while it was read");
    request.set_offset(offset);
    request.set_bytes(piece.data(), static_cast<size_t>(stream.gcount()));
    ASSIGN_OR_RETURN(complete, put(channel, request));
    progress(offset + request.bytes().size(), program.size_bytes);
  }
  if (!complete) return Status::io("the coordinator did not take the whole of '" + path + "'");
  return program;
}

}  // namespace thalweg::client
