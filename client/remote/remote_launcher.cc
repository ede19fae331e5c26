#include "client/remote/remote_launcher.h"

#include "client/embedded/graph_identity.h"
#include "client/remote/remote_job.h"
#include "common/rpc/job_messages.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::client {
namespace {

/// Below what a message may have.
constexpr size_t kSubmitBytesMax = size_t{60} << 20;

}  // namespace

Result<std::shared_ptr<RemoteLauncher>> RemoteLauncher::connect(const std::string& address, const RpcSecurity& security) {
  ASSIGN_OR_RETURN(std::shared_ptr<RpcChannel> channel, RpcChannel::connect({.address = address, .security = security}));
  return std::shared_ptr<RemoteLauncher>(new RemoteLauncher(std::move(channel)));
}

Result<std::shared_ptr<JobHandle>> RemoteLauncher::launch(const JobGraph& graph, const FrozenScript& script) {
  v1::RunRequest request;
  v1::Submit& submit = *request.mutable_submit();
  rpc::setScript(*submit.mutable_script(), script);
  const GraphIdentity identity = identityOf(graph);
  submit.set_fingerprint(identity.fingerprint);
  submit.set_graph_text(identity.text);
  std::vector<DataType> types;
  const Schema rows = graph.tasks.back().outputSchema();
  for (const Column& column : rows.columns()) types.push_back(column.type);
  std::string bytes = request.SerializeAsString();
  if (bytes.size() > kSubmitBytesMax) {
    return Status::exhausted("the job's script and plan have " + std::to_string(bytes.size()) + " bytes, with the constants in them; the limit is " +
                             std::to_string(kSubmitBytesMax));
  }
  return RemoteJob::submit(channel_, bytes, std::move(types));
}

}  // namespace thalweg::client
