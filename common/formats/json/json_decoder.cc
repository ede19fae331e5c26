// json to columns: one document a line. An object is a row, an array of objects its rows; what follows on the line is
// not looked at, as Jackson does not. Lines of one shape are cut together (JsonCutter), and each column takes its values
// of all of them; where one finds something wrong, those lines are read again one by one.
#include "common/formats/format_list.h"
#include "common/formats/json/json_cutter.h"
#include "common/formats/json/json_settings.h"
#include "common/formats/line_decoder.h"

namespace thalweg::format {
namespace {

class JsonDecoder final : public LineDecoder {
 public:
  explicit JsonDecoder(JsonSettings settings) : LineDecoder(true, settings.ignore_errors) { context_.settings = settings; }

  /// The record's fields in order; column i of take() is field outputs[i].
  Status addFields(const DecoderSpec& spec) {
    for (size_t field = 0; field < spec.record.size(); ++field) {
      const Column& column = spec.record.column(field);
      std::unique_ptr<JsonColumn> cells;
      for (const DecoderSpec::Wanted& wanted : spec.wanted) {
        if (static_cast<size_t>(wanted.column) != field) continue;
        ASSIGN_OR_RETURN(cells, JsonColumn::make(column.type, context_.settings, wanted.used_paths));
      }
      fields_.add(column.name, column.type, std::move(cells));
    }
    for (const DecoderSpec::Wanted& wanted : spec.wanted) outputs_.push_back(static_cast<size_t>(wanted.column));
    return {};
  }

  size_t rows() const override { return rows_; }
  Batch take() override {
    const std::vector<VectorPtr> fields = fields_.finish(rows_);
    std::vector<VectorPtr> columns;
    for (const size_t output : outputs_) columns.push_back(fields[output]);
    reserved_ = 0;
    return Batch(std::exchange(rows_, 0), std::move(columns));
  }

 protected:
  void prepare(const BufferPtr& buffer, size_t rows_max) override {
    if (buffer != buffer_) fields_.useBuffer(buffer);
    buffer_ = buffer;
    reserve(rows_max);
  }

  size_t readLines(const char* data, size_t begin, size_t end, size_t rows_max) override {
    if (lines_apart_ > 0 || !cutter_.hasShape()) return 0;
    const size_t stride = cutter_.places().size();
    size_t next = begin;
    size_t run = 0;
    escaped_.clear();
    for (const size_t run_max = std::min(rows_max, kRunRows); run < run_max; ++run) {
      const size_t escaped_before = escaped_.size();
      if (!cutter_.cut(data, next, end, &cuts_[run * stride], escaped_)) {
        escaped_.resize(escaped_before);
        lines_apart_ = 1;
        break;
      }
      next = cutter_.next();
    }
    noteRun(run);
    if (run == 0) return 0;
    if (!storeRun(data, run)) {
      lines_apart_ += run;
      return 0;
    }
    rows_ += run;
    return next - begin;
  }

  Status readLine(std::string_view line) override {
    JsonCursor& cursor = context_.cursor;
    if (lines_apart_ > 0) --lines_apart_;
    if (!cutter_.hasShape() && shapes_left_ > 0) learn(line);
    cursor.reset(line);
    switch (cursor.peek()) {
      case '{': return readObject();
      case '[': return readArray();
      case '\0':
        if (cursor.position() == line.data() + line.size()) return {};
        [[fallthrough]];
      default:
        cursor.fail("an object or an array of objects");
        return settle(JsonOutcome::BAD_SYNTAX);
    }
  }

 private:
  static constexpr size_t kRunRows = 256;
  static constexpr size_t kShapesMax = 16;   // that are tried in vain
  static constexpr size_t kMissesMax = 4;    // in a row, before another shape is tried

  void learn(std::string_view line) {
    --shapes_left_;
    misses_ = 0;
    if (!cutter_.learn(line, [this](std::string_view name) { return fields_.find(name); })) return;
    const auto& places = cutter_.places();
    missing_.clear();
    for (size_t field = 0; field < fields_.size(); ++field) {
      if (fields_.column(field) && std::find(places.begin(), places.end(), field) == places.end()) missing_.push_back(field);
    }
    if (!missing_.empty() && context_.settings.fail_on_missing) cutter_ = {};
    cuts_.resize(kRunRows * places.size());
  }

  /// A shape that lines no longer have is forgotten.
  void noteRun(size_t run) {
    misses_ = run > 0 ? 0 : misses_ + 1;
    if (run == kRunRows) shapes_left_ = kShapesMax;
    if (misses_ > kMissesMax) cutter_ = {};
  }

  bool storeRun(const char* data, size_t run) {
    const auto& places = cutter_.places();
    reserve(rows_ + run);
    for (size_t i = 0; i < places.size(); ++i) {
      JsonColumn* column = places[i] < fields_.size() ? fields_.column(places[i]) : nullptr;
      if (column == nullptr) continue;
      CellColumn* cells = column->cells();
      if (cells == nullptr || cells->setMany(rows_, run, data, &cuts_[i], places.size()) < run) return false;
    }
    for (const CellCut* cut : escaped_) {
      const auto at = static_cast<size_t>(cut - cuts_.data());
      const size_t place = places[at % places.size()];
      JsonColumn* column = place < fields_.size() ? fields_.column(place) : nullptr;
      if (!unescape(column, rows_ + at / places.size(), {data + cut->begin, cut->size})) return false;
    }
    for (const size_t field : missing_) {
      for (size_t row = 0; row < run; ++row) fields_.column(field)->setNull(rows_ + row);
    }
    return true;
  }

  /// What is not wanted is checked all the same.
  bool unescape(JsonColumn* column, size_t row, std::string_view inside) {
    Cell cell;
    context_.cursor.reset({inside.data() - 1, inside.size() + 2});   // with its quotes
    return context_.cursor.readString(cell.text, cell.shared) && (column == nullptr || column->cells()->set(row, cell));
  }

  void reserve(size_t rows) {
    if (rows <= reserved_) return;
    fields_.reserve(rows);
    reserved_ = rows;
  }

  Status readObject() {
    reserve(rows_ + 1);
    const JsonOutcome outcome = fields_.read(context_, rows_);
    if (outcome != JsonOutcome::OK) return settle(outcome);
    ++rows_;
    return {};
  }

  /// With ignored errors the objects before a bad one count.
  Status readArray() {
    JsonCursor& cursor = context_.cursor;
    cursor.take('[');
    if (cursor.take(']')) return {};
    do {
      if (cursor.peek() != '{') {
        cursor.fail("an object");
        return settle(JsonOutcome::BAD_SYNTAX);
      }
      reserve(rows_ + 1);
      if (const JsonOutcome outcome = fields_.read(context_, rows_); outcome != JsonOutcome::OK) return settle(outcome);
      ++rows_;
    } while (cursor.take(','));
    if (cursor.take(']')) return {};
    cursor.fail("',' or ']'");
    return settle(JsonOutcome::BAD_SYNTAX);
  }

  Status settle(JsonOutcome outcome) {
    if (ignoresErrors()) {
      countSkipped();
      return {};
    }
    const std::string& problem = outcome == JsonOutcome::BAD_FIELD ? context_.problem : context_.cursor.problem();
    return Status::runtime("bad json: " + problem + "; set 'json.ignore-parse-errors' to skip such records");
  }

  JsonContext context_;
  JsonFields fields_;
  JsonCutter cutter_;
  std::vector<CellCut> cuts_;      // of a run, a place of the shape each
  std::vector<const CellCut*> escaped_;   // of those, the strings with escapes
  std::vector<size_t> missing_;    // wanted fields that the shape lacks
  size_t shapes_left_ = kShapesMax;
  size_t misses_ = 0;
  size_t lines_apart_ = 0;         // that are not to be cut again
  std::vector<size_t> outputs_;
  BufferPtr buffer_;
  size_t rows_ = 0;
  size_t reserved_ = 0;
};

}  // namespace

Result<std::unique_ptr<FormatDecoder>> makeJsonDecoder(const DecoderSpec& spec) {
  const FormatOptions options("json", spec.options);
  JsonSettings settings = jsonSettings(options);
  settings.stops_when_full = options.flag("decode.json-parser.enabled");
  if (settings.fail_on_missing && settings.ignore_errors) {
    return Status::plan("'json.fail-on-missing-field' and 'json.ignore-parse-errors' cannot both be true");
  }
  auto decoder = std::make_unique<JsonDecoder>(settings);
  RETURN_IF_ERROR(decoder->addFields(spec).withContext("format json"));
  return std::unique_ptr<FormatDecoder>(std::move(decoder));
}

}  // namespace thalweg::format
