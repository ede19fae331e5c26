#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>

#include "client/api/thalweg/source_function.h"

namespace thalweg::api {
namespace {

/// −1 and the reason if nobody listens there.
int connectTo(const std::string& host, int port, std::string& reason) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int failed = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); failed != 0) {
    reason = ::gai_strerror(failed);
    return -1;
  }
  int connected = -1;
  for (const addrinfo* at = found; at != nullptr && connected < 0; at = at->ai_next) {
    const int made = ::socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC, at->ai_protocol);
    if (made < 0) continue;
    if (::connect(made, at->ai_addr, at->ai_addrlen) == 0) connected = made;
    else {
      reason = std::strerror(errno);
      ::close(made);
    }
  }
  ::freeaddrinfo(found);
  return connected;
}

}  // namespace

SocketTextStreamFunction::SocketTextStreamFunction(std::string host, int port, std::string delimiter, int64_t retry_seconds)
    : host_(std::move(host)), port_(port), delimiter_(std::move(delimiter)), retry_seconds_(retry_seconds) {
  if (port < 1 || port > 65535) throw ValidationException("socketTextStream() needs a port within 1 and 65535, not " + std::to_string(port));
  if (delimiter_.empty()) throw ValidationException("socketTextStream() needs a delimiter of at least one character");
}

SocketTextStreamFunction::SocketTextStreamFunction(const SocketTextStreamFunction& other)
    : host_(other.host_), port_(other.port_), delimiter_(other.delimiter_), retry_seconds_(other.retry_seconds_) {}

void SocketTextStreamFunction::run(SourceContext<std::string>& context) {
  std::string reason;
  int connected = connectTo(host_, port_, reason);
  for (int64_t second = 0; connected < 0 && second < retry_seconds_ && !cancelled_; ++second) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    connected = connectTo(host_, port_, reason);
  }
  if (connected < 0) {
    if (cancelled_) return;
    throw ValidationException("cannot connect to " + host_ + ":" + std::to_string(port_) + ": " + reason + "; start the server first");
  }
  socket_ = connected;
  std::string text;
  char buffer[8192];
  while (!cancelled_) {
    const ssize_t got = ::recv(connected, buffer, sizeof(buffer), 0);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
    size_t begin = 0;
    for (size_t end = text.find(delimiter_); end != std::string::npos; end = text.find(delimiter_, begin)) {
      std::string piece = text.substr(begin, end - begin);
      if (delimiter_ == "\n" && !piece.empty() && piece.back() == '\r') piece.pop_back();
      context.collect(std::move(piece));
      begin = end + delimiter_.size();
    }
    text.erase(0, begin);
  }
  socket_ = -1;
  ::close(connected);
  if (!text.empty() && !cancelled_) context.collect(std::move(text));
}

void SocketTextStreamFunction::cancel() {
  cancelled_ = true;
  if (const int open = socket_.load(); open >= 0) ::shutdown(open, SHUT_RDWR);
}

}  // namespace thalweg::api
