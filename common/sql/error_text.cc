#include "common/sql/error_text.h"

#include <algorithm>
#include <vector>

namespace thalweg::sql {
namespace {

constexpr std::size_t kShownBefore = 60;  // code points before the spot
constexpr std::size_t kShownMax = 120;
constexpr std::size_t kMessagePointsMax = 1000;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The bytes from `lead` to the next one that begins a code point, if they are as many as `lead` announces.
bool isWhole(std::string_view point) {
  const auto lead = static_cast<unsigned char>(point[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  return point.size() == length;
}

/// The text's code points, each as its bytes; blanks of any kind as one space, so that carets stand right, and what a
/// terminal would obey or could not show as a replacement character.
std::vector<std::string_view> splitCodePoints(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
    const std::string_view point = text.substr(at, end - at);
    const auto lead = static_cast<unsigned char>(point[0]);
    const bool blank = lead == '\t' || lead == '\r';
    out.push_back(blank ? std::string_view(" ") : (lead < 0x20 && lead != '\n') || lead == 0x7F || !isWhole(point) ? kReplacement : point);
    at = end;
  }
  return out;
}

std::string shownMessage(const std::string& message) {
  const std::vector<std::string_view> points = splitCodePoints(message);
  std::string out;
  for (std::size_t i = 0; i < std::min(points.size(), kMessagePointsMax); ++i) out += points[i];
  if (points.size() > kMessagePointsMax) out += ".. (" + std::to_string(points.size() - kMessagePointsMax) + " more characters)";
  return out;
}

/// Line number `number`, from 1; false if there are fewer.
bool findLine(std::string_view text, int number, std::string_view& line) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
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
  if (!position.known()) return out + ": " + shownMessage(status.message());
  out += " at line " + std::to_string(position.line) + ", column " + std::to_string(position.column) + ": " +
         shownMessage(status.message());
  std::string_view line;
  if (!findLine(text, position.line, line)) return out;
  const std::string drawing = drawSpot(line, position);
  return drawing.empty() ? out : out + "\n" + drawing;
}

Status placedInScript(const Status& status, const SourcePosition& statement) {
  if (status.isOk() || !statement.known()) return status;
  SourcePosition position = status.position();
  if (!position.known()) {
    if (statement.line == 1) return status;
    return {status.code(), status.message() + " (in the statement at line " + std::to_string(statement.line) + ")"};
  }
  if (position.line == 1) position.column += statement.column - 1;
  if (position.end_line == 1) position.end_column += statement.column - 1;
  position.line += statement.line - 1;
  if (position.end_line > 0) position.end_line += statement.line - 1;
  return {status.code(), status.message(), position};
}

}  // namespace thalweg::sql
