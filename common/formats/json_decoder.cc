// json to columns: one document a line. An object is a row, an array of objects its rows; what follows on the line is
// not looked at, as Jackson does not.
#include "common/formats/format_list.h"
#include "common/formats/json_settings.h"
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

  Status readLine(std::string_view line) override {
    JsonCursor& cursor = context_.cursor;
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
