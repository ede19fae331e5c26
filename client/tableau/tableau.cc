#include "client/tableau/tableau.h"

#include <algorithm>

#include "common/types/value_text.h"

namespace thalweg::client {
namespace {

constexpr std::string_view kNull = "<NULL>";

/// Code points that take two columns on a terminal: East Asian wide and full-width ranges.
bool isWide(uint32_t c) {
  return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF);
}

/// Bytes of the code point at `at`, and its value.
size_t decode(std::string_view text, size_t at, uint32_t& point) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length && at + i < text.size(); ++i) point = point << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3F);
  return std::min(length, text.size() - at);
}

size_t displayWidth(std::string_view text) {
  size_t width = 0;
  uint32_t point = 0;
  for (size_t at = 0; at < text.size();) {
    at += decode(text, at, point);
    width += isWide(point) ? 2 : 1;
  }
  return width;
}

/// `text` within `width` columns, right-aligned.
std::string fitted(std::string_view text, size_t width) {
  std::string shown;
  size_t used = displayWidth(text);
  if (used <= width) return std::string(width - used, ' ') + std::string(text);
  used = 0;
  uint32_t point = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t length = decode(text, at, point);
    const size_t columns = isWide(point) ? 2 : 1;
    if (used + columns + 3 > width) break;
    shown += text.substr(at, length);
    used += columns;
    at += length;
  }
  shown += "...";
  return std::string(width > used + 3 ? width - used - 3 : 0, ' ') + shown;
}

/// Control characters would break the frame.
std::string printable(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

size_t fraction(int precision) { return precision == 0 ? 0 : static_cast<size_t>(precision) + 1; }

size_t widthOfType(const DataType& type, size_t column_width_max) {
  size_t width = column_width_max;
  switch (type.kind()) {
    case TypeKind::BOOLEAN: width = 5; break;
    case TypeKind::TINYINT: width = 4; break;
    case TypeKind::SMALLINT: width = 6; break;
    case TypeKind::INTEGER: width = 11; break;
    case TypeKind::BIGINT: width = 20; break;
    case TypeKind::DECIMAL: width = static_cast<size_t>(type.precision()) + 2; break;
    case TypeKind::DATE: width = 10; break;
    case TypeKind::TIME: width = 8 + fraction(type.precision()); break;
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: width = 19 + fraction(type.precision()); break;
    default: break;
  }
  return std::max(width, kNull.size());
}

}  // namespace

Tableau::Tableau(const Schema& schema, bool with_op, size_t column_width_max) : column_width_max_(column_width_max) {
  if (with_op) {
    names_.push_back("op");
    widths_.push_back(2);
  }
  for (const Column& column : schema.columns()) {
    names_.push_back(printable(column.name));
    widths_.push_back(std::max(displayWidth(names_.back()), widthOfType(column.type, column_width_max)));
  }
}

void Tableau::fitTo(const std::vector<std::vector<std::string>>& rows) {
  for (size_t c = 0; c < widths_.size(); ++c) {
    size_t width = displayWidth(names_[c]);
    for (const auto& row : rows) width = std::max(width, std::min(column_width_max_, displayWidth(row[c])));
    widths_[c] = width;
  }
}

std::string Tableau::rule() const {
  std::string text = "+";
  for (const size_t width : widths_) text += std::string(width + 2, '-') + "+";
  return text;
}

std::string Tableau::heading() const { return row(names_); }

std::string Tableau::row(const std::vector<std::string>& cells) const {
  std::string text = "|";
  for (size_t c = 0; c < cells.size(); ++c) text += " " + fitted(cells[c], widths_[c]) + " |";
  return text;
}

std::string_view clipped(std::string_view line, size_t columns) {
  uint32_t point = 0;
  for (size_t at = 0, used = 0; at < line.size();) {
    const size_t length = decode(line, at, point);
    used += isWide(point) ? 2 : 1;
    if (used > columns) return line.substr(0, at);
    at += length;
  }
  return line;
}

std::string cutTo(std::string_view line, size_t columns) {
  std::string_view shown = clipped(line, columns);
  if (shown.size() == line.size() || columns == 0) return std::string(shown);
  shown = clipped(line, columns - 1);
  std::string cut(shown);
  cut.append(columns - 1 - displayWidth(shown), ' ');   // half a wide character
  return cut + '>';
}

std::vector<std::string> cellsOf(const std::vector<Value>& values, const Schema& schema, const TimeZone& zone) {
  std::vector<std::string> cells;
  for (size_t c = 0; c < values.size(); ++c) {
    cells.push_back(values[c].isNull() ? std::string(kNull) : printable(castForm(values[c], schema.type(c), zone)));
  }
  return cells;
}

std::vector<std::string> cellsOf(const Batch& batch, size_t row, const Schema& schema, const TimeZone& zone) {
  std::vector<Value> values;
  for (const VectorPtr& column : batch.columns()) values.push_back(column->valueAt(row));
  return cellsOf(values, schema, zone);
}

}  // namespace thalweg::client
