// RestApi: answers HTTP requests with what the cluster is doing, under Flink's paths and in Flink's JSON. It only reads.
//
//   HttpServer::start(options, [api = RestApi(source)](const HttpRequest& request) { return api.answer(request); });
//
// Paths may begin with `/v1`. Errors are `{"errors": […]}` with 404, 405 or 400. docs/reference/rest.md lists all paths.
// Threads: any.
#pragma once

#include "coordinator/http/http_server.h"
#include "coordinator/http/rest_source.h"

namespace thalweg::coordinator {

class RestApi {
 public:
  explicit RestApi(RestSource source) : source_(std::move(source)) {}
  HttpAnswer answer(const HttpRequest& request) const;

 private:
  HttpAnswer answerJob(const std::vector<std::string>& parts, const HttpRequest& request) const;
  HttpAnswer answerVertex(const v1::JobInfo& job, const std::vector<std::string>& parts) const;
  HttpAnswer answerWorkers(const std::vector<std::string>& parts) const;

  RestSource source_;
};

}  // namespace thalweg::coordinator
