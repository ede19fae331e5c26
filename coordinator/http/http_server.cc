// A connection reads a request, is answered, and reads the next; a deadline stands over each step. All run on one thread.
#include "coordinator/http/http_server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <optional>
#include <thread>

#include "common/log/log.h"

namespace thalweg::coordinator {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using Secure = beast::ssl_stream<beast::tcp_stream>;

constexpr const char* kLog = "coordinator.http";

HttpAnswer errorAnswer(int status, const std::string& message) { return {status, "{\"errors\":[\"" + message + "\"]}"}; }

/// Takes the same time wherever the first difference is.
bool sameToken(std::string_view expected, std::string_view found) {
  unsigned difference = expected.size() == found.size() ? 0 : 1;
  for (size_t i = 0; i < found.size(); ++i) difference |= static_cast<unsigned>(expected[i % expected.size()] ^ found[i]);
  return difference == 0;
}

}  // namespace

struct HttpServer::Impl {
  template <typename Stream>
  class Connection;

  Impl(HttpServerOptions given, Handler given_handler) : options(std::move(given)), handler(std::move(given_handler)) {}

  Status open();
  void accept();
  HttpAnswer answer(const http::request<http::string_body>& request) const;

  const HttpServerOptions options;
  const Handler handler;
  size_t connections = 0;
  std::optional<asio::ssl::context> tls;
  asio::io_context io{1};
  tcp::acceptor acceptor{io};
  std::thread thread;
};

template <typename Stream>
class HttpServer::Impl::Connection : public std::enable_shared_from_this<Connection<Stream>> {
 public:
  template <typename... Arguments>
  explicit Connection(Impl& server, Arguments&&... arguments) : server_(server), stream_(std::forward<Arguments>(arguments)...) {
    ++server_.connections;
  }
  ~Connection() { --server_.connections; }

  void start() {
    setDeadline();
    if constexpr (std::is_same_v<Stream, Secure>) {
      stream_.async_handshake(asio::ssl::stream_base::server, [self = this->shared_from_this()](beast::error_code error) {
        if (!error) self->read();
      });
    } else {
      read();
    }
  }

 private:
  void setDeadline() { beast::get_lowest_layer(stream_).expires_after(std::chrono::milliseconds(server_.options.timeout_ms)); }

  void read() {
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(server_.options.header_bytes_max));
    parser_->body_limit(server_.options.body_bytes_max);
    setDeadline();
    http::async_read(stream_, buffer_, *parser_, [self = this->shared_from_this()](beast::error_code error, size_t) { self->onRead(error); });
  }

  void onRead(beast::error_code error) {
    if (error == http::error::header_limit) return write(errorAnswer(431, "the request's header is too large"), false, 11, false);
    if (error == http::error::body_limit) return write(errorAnswer(413, "the request is too large"), false, 11, false);
    if (error == http::error::end_of_stream || error == beast::error::timeout || error == asio::error::operation_aborted) return end();
    if (error) return error.category() == http::make_error_code(http::error::bad_target).category() ? write(errorAnswer(400, "the request is no HTTP"), false, 11, false) : end();
    const http::request<http::string_body> request = parser_->release();
    write(server_.answer(request), request.keep_alive(), request.version(), request.method() == http::verb::head);
  }

  void write(const HttpAnswer& answer, bool keep, unsigned version, bool head_only) {
    response_ = http::response<http::string_body>(static_cast<http::status>(answer.status), version);
    response_.set(http::field::content_type, answer.content_type);
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.keep_alive(keep);
    if (answer.status == 401) response_.set(http::field::www_authenticate, "Bearer");
    response_.body() = answer.body;
    response_.prepare_payload();
    if (head_only) response_.body().clear();
    setDeadline();
    http::async_write(stream_, response_, [self = this->shared_from_this(), keep](beast::error_code error, size_t) {
      if (error || !keep) self->end();
      else self->read();
    });
  }

  void end() {
    beast::error_code ignored;
    beast::get_lowest_layer(stream_).socket().shutdown(tcp::socket::shutdown_send, ignored);
  }

  Impl& server_;
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

HttpAnswer HttpServer::Impl::answer(const http::request<http::string_body>& request) const {
  const auto parsed = parseTarget(std::string(request.method_string()), std::string(request.target()));
  if (!parsed.isOk()) return errorAnswer(400, parsed.status().message());
  if (!options.security.token.empty() && parsed->path != "/healthz") {
    const std::string shown(request[http::field::authorization]);
    if (!sameToken("Bearer " + options.security.token, shown)) return errorAnswer(401, "expected the cluster's token as 'Authorization: Bearer'");
  }
  return handler(*parsed);
}

Status HttpServer::Impl::open() {
  ASSIGN_OR_RETURN(const HostPort address, HostPort::parse(options.address));
  try {                                             // the wall for what Asio throws
    if (options.security.usesTls()) {
      tls.emplace(asio::ssl::context::tls_server);
      tls->set_options(asio::ssl::context::default_workarounds | asio::ssl::context::no_tlsv1 | asio::ssl::context::no_tlsv1_1);
      tls->use_certificate_chain_file(options.security.cert_file);
      tls->use_private_key_file(options.security.key_file, asio::ssl::context::pem);
    }
    tcp::resolver resolver(io);
    const tcp::endpoint endpoint = resolver.resolve(address.host, std::to_string(address.port))->endpoint();
    acceptor.open(endpoint.protocol());
    acceptor.set_option(asio::socket_base::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen();
  } catch (const std::exception& error) {
    return Status::io("cannot serve HTTP on " + options.address + ": " + error.what());
  }
  return {};
}

void HttpServer::Impl::accept() {
  acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
    if (error == asio::error::operation_aborted) return;
    if (error) LOG_WARN(kLog, "a connection could not be accepted", {"error", error.message()});
    else if (connections >= options.connections_max) LOG_WARN(kLog, "too many connections; one is refused", {"open", static_cast<int64_t>(connections)});
    else if (tls) std::make_shared<Connection<Secure>>(*this, std::move(socket), *tls)->start();
    else std::make_shared<Connection<beast::tcp_stream>>(*this, std::move(socket))->start();
    accept();
  });
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options, Handler handler) {
  auto impl = std::make_shared<Impl>(options, std::move(handler));
  RETURN_IF_ERROR(impl->open());
  impl->accept();
  impl->thread = std::thread([raw = impl.get()] { raw->io.run(); });
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

HttpServer::~HttpServer() {
  impl_->io.stop();
  impl_->thread.join();
}

int HttpServer::port() const { return impl_->acceptor.local_endpoint().port(); }

}  // namespace thalweg::coordinator
