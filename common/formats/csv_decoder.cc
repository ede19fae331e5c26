// csv to columns. The fast way: places of delimiters and line ends come from CsvIndex, fields are cut between them and
// only the columns asked for are looked at. Quoted fields stay on it as long as nothing inside them needs unescaping; a
// record with anything else special goes the slow way through CsvRecord.
//
// Arity, as in Flink: surplus fields are an error but for one blank one (allow-trailing-comma) or when told to drop
// them; missing ones are NULL, unless the line has fewer fields than columns are asked for (or fail-on-missing-columns).
#include "common/formats/csv_index.h"
#include "common/formats/csv_nested.h"
#include "common/formats/csv_record.h"
#include "common/formats/format_list.h"
#include "common/formats/format_options.h"
#include "common/formats/text_encoding.h"
#include "common/types/java_text.h"

namespace thalweg::format {
namespace {

struct CsvSettings {
  CsvDialect dialect;
  CsvParts parts;
  bool ignore_errors = false;
  bool empty_as_null = false;
  bool drop_surplus = false;
  bool allow_trailing_comma = true;
  bool fail_on_missing = false;

  explicit CsvSettings(const OptionMap& map) {
    const FormatOptions options("csv", map);
    dialect.delimiter = options.character("field-delimiter");
    dialect.quote = options.flag("disable-quote-character") ? "" : options.character("quote-character");
    dialect.escape = options.character("escape-character");
    dialect.comments = options.flag("allow-comments");
    dialect.trim_spaces = options.flag("trim-spaces");
    parts.delimiter = options.get("array-element-delimiter");
    if (options.has("null-literal")) parts.null_literal = options.get("null-literal");
    parts.ignore_errors = ignore_errors = options.flag("ignore-parse-errors");
    empty_as_null = options.flag("empty-string-as-null");
    drop_surplus = options.flag("ignore-trailing-unmappable");
    allow_trailing_comma = options.flag("allow-trailing-comma");
    fail_on_missing = options.flag("fail-on-missing-columns");
  }
  /// Whether the index can tell records that are cut plainly at delimiters and line feeds.
  bool plain() const {
    return dialect.delimiter.size() == 1 && dialect.quote.size() <= 1 && dialect.escape.size() <= 1 && !dialect.comments &&
           !dialect.trim_spaces && dialect.delimiter != "\n" && dialect.delimiter != "\r";
  }
};

char orDelimiter(const std::string& character, const CsvDialect& dialect) {
  return character.empty() ? dialect.delimiter[0] : character[0];
}

class CsvDecoder : public FormatDecoder {
 public:
  CsvDecoder(const DecoderSpec& spec, CsvSettings settings)
      : settings_(std::move(settings)),
        fields_max_(spec.record.size()),
        plain_(settings_.plain()),
        delimiter_(settings_.dialect.delimiter[0]),
        quote_(orDelimiter(settings_.dialect.quote, settings_.dialect)),
        escape_(orDelimiter(settings_.dialect.escape, settings_.dialect)),
        has_quote_(!settings_.dialect.quote.empty()),
        has_escape_(!settings_.dialect.escape.empty()),
        index_(delimiter_, quote_, escape_),
        record_(settings_.dialect),
        begins_(spec.record.size() + 2),
        ends_(spec.record.size() + 2) {}

  Status addColumn(const Column& column, size_t field) {
    const CellRules rules{.short_dates = true, .short_times = true, .trimmed_timestamps = true, .trimmed_decimals = false};
    ASSIGN_OR_RETURN(auto cells, makeCsvColumn(column.type, rules, settings_.parts));
    slots_.push_back({field, std::move(cells), column});
    return {};
  }

  void feed(BufferPtr buffer, size_t begin, size_t end, bool last) override {
    data_ = reinterpret_cast<const char*>(buffer->data());
    position_ = begin;
    end_ = end;
    last_ = last;
    exhausted_ = false;
    const std::string_view bytes(data_ + begin, end - begin);
    check_each_record_ = !isUtf8(last ? bytes : bytes.substr(0, wholeCharacters(bytes)));
    index_.reset(data_, begin, end);
    for (Slot& slot : slots_) slot.cells->useBuffer(buffer);
    buffer_ = std::move(buffer);
  }

  Status decode(size_t rows_max) override {
    for (Slot& slot : slots_) slot.cells->reserve(rows_max);
    while (rows_ < rows_max && !exhausted_) {
      const bool done = plain_ && readPlainRecord();
      RETURN_IF_ERROR(done ? storePlainRecord() : readSlowly());
    }
    return {};
  }

  size_t position() const override { return position_; }
  size_t rows() const override { return rows_; }
  size_t errorOffset() const override { return position_; }
  uint64_t skippedRecords() const override { return skipped_; }

  Batch take() override {
    std::vector<VectorPtr> columns;
    for (Slot& slot : slots_) columns.push_back(slot.cells->finish(rows_));
    return Batch(std::exchange(rows_, 0), std::move(columns));
  }

 private:
  struct Slot {
    size_t field;
    std::unique_ptr<CellColumn> cells;
    Column column;
  };

  /// Cuts the record at position_ into begins_ and ends_; false if it needs the slow way, or is not complete.
  bool readPlainRecord() {
    field_count_ = 0;
    size_t begin = position_;
    for (;;) {
      if (field_count_ == ends_.size()) return false;
      const bool quoted = has_quote_ && begin < end_ && data_[begin] == quote_;
      size_t end = 0;
      if (!(quoted ? findQuotedEnd(begin, end) : findPlainEnd(end))) return false;
      begins_[field_count_] = quoted ? begin + 1 : begin;
      ends_[field_count_++] = end;
      const size_t mark = quoted ? end + 1 : end;
      index_.advance();
      if (data_[mark] == delimiter_) {
        begin = mark + 1;
        continue;
      }
      next_ = mark + 1;
      if (data_[mark] == '\n') return true;
      if (next_ >= end_ || data_[next_] != '\n') return false;  // a carriage return alone
      if (index_.more() && index_.peek() == next_) index_.advance();
      ++next_;
      return true;
    }
  }

  /// The delimiter or line end behind a field without quotes, at which the index then stands; quotes in it are text.
  bool findPlainEnd(size_t& end) {
    for (; index_.more(); index_.advance()) {
      end = index_.peek();
      const char c = data_[end];
      if (c == delimiter_ || c == '\n' || c == '\r') return true;
      if (!has_quote_ || c != quote_) return false;
    }
    return false;
  }

  /// The closing quote of the field that opens at `begin`; the index then stands at the delimiter or line end behind it.
  /// False where anything else follows, such as a second quote.
  bool findQuotedEnd(size_t begin, size_t& end) {
    if (!index_.more() || index_.peek() != begin) return false;
    index_.advance();
    for (; index_.more(); index_.advance()) {
      end = index_.peek();
      if (data_[end] == quote_) break;
      if (has_escape_ && data_[end] == escape_) return false;
    }
    if (!index_.more()) return false;
    index_.advance();
    return index_.more() && index_.peek() == end + 1 && data_[end + 1] != quote_ && (!has_escape_ || data_[end + 1] != escape_);
  }

  std::string_view fieldText(size_t field) const { return {data_ + begins_[field], ends_[field] - begins_[field]}; }

  Status storePlainRecord() {
    if (check_each_record_ && !isUtf8({data_ + position_, next_ - position_})) return badRecord("text that is not UTF-8", next_);
    const bool surplus_blank = field_count_ <= fields_max_ || trimJava(fieldText(field_count_ - 1)).empty();
    if (const char* problem = checkArity(field_count_, surplus_blank)) return badRecord(problem, next_);
    for (Slot& slot : slots_) {
      if (slot.field >= field_count_) {
        slot.cells->setNull(rows_);
        continue;
      }
      RETURN_IF_ERROR(store(slot, {.text = fieldText(slot.field), .shared = true}));
    }
    ++rows_;
    position_ = next_;
    return {};
  }

  Status readSlowly() {
    const std::string_view bytes(data_ + position_, end_ - position_);
    switch (record_.read(bytes, last_)) {
      case CsvRecord::Outcome::NONE: position_ += record_.end(); [[fallthrough]];
      case CsvRecord::Outcome::INCOMPLETE: exhausted_ = true; return {};
      case CsvRecord::Outcome::BAD: RETURN_IF_ERROR(badRecord(record_.error(), position_ + record_.end())); break;
      case CsvRecord::Outcome::RECORD: RETURN_IF_ERROR(storeSlowly(bytes)); break;
    }
    index_.skipTo(position_);
    return {};
  }

  Status storeSlowly(std::string_view bytes) {
    const size_t next = position_ + record_.end();
    if (check_each_record_ && !isUtf8(bytes.substr(0, record_.end()))) return badRecord("text that is not UTF-8", next);
    const auto& fields = record_.fields();
    if (const char* problem = checkArity(fields.size(), trimJava(fields.back().text).empty())) return badRecord(problem, next);
    for (Slot& slot : slots_) {
      if (slot.field >= fields.size()) {
        slot.cells->setNull(rows_);
        continue;
      }
      const CsvRecord::Field& field = fields[slot.field];
      RETURN_IF_ERROR(store(slot, {.text = field.text, .shared = field.shared}));
    }
    ++rows_;
    position_ = next;
    return {};
  }

  /// What is wrong with the number of fields, or null.
  const char* checkArity(size_t fields, bool surplus_blank) const {
    if (fields > fields_max_) {
      const bool trailing_comma = settings_.allow_trailing_comma && fields == fields_max_ + 1 && surplus_blank;
      return settings_.drop_surplus || trailing_comma ? nullptr : "more fields than the table has columns";
    }
    if (fields < fields_max_ && settings_.fail_on_missing) return "fewer fields than the table has columns";
    if (fields < slots_.size() && !settings_.ignore_errors) return "fewer fields than columns are read";
    return nullptr;
  }

  Status store(Slot& slot, const Cell& cell) {
    const bool is_nested = slot.column.type.isNested();
    const bool is_null = !is_nested && settings_.parts.null_literal == cell.text;
    if (is_null || (settings_.empty_as_null && cell.text.empty())) {
      slot.cells->setNull(rows_);
      return {};
    }
    if (slot.cells->set(rows_, cell)) return {};
    if (!settings_.ignore_errors) return badField(slot.column, cell.text);
    slot.cells->setNull(rows_);
    return {};
  }

  Status badRecord(const std::string& problem, size_t next) {
    if (!settings_.ignore_errors) {
      return Status::runtime("the csv line has " + problem + "; set 'csv.ignore-parse-errors' to skip such lines");
    }
    ++skipped_;
    position_ = next;
    return {};
  }

  CsvSettings settings_;
  size_t fields_max_;
  bool plain_;
  char delimiter_;
  char quote_;   // the delimiter where there is none
  char escape_;
  bool has_quote_;
  bool has_escape_;
  CsvIndex index_;
  CsvRecord record_;
  std::vector<Slot> slots_;

  BufferPtr buffer_;
  const char* data_ = nullptr;
  size_t position_ = 0;
  size_t end_ = 0;
  bool last_ = false;
  bool exhausted_ = true;
  bool check_each_record_ = false;
  std::vector<size_t> begins_;   // of each field of the record
  std::vector<size_t> ends_;
  size_t field_count_ = 0;
  size_t next_ = 0;              // where the record behind it begins
  size_t rows_ = 0;
  uint64_t skipped_ = 0;
};

}  // namespace

Result<std::unique_ptr<FormatDecoder>> makeCsvDecoder(const DecoderSpec& spec) {
  RETURN_IF_ERROR(checkCsvOptions(FormatOptions("csv", spec.options)));
  auto decoder = std::make_unique<CsvDecoder>(spec, CsvSettings(spec.options));
  for (const DecoderSpec::Wanted& wanted : spec.wanted) {
    const auto field = static_cast<size_t>(wanted.column);
    RETURN_IF_ERROR(decoder->addColumn(spec.record.column(field), field).withContext("column '" + spec.record.column(field).name + "' of format csv"));
  }
  return std::unique_ptr<FormatDecoder>(std::move(decoder));
}

}  // namespace thalweg::format
