#include "client/cli/state_verbs.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "client/embedded/state_listing.h"
#include "common/process/daemon.h"

namespace thalweg::client {

StateVerbs::StateVerbs(CLI::App& app) {
  CLI::App* state = app.add_subcommand("state", "look into checkpoints and savepoints");
  state->require_subcommand(1);
  info_ = state->add_subcommand("info", "operators, tables, keys and sizes");
  info_->add_option("path", path_, "the folder of a checkpoint or savepoint")->required();
  read_ = state->add_subcommand("read", "the entries of an operator's keyed state, as rows if the job's script is given, else as hexadecimal bytes");
  read_->add_option("path", path_, "the folder of a checkpoint or savepoint")->required();
  read_->add_option("--operator", operator_, "its uid, or a part of its name")->required();
  read_->add_option("--table", table_, "one of its tables");
  read_->add_option("--format", format_, "csv or json")->check(CLI::IsMember({"csv", "json"}));
  for (CLI::App* verb : {info_, read_}) verb->add_option("--sql", script_, "the job's script, which is planned and not run: names and types")->check(CLI::ExistingFile);
}

Status StateVerbs::write() const {
  std::string script;
  if (!script_.empty()) { ASSIGN_OR_RETURN(script, readWhole(script_)); }
  if (*info_) return writeStateInfo(localFileSystem(), path_, script, std::cout);
  const StateRequest request{path_, operator_, table_, script, format_ == "json" ? StateFormat::JSON : StateFormat::CSV};
  return writeStateEntries(localFileSystem(), request, std::cout);
}

int StateVerbs::run() const {
  if (!*info_ && !*read_) return -1;
  const Status status = write();
  if (status.isOk()) return 0;
  std::cerr << "thalweg state: " << status.message() << '\n';
  return 1;
}

}  // namespace thalweg::client
