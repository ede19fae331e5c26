// Column rules of a sink: NOT NULL and the lengths of CHAR, VARCHAR, BINARY and VARBINARY, checked before the writer
// sees a row, whatever the connector.
//
// A NULL in a NOT NULL column fails the job or drops the row silently (table.exec.sink.not-null-enforcer); a value of
// another length passes, is cut and padded, or fails the job (table.exec.sink.type-length-enforcer). Nested values are
// not looked into, as in Flink.
#pragma once

#include <memory>

#include "common/plan/operator_spec.h"
#include "common/runtime_api/sink.h"

namespace thalweg::worker {

/// `writer` behind the rules of `spec`; `writer` itself if there are none.
std::unique_ptr<SinkWriter> enforceColumnRules(const SinkSpec& spec, std::unique_ptr<SinkWriter> writer);

}  // namespace thalweg::worker
