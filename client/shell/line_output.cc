#include "client/shell/line_output.h"

namespace thalweg::shell {
namespace {

constexpr size_t kWaitingMax = size_t{64} << 10;

}  // namespace

bool LineOutput::Lines::write(size_t bytes) {
  const bool taken = bytes == 0 || std::fwrite(waiting_.data(), 1, bytes, file_) == bytes;
  waiting_.erase(0, bytes);
  return taken;
}

/// Those that are complete, if it is time.
bool LineOutput::Lines::writeLines() {
  if (!terminal_ && waiting_.size() < kWaitingMax) return true;
  const size_t end = waiting_.rfind('\n');
  return end == std::string::npos || write(end + 1);
}

LineOutput::Lines::int_type LineOutput::Lines::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  waiting_ += traits_type::to_char_type(character);
  return writeLines() ? character : traits_type::eof();
}

std::streamsize LineOutput::Lines::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<size_t>(size));
  return writeLines() ? size : 0;
}

int LineOutput::Lines::sync() { return write(waiting_.size()) && std::fflush(file_) == 0 ? 0 : -1; }

}  // namespace thalweg::shell
