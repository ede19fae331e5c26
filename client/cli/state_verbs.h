// `thalweg state info` and `thalweg state read`.
//
// Lifetime: the verbs keep references to the options, so the object lives as long as the app.
#pragma once

#include <string>

#include "common/base/status.h"

namespace CLI {
class App;
}

namespace thalweg::client {

class StateVerbs {
 public:
  explicit StateVerbs(CLI::App& app);
  /// The exit code of the verb that was chosen, or -1.
  int run() const;

 private:
  Status write() const;

  CLI::App* info_;
  CLI::App* read_;
  std::string path_;
  std::string operator_;
  std::string table_;
  std::string script_;
  std::string format_ = "csv";
};

}  // namespace thalweg::client
