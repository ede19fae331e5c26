#include "client/cli/state_verbs.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "client/embedded/state_listing.h"

namespace thalweg::client {

StateVerbs::StateVerbs(CLI::App& app) {
  CLI::App* state = app.add_subcommand("state", "look into checkpoints and savepoints");
  state->require_subcommand(1);
  info_ = state->add_subcommand("info", "operators, tables, keys and sizes");
  info_->add_option("path", path_, "the folder of a checkpoint or savepoint")->required();
  read_ = state->add_subcommand("read", "the entries of an operator's keyed state, keys and payloads as hexadecimal bytes");
  read_->add_option("path", path_, "the folder of a checkpoint or savepoint")->required();
  read_->add_option("--operator", operator_, "its uid, or a part of its name")->required();
  read_->add_option("--format", format_, "csv or json")->check(CLI::IsMember({"csv", "json"}));
}

int StateVerbs::run() const {
  if (!*info_ && !*read_) return -1;
  const Status status = *info_ ? writeStateInfo(localFileSystem(), path_, std::cout)
                               : writeStateEntries(localFileSystem(), path_, operator_, format_ == "json" ? StateFormat::JSON : StateFormat::CSV, std::cout);
  if (status.isOk()) return 0;
  std::cerr << "thalweg state: " << status.message() << '\n';
  return 1;
}

}  // namespace thalweg::client
