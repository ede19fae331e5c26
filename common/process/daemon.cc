#include "common/process/daemon.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

#include "common/base/printable_text.h"

namespace thalweg {
namespace {

sigset_t terminationSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

constexpr std::streamoff kTailBytesMax = 64 << 10;

}  // namespace

void blockTermination() {
  const sigset_t signals = terminationSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  signal(SIGPIPE, SIG_IGN);
}

int waitForTermination() {
  const sigset_t signals = terminationSignals();
  int signal = 0;
  sigwait(&signals, &signal);
  return signal;
}

void requestTermination() { ::kill(getpid(), SIGTERM); }

std::string lastLines(const std::string& path, size_t lines_max) {
  std::ifstream stream(path, std::ios::binary | std::ios::ate);
  if (!stream) return {};
  const std::streamoff size = stream.tellg();
  stream.seekg(size > kTailBytesMax ? size - kTailBytesMax : 0);
  std::ostringstream content;
  content << stream.rdbuf();
  const std::string text = content.str();
  size_t begin = text.size();
  for (size_t lines = 0; begin > 0; --begin) {
    if (text[begin - 1] == '\n' && begin != text.size() && ++lines == lines_max) break;
  }
  return printableText(std::string_view(text).substr(begin));
}

Status writeWhole(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".new";
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return Status::io("cannot write " + temporary + ": " + std::strerror(errno));
  size_t written = 0;
  while (written < content.size()) {
    const ssize_t bytes = write(file, content.data() + written, content.size() - written);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) break;
    written += static_cast<size_t>(bytes);
  }
  const bool well = written == content.size() && fsync(file) == 0;
  const int error = errno;
  close(file);
  if (!well) return Status::io("cannot write " + temporary + ": " + std::strerror(error));
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return Status::io("cannot replace " + path + ": " + std::strerror(errno));
  return {};
}

Result<std::string> readWhole(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) return Status::io("cannot read " + path);
  return text.str();
}

size_t residentBytes() { return residentBytesOf(getpid()); }

size_t residentBytesOf(int pid) {
  std::ifstream stream("/proc/" + std::to_string(pid) + "/statm");
  size_t total = 0;
  size_t resident = 0;
  stream >> total >> resident;
  return resident * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

std::string randomHex(size_t bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string raw(bytes, '\0');
  size_t have = 0;
  while (have < bytes) {
    const ssize_t got = getrandom(raw.data() + have, bytes - have, 0);
    if (got > 0) have += static_cast<size_t>(got);
  }
  std::string text;
  for (const char byte : raw) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return text;
}

}  // namespace thalweg
