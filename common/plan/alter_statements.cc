// ALTER.
#include "common/plan/statement_binder.h"

namespace thalweg {

Result<BoundStatement> alterStatement(SessionCatalog&, const BindEnvironment&, const sql::AlterStatement& alter) {
  return Status::notSupported("ALTER is not built yet", alter.position);
}

}  // namespace thalweg
