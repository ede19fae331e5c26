// CsvCutter: cuts records of csv into fields at the places that CsvIndex finds: the fast way through a file.
//
// It cuts plain records only: fields without quotes, in which quotes are text, and quoted fields in which nothing needs
// unescaping. Anything else is left to CsvRecord. Threads: one owner.
#pragma once

#include "common/formats/cell_column.h"
#include "common/formats/csv/csv_index.h"
#include "common/formats/csv/csv_record.h"

namespace thalweg::format {

class CsvCutter {
 public:
  explicit CsvCutter(const CsvDialect& dialect);

  /// Whether records of this dialect can be cut plainly at all.
  static bool cuts(const CsvDialect& dialect);

  /// Starts over with bytes [begin, end) of `data`.
  void reset(const char* data, size_t begin, size_t end);
  /// Goes on at `position`, where a record begins; another way was taken to it.
  void skipTo(size_t position) { index_.skipTo(position); }

  /// Cuts the record at `begin` into at most `fields_max` fields. The number of fields; 0 if it is not plain, not
  /// complete or has more: then skipTo() must come before the next cut.
  size_t cut(size_t begin, CellCut* fields, size_t fields_max);
  /// Where the record behind the one that was cut begins.
  size_t next() const { return next_; }

 private:
  bool findPlainEnd(size_t& end);
  bool findQuotedEnd(size_t begin, size_t& end);
  bool isSeparator(char c) const { return c == delimiter_ || c == '\n' || c == '\r'; }

  char delimiter_;
  char quote_;   // the delimiter where there is none
  char escape_;
  bool has_quote_;
  bool has_escape_;
  CsvIndex index_;
  const char* data_ = nullptr;
  size_t end_ = 0;
  size_t next_ = 0;
};

}  // namespace thalweg::format
