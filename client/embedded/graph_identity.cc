#include "client/embedded/graph_identity.h"

#include "coordinator/compiler/graph_fingerprint.h"

namespace thalweg::client {

GraphIdentity identityOf(const JobGraph& graph) {
  GraphIdentity identity;
  identity.text = coordinator::canonicalGraphText(graph);
  identity.fingerprint = coordinator::fingerprintOf(identity.text);
  return identity;
}

}  // namespace thalweg::client
