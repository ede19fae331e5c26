// The `print` connector: every row as a line in row form, `+I[1, abc]`, on standard output or standard error.
//
// With `print-identifier` and with several subtasks, `identifier:2> ` or `2> ` stands in front. A batch's lines are
// written together, so that lines of several subtasks do not mix.
#pragma once

#include <memory>

#include "worker/connectors/connector_registry.h"

namespace thalweg::worker {

Result<std::unique_ptr<SinkWriter>> makePrintSink(const SinkSpec& spec, const ConnectorEnvironment& environment);

}  // namespace thalweg::worker
