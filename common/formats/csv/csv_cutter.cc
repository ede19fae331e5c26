#include "common/formats/csv/csv_cutter.h"

namespace thalweg::format {
namespace {

char orDelimiter(const std::string& character, const CsvDialect& dialect) {
  return character.empty() ? dialect.delimiter[0] : character[0];
}

}  // namespace

CsvCutter::CsvCutter(const CsvDialect& dialect)
    : delimiter_(dialect.delimiter[0]),
      quote_(orDelimiter(dialect.quote, dialect)),
      escape_(orDelimiter(dialect.escape, dialect)),
      has_quote_(!dialect.quote.empty()),
      has_escape_(!dialect.escape.empty()),
      index_(delimiter_, quote_, escape_) {}

bool CsvCutter::cuts(const CsvDialect& dialect) {
  return dialect.delimiter.size() == 1 && dialect.quote.size() <= 1 && dialect.escape.size() <= 1 && !dialect.comments &&
         !dialect.trim_spaces && dialect.delimiter != "\n" && dialect.delimiter != "\r";
}

void CsvCutter::reset(const char* data, size_t begin, size_t end) {
  data_ = data;
  end_ = end;
  index_.reset(data, begin, end);
}

size_t CsvCutter::cut(size_t begin, CellCut* fields, size_t fields_max) {
  for (size_t count = 0; count < fields_max;) {
    const bool quoted = has_quote_ && begin < end_ && data_[begin] == quote_;
    size_t end = 0;
    if (!(quoted ? findQuotedEnd(begin, end) : findPlainEnd(end))) return 0;
    begin += quoted;
    fields[count++] = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end - begin)};
    const size_t mark = end + quoted;
    index_.advance();
    begin = mark + 1;
    if (data_[mark] == delimiter_) continue;
    if (data_[mark] == '\r') {
      if (begin >= end_ || data_[begin] != '\n') return 0;  // a carriage return alone
      if (index_.more() && index_.peek() == begin) index_.advance();
      ++begin;
    }
    next_ = begin;
    return count;
  }
  return 0;
}

/// The delimiter or line end behind a field without quotes, at which the index then stands; quotes in it are text.
bool CsvCutter::findPlainEnd(size_t& end) {
  for (; index_.more(); index_.advance()) {
    end = index_.peek();
    const char c = data_[end];
    if (isSeparator(c)) return true;
    if (!has_quote_ || c != quote_) return false;
  }
  return false;
}

/// The closing quote of the field that opens at `begin`; the index then stands at the delimiter or line end behind it.
/// False where anything else follows, such as a second quote.
bool CsvCutter::findQuotedEnd(size_t begin, size_t& end) {
  if (!index_.more() || index_.peek() != begin) return false;
  index_.advance();
  for (; index_.more(); index_.advance()) {
    end = index_.peek();
    if (data_[end] == quote_) break;
    if (has_escape_ && data_[end] == escape_) return false;
  }
  if (!index_.more()) return false;
  index_.advance();
  return index_.more() && index_.peek() == end + 1 && isSeparator(data_[end + 1]);
}

}  // namespace thalweg::format
