#include "common/sql/error_text.h"

#include <algorithm>
#include <vector>

namespace thalweg::sql {
namespace {

constexpr std::size_t kShownBefore = 60;  // code points before the spot
constexpr std::size_t kShownMax = 120;

/// The line's code points, each as its bytes; blanks of any kind as one space, so that carets stand right.
std::vector<std::string_view> splitCodePoints(std::string_view line) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at + 1;
    while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) ++end;
    const bool blank = line[at] == '\t' || line[at] == '\r';
    out.push_back(blank ? std::string_view(" ") : line.substr(at, end - at));
    at = end;
  }
  return out;
}

/// Line number `number`, from 1; false if there are fewer.
bool findLine(std::string_view text, int number, std::string_view& line) {
  for (int i = 1; i < number; ++i) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  line = text.substr(0, text.find('\n'));
  return true;
}

std::string drawSpot(std::string_view line, const SourcePosition& position) {
  const std::vector<std::string_view> points = splitCodePoints(line);
  const auto column = static_cast<std::size_t>(std::max(position.column, 1)) - 1;
  if (column > points.size()) return {};
  const bool one_line = position.end_line == position.line && position.end_column >= position.column;
  std::size_t end = one_line ? static_cast<std::size_t>(position.end_column) : column + 1;
  if (position.end_line > position.line) end = points.size();
  end = std::clamp(end, column + 1, std::max(points.size(), column + 1));

  const std::size_t first = column > kShownBefore ? column - kShownBefore : 0;
  const std::size_t last = std::min(points.size(), first + kShownMax);
  std::string text = first > 0 ? "  .." : "  ";
  const std::size_t indent = text.size();
  for (std::size_t i = first; i < last; ++i) text += points[i];
  if (last < points.size()) text += "..";
  const std::size_t shown_end = std::max(std::min(end, last), column + 1);
  return text + "\n" + std::string(indent + column - first, ' ') + std::string(shown_end - column, '^');
}

}  // namespace

std::string renderError(std::string_view text, const Status& status) {
  std::string out(statusCodeName(status.code()));
  const SourcePosition position = status.position();
  if (!position.known()) return out + ": " + status.message();
  out += " at line " + std::to_string(position.line) + ", column " + std::to_string(position.column) + ": " +
         status.message();
  std::string_view line;
  if (!findLine(text, position.line, line)) return out;
  const std::string drawing = drawSpot(line, position);
  return drawing.empty() ? out : out + "\n" + drawing;
}

}  // namespace thalweg::sql
