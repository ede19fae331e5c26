#include "common/rpc/program_start.h"

#include <cstdlib>

#include "common/rpc/job_messages.h"
#include "thalweg/v1/job.pb.h"

namespace thalweg {
namespace {

constexpr const char* kDigits = "0123456789abcdef";

/// A variable may hold no zero byte.
std::string hexOf(const std::string& bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

Result<std::string> bytesOf(const std::string& text) {
  const std::string digits = kDigits;
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    const size_t high = digits.find(text[i]);
    const size_t low = digits.find(text[i + 1]);
    if (high == std::string::npos || low == std::string::npos) break;
    bytes += static_cast<char>(high * 16 + low);
  }
  if (bytes.size() * 2 != text.size()) return Status::invalid(std::string(ProgramStart::kVariable) + " is set by `thalweg run` and by workers, not by hand");
  return bytes;
}

}  // namespace

std::string ProgramStart::encode() const {
  v1::ProgramStart message;
  message.set_task(mode == Mode::TASK);
  message.set_coordinator(coordinator);
  message.set_ca_file(security.ca_file);
  message.set_cert_file(security.cert_file);
  message.set_key_file(security.key_file);
  message.set_token(security.token);
  rpc::setProgram(*message.mutable_program(), program);
  message.set_plan_time_ms(plan_time_ms);
  message.set_detached(detached);
  message.set_worker_id(worker_id);
  message.set_job_id(job_id);
  message.set_attempt(attempt);
  message.set_epoch(epoch);
  message.set_process(process);
  message.set_host(host);
  message.set_slots(slots);
  return hexOf(message.SerializeAsString());
}

Result<ProgramStart> ProgramStart::decode(const std::string& text) {
  ASSIGN_OR_RETURN(const std::string bytes, bytesOf(text));
  v1::ProgramStart message;
  if (!message.ParseFromString(bytes)) return Status::invalid(std::string(kVariable) + " is set by `thalweg run` and by workers, not by hand");
  ProgramStart start;
  start.mode = message.task() ? Mode::TASK : Mode::SUBMIT;
  start.coordinator = message.coordinator();
  start.security = {message.ca_file(), message.cert_file(), message.key_file(), message.token()};
  start.program = rpc::programOf(message.program());
  start.plan_time_ms = message.plan_time_ms();
  start.detached = message.detached();
  start.worker_id = message.worker_id();
  start.job_id = message.job_id();
  start.attempt = message.attempt();
  start.epoch = message.epoch();
  start.process = message.process();
  start.host = message.host();
  start.slots = message.slots();
  return start;
}

Result<ProgramStart> ProgramStart::take() {
  const char* given = std::getenv(kVariable);
  if (given == nullptr || *given == 0) return ProgramStart();
  const std::string text = given;
  unsetenv(kVariable);
  return decode(text);
}

}  // namespace thalweg
