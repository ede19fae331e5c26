// Operators that plans may ask for and that this engine does not have yet: each answers by name.

#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

Result<std::unique_ptr<Operator>> notBuilt(const char* what) { return Status::notSupported(std::string(what) + " is not supported yet"); }

}  // namespace

Result<std::unique_ptr<Operator>> makeChangelogNormalize(const ChangelogNormalizeSpec&, const PlanNode&) { return notBuilt("changelog normalisation"); }

}  // namespace thalweg::worker
