// CsvRecord: one record of csv cut into fields, character by character, as Jackson's csv parser cuts it. The slow way,
// for records with quotes, escapes, comments or blanks to trim; the fast way is in csv_decoder.cc.
//
// Rules worth knowing: a quote counts only as a field's first character (blanks may stand before it when spaces are
// trimmed); a doubled quote inside is one; after the closing quote only blanks may follow. Line ends are \n, \r\n and \r
// alone. An escape takes the meaning from the next character, but \n, \r, \t and \0 are control characters. With
// comments allowed, lines whose first character that is no space is `#` and lines of spaces are no records, and spaces
// before a record's first field are dropped.
// Threads: one owner.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace thalweg::format {

struct CsvDialect {
  std::string delimiter = ",";
  std::string quote = "\"";   ///< empty: none
  std::string escape = {};    ///< empty: none
  bool comments = false;
  bool trim_spaces = false;
};

class CsvRecord {
 public:
  enum class Outcome : uint8_t {
    RECORD,      ///< fields() are those of the record, end() is behind its line end
    NONE,        ///< only comments or nothing up to end(), which is the end of the bytes
    INCOMPLETE,  ///< the bytes end inside the record
    BAD,         ///< error() says why; end() is where to go on
  };
  struct Field {
    std::string_view text;
    bool shared = true;      ///< stands in the bytes; else valid until the next read()
    bool quoted = false;
  };

  explicit CsvRecord(CsvDialect dialect) : dialect_(std::move(dialect)) {}

  /// Reads the record that begins at `bytes`; `last`: the file ends where they do.
  Outcome read(std::string_view bytes, bool last);
  const std::vector<Field>& fields() const { return fields_; }
  size_t end() const { return at_; }
  const std::string& error() const { return error_; }

 private:
  enum class Step : uint8_t { FIELD, LAST_FIELD, INCOMPLETE, BAD };

  bool skipComments(bool& incomplete);
  Step readField();
  Step readPlain();
  Step readQuoted();
  /// After a field: a delimiter, a line end or the end.
  Step finishField(Field field);
  bool takes(std::string_view text) const { return !text.empty() && bytes_.substr(at_, text.size()) == text; }
  bool atBlank() const { return at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\t') && !takes(dialect_.delimiter); }
  /// Whether a line end stands here; takes it. A carriage return at the very end waits for more.
  bool takeLineEnd(bool& incomplete);
  bool takeEscaped(std::string& text);
  std::string& scratch();
  Step bad(std::string message);

  CsvDialect dialect_;
  std::string_view bytes_;
  bool last_ = false;
  size_t at_ = 0;
  std::vector<Field> fields_;
  std::vector<std::unique_ptr<std::string>> scratches_;
  size_t scratches_used_ = 0;
  std::string error_;
};

}  // namespace thalweg::format
