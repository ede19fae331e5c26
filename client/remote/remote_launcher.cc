#include "client/remote/remote_launcher.h"

#include "client/embedded/graph_identity.h"
#include "client/remote/remote_job.h"
#include "thalweg/v1/client.pb.h"

namespace thalweg::client {

Result<std::shared_ptr<RemoteLauncher>> RemoteLauncher::connect(const std::string& address, const RpcSecurity& security) {
  ASSIGN_OR_RETURN(std::shared_ptr<RpcChannel> channel, RpcChannel::connect({.address = address, .security = security}));
  return std::shared_ptr<RemoteLauncher>(new RemoteLauncher(std::move(channel)));
}

Result<std::shared_ptr<JobHandle>> RemoteLauncher::launch(const JobGraph& graph, const FrozenScript& script) {
  v1::RunRequest request;
  v1::Submit& submit = *request.mutable_submit();
  v1::FrozenScript& message = *submit.mutable_script();
  for (const auto& [key, value] : script.configuration) (*message.mutable_configuration())[key] = value;
  for (const std::string& definition : script.definitions) message.add_definitions(definition);
  message.set_statement(script.statement);
  message.set_plan_time_ms(script.plan_time_ms);
  message.set_random_seed(script.random_seed);
  message.set_working_directory(script.working_directory);
  message.set_name(script.name);
  const GraphIdentity identity = identityOf(graph);
  submit.set_fingerprint(identity.fingerprint);
  submit.set_graph_text(identity.text);
  std::vector<DataType> types;
  const Schema rows = graph.tasks.back().outputSchema();
  for (const Column& column : rows.columns()) types.push_back(column.type);
  return RemoteJob::submit(channel_, request.SerializeAsString(), std::move(types));
}

}  // namespace thalweg::client
