#include "client/remote/run_verb.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "client/remote/cluster_client.h"
#include "client/remote/program_upload.h"
#include "common/config/configuration.h"
#include "common/rpc/program_start.h"
#include "common/time/clock.h"

namespace thalweg::client {
namespace {

constexpr size_t kVariableBytesMax = 128000;         // the kernel's limit for one variable is a little more

Result<std::map<std::string, std::string>> settingsOf(const RunOptions& options) {
  Configuration configuration;
  for (const std::string& pair : options.settings) RETURN_IF_ERROR(configuration.setPair(pair));
  if (options.parallelism < 0) return Status::invalid("the parallelism must be at least 1, not " + std::to_string(options.parallelism));
  if (options.parallelism > 0) RETURN_IF_ERROR(configuration.set("parallelism.default", std::to_string(options.parallelism)));
  if (!options.savepoint.empty()) RETURN_IF_ERROR(configuration.set("execution.state-recovery.path", pathFromHere(options.savepoint)));
  if (options.allow_non_restored_state) RETURN_IF_ERROR(configuration.set("execution.state-recovery.ignore-unclaimed-state", "true"));
  std::map<std::string, std::string> settings;
  for (const auto& [key, value] : configuration.entries()) settings[key] = value;
  return settings;
}

Result<std::map<std::string, std::string>> environmentOf(const RunOptions& options) {
  std::map<std::string, std::string> variables;
  for (const std::string& given : options.environment) {
    const size_t equals = given.find('=');
    const std::string name = given.substr(0, equals);
    const char* mine = std::getenv(name.c_str());
    if (name.empty()) return Status::invalid("expected --env NAME or --env NAME=VALUE, found '" + given + "'");
    if (equals == std::string::npos && mine == nullptr) return Status::invalid("--env " + name + ": there is no such variable here");
    variables[name] = equals == std::string::npos ? mine : given.substr(equals + 1);
  }
  return variables;
}

void showProgress(uint64_t bytes, uint64_t size) {
  if (isatty(STDERR_FILENO) == 0) return;
  std::cerr << "\ruploading: " << bytes * 100 / size << " % of " << (size >> 20) << " MB" << (bytes == size ? "\n" : "") << std::flush;
}

Result<ProgramStart> prepare(const RunOptions& options) {
  ProgramStart start;
  start.mode = ProgramStart::Mode::SUBMIT;
  start.detached = options.detached;
  ASSIGN_OR_RETURN(start.coordinator, addressOf(options.target));
  ASSIGN_OR_RETURN(start.security, securityOf(options.target));
  ASSIGN_OR_RETURN(const auto settings, settingsOf(options));
  ASSIGN_OR_RETURN(const auto environment, environmentOf(options));
  ASSIGN_OR_RETURN(const auto channel, RpcChannel::connect({.address = start.coordinator, .security = start.security}));
  ASSIGN_OR_RETURN(start.program, uploadProgram(*channel, options.command[0], showProgress));
  start.program.arguments.assign(options.command.begin() + 1, options.command.end());
  start.program.settings = settings;
  start.program.environment = environment;
  start.plan_time_ms = SystemClock().nowMillis();
  return start;
}

}  // namespace

int runProgram(const RunOptions& options) {
  if (options.command.empty()) {
    std::cerr << "thalweg run: expected a program, and its arguments behind it\n";
    return 2;
  }
  const Result<ProgramStart> start = prepare(options);
  if (!start.isOk()) {
    std::cerr << "thalweg run: " << start.status().message() << '\n';
    return start.status().code() == StatusCode::IO_ERROR ? 1 : 2;
  }
  const std::string variable = start->encode();
  if (variable.size() > kVariableBytesMax) {
    std::cerr << "thalweg run: the program's arguments, settings and variables are too long; give it a file instead\n";
    return 2;
  }
  for (const auto& [name, value] : start->program.environment) setenv(name.c_str(), value.c_str(), 1);
  setenv(ProgramStart::kVariable, variable.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : options.command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  std::cerr << "thalweg run: cannot start " << options.command[0] << ": " << std::strerror(errno) << '\n';
  return 1;
}

}  // namespace thalweg::client
