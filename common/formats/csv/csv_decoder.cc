// csv to columns. The fast way: CsvCutter cuts a run of records into fields, then each column asked for reads its field
// of all of them. A record that is not plain goes the slow way through CsvRecord; so does, row by row, a run in which a
// column finds something wrong, so that the first bad row is the one that is told of.
//
// Arity, as in Flink: surplus fields are an error but for one blank one (allow-trailing-comma) or when told to drop
// them; missing ones are NULL, unless the line has fewer fields than columns are asked for (or fail-on-missing-columns).
#include <algorithm>

#include "common/formats/csv/csv_cutter.h"
#include "common/formats/csv/csv_nested.h"
#include "common/formats/csv/csv_record.h"
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
};

class CsvDecoder : public FormatDecoder {
 public:
  CsvDecoder(const DecoderSpec& spec, CsvSettings settings)
      : settings_(std::move(settings)),
        fields_max_(spec.record.size()),
        plain_(fields_max_ > 0 && CsvCutter::cuts(settings_.dialect)),
        by_column_(!settings_.parts.null_literal && !settings_.empty_as_null),
        cutter_(settings_.dialect),
        record_(settings_.dialect),
        ends_(std::clamp<size_t>(kRunFields / stride(), 1, kRunRows)),
        cuts_(ends_.size() * stride()) {}

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
    cutter_.reset(data_, begin, end);
    for (Slot& slot : slots_) slot.cells->useBuffer(buffer);
    buffer_ = std::move(buffer);
  }

  Status decode(size_t rows_max) override {
    for (Slot& slot : slots_) slot.cells->reserve(rows_max);
    while (rows_ < rows_max && !exhausted_) {
      bool odd = true;
      if (plain_) RETURN_IF_ERROR(readRun(std::min(rows_max - rows_, ends_.size()), odd));
      if (odd) RETURN_IF_ERROR(readSlowly());
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
  static constexpr size_t kRunRows = 256;
  static constexpr size_t kRunFields = 4096;

  struct Slot {
    size_t field;
    std::unique_ptr<CellColumn> cells;
    Column column;
  };

  /// One field more than fits the table (allow-trailing-comma), and one more to tell that there are too many.
  size_t stride() const { return fields_max_ + 2; }

  /// Reads up to `rows_max` records as long as they are plain. `odd`: the one behind them is not, or not complete.
  Status readRun(size_t rows_max, bool& odd) {
    size_t next = position_;
    size_t run = 0;
    size_t fields = fields_max_;
    for (; run < rows_max; ++run) {
      fields = cutter_.cut(next, &cuts_[run * stride()], stride());
      if (fields != fields_max_) break;
      ends_[run] = next = cutter_.next();
    }
    odd = fields == 0;
    if (by_column_ && !check_each_record_ && storeByColumn(run)) {
      rows_ += run;
      position_ = next;
    } else {
      for (size_t i = 0; i < run; ++i) RETURN_IF_ERROR(storePlainRecord(&cuts_[i * stride()], fields_max_, ends_[i]));
    }
    if (odd || run == rows_max) return {};
    return storePlainRecord(&cuts_[run * stride()], fields, cutter_.next());
  }

  bool storeByColumn(size_t run) {
    return std::all_of(slots_.begin(), slots_.end(), [&](Slot& slot) {
      return slot.cells->setMany(rows_, run, data_, &cuts_[slot.field], stride()) == run;
    });
  }

  std::string_view text(CellCut cut) const { return {data_ + cut.begin, cut.size}; }

  Status storePlainRecord(const CellCut* fields, size_t count, size_t next) {
    if (check_each_record_ && !isUtf8({data_ + position_, next - position_})) return badRecord("text that is not UTF-8", next);
    const bool surplus_blank = count <= fields_max_ || trimJava(text(fields[count - 1])).empty();
    if (const char* problem = checkArity(count, surplus_blank)) return badRecord(counted(problem, count), next);
    for (Slot& slot : slots_) {
      if (slot.field >= count) {
        slot.cells->setNull(rows_);
        continue;
      }
      RETURN_IF_ERROR(store(slot, {.text = text(fields[slot.field]), .shared = true}));
    }
    ++rows_;
    position_ = next;
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
    cutter_.skipTo(position_);
    return {};
  }

  Status storeSlowly(std::string_view bytes) {
    const size_t next = position_ + record_.end();
    if (check_each_record_ && !isUtf8(bytes.substr(0, record_.end()))) return badRecord("text that is not UTF-8", next);
    const auto& fields = record_.fields();
    if (const char* problem = checkArity(fields.size(), trimJava(fields.back().text).empty())) return badRecord(counted(problem, fields.size()), next);
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

  /// The problem with its numbers: the fields that are there, and the first column without one.
  std::string counted(std::string problem, size_t fields) const {
    problem += ": " + std::to_string(fields);
    const auto missing = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.field >= fields; });
    if (missing != slots_.end()) problem += ", and none for column '" + missing->column.name + "'";
    return problem;
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
  bool plain_;       // whether records may be cut plainly
  bool by_column_;   // whether columns may take fields without a look at each
  CsvCutter cutter_;
  CsvRecord record_;
  std::vector<Slot> slots_;

  BufferPtr buffer_;
  const char* data_ = nullptr;
  size_t position_ = 0;
  size_t end_ = 0;
  bool last_ = false;
  bool exhausted_ = true;
  bool check_each_record_ = false;
  std::vector<size_t> ends_;     // of each record of a run
  std::vector<CellCut> cuts_;    // of its fields, stride() a record
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
