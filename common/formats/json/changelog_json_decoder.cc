// debezium-json, canal-json, maxwell-json and ogg-json to a changelog: each line is an envelope that names an operation
// and holds images of rows.
//
// The envelope is read first, its parts only skipped over and remembered; then the images it calls for are read into
// rows. In canal and maxwell the old image holds only what changed and is laid over the new one.
#include <regex>

#include "common/formats/format_list.h"
#include "common/formats/json/json_settings.h"
#include "common/formats/line_decoder.h"

namespace thalweg::format {
namespace {

/// The parts of an envelope that any of the formats knows, as JSON text; empty if absent or null.
struct Envelope {
  std::string_view payload, before, after, op, data, old, type, op_type, database, table;

  std::string_view* part(std::string_view name) {
    struct Part {
      std::string_view name;
      std::string_view Envelope::*text;
    };
    static constexpr Part kParts[] = {
        {"payload", &Envelope::payload}, {"before", &Envelope::before},     {"after", &Envelope::after}, {"op", &Envelope::op},
        {"data", &Envelope::data},       {"old", &Envelope::old},           {"type", &Envelope::type},   {"op_type", &Envelope::op_type},
        {"table", &Envelope::table},     {"database", &Envelope::database},
    };
    for (const Part& part : kParts) {
      if (part.name == name) return &(this->*part.text);
    }
    return nullptr;
  }
};

enum class EnvelopeKind : uint8_t { DEBEZIUM, CANAL, MAXWELL, OGG };

struct NamedKind {
  std::string_view format;
  EnvelopeKind kind;
};
constexpr NamedKind kKinds[] = {{"debezium-json", EnvelopeKind::DEBEZIUM},
                                {"canal-json", EnvelopeKind::CANAL},
                                {"maxwell-json", EnvelopeKind::MAXWELL},
                                {"ogg-json", EnvelopeKind::OGG}};

/// A JSON string's content; other values as they are.
std::string_view unquoted(std::string_view json) {
  return json.size() >= 2 && json.front() == '"' ? json.substr(1, json.size() - 2) : json;
}

class ChangelogJsonDecoder final : public LineDecoder {
 public:
  ChangelogJsonDecoder(std::string format, EnvelopeKind kind, const FormatOptions& options)
      : LineDecoder(true, options.flag("ignore-parse-errors")), format_(std::move(format)), kind_(kind) {
    context_.settings = jsonSettings(options);
    wrapped_ = kind == EnvelopeKind::DEBEZIUM && options.flag("schema-include");
  }

  Status setUp(const DecoderSpec& spec, const FormatOptions& options) {
    RETURN_IF_ERROR(setPattern(databases_, options.get("database.include")));
    RETURN_IF_ERROR(setPattern(tables_, options.get("table.include")));
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

  size_t rows() const override { return kinds_.size(); }
  Batch take() override {
    const size_t rows = kinds_.size();
    const std::vector<VectorPtr> fields = fields_.finish(rows);
    std::vector<VectorPtr> columns;
    for (const size_t output : outputs_) columns.push_back(fields[output]);
    Batch batch = Batch(rows, std::move(columns)).withRowKinds(makeRowKinds(kinds_));
    kinds_.clear();
    return batch;
  }

 protected:
  void prepare(const BufferPtr& buffer, size_t rows_max) override {
    if (buffer != buffer_) fields_.useBuffer(buffer);
    buffer_ = buffer;
    fields_.reserve(rows_max + 1);
  }

  /// All rows of an envelope count, or none.
  Status readLine(std::string_view line) override {
    if (line.empty()) return {};
    const size_t before = kinds_.size();
    const Status status = readEnvelope(line);
    if (status.isOk()) return {};
    kinds_.resize(before);
    if (!ignoresErrors()) {
      return Status::runtime("bad " + format_ + ": " + status.message() + "; set '" + format_ + ".ignore-parse-errors' to skip such records");
    }
    countSkipped();
    return {};
  }

 private:
  static Status setPattern(std::optional<std::regex>& pattern, const std::string& text) {
    if (text.empty()) return {};
    try {
      pattern.emplace(text);
    } catch (const std::regex_error&) {
      return Status::plan("expected a pattern of names, found '" + text + "'");
    }
    return {};
  }
  static bool matches(const std::optional<std::regex>& pattern, std::string_view name) {
    return !pattern || std::regex_match(name.begin(), name.end(), *pattern);
  }

  Status syntaxError() const { return Status::runtime(context_.cursor.problem()); }

  Status readEnvelope(std::string_view text) {
    Envelope envelope;
    RETURN_IF_ERROR(collectParts(text, envelope));
    if (wrapped_) {
      if (envelope.payload.empty()) return Status::runtime("expected a field 'payload', found none");
      Envelope inner;
      RETURN_IF_ERROR(collectParts(envelope.payload, inner));
      envelope = inner;
    }
    switch (kind_) {
      case EnvelopeKind::DEBEZIUM: return readDebezium(envelope);
      case EnvelopeKind::CANAL: return readCanal(envelope);
      case EnvelopeKind::MAXWELL: return readMaxwell(envelope);
      case EnvelopeKind::OGG: return readOgg(envelope);
    }
    return {};
  }

  Status collectParts(std::string_view text, Envelope& envelope) {
    JsonCursor& cursor = context_.cursor;
    cursor.reset(text);
    if (!cursor.expect('{')) return syntaxError();
    if (cursor.take('}')) return {};
    do {
      if (cursor.peek() != '"') return cursor.fail("a field name"), syntaxError();
      std::string_view name;
      bool shared = false;
      if (!cursor.readString(name, shared)) return syntaxError();
      std::string_view* part = envelope.part(name);
      if (!cursor.expect(':')) return syntaxError();
      cursor.peek();
      const char* begin = cursor.position();
      if (!cursor.skipValue()) return syntaxError();
      const std::string_view value(begin, static_cast<size_t>(cursor.position() - begin));
      if (part != nullptr) *part = value == "null" ? std::string_view() : value;
    } while (cursor.take(','));
    return cursor.expect('}') ? Status() : syntaxError();
  }

  Status readDebezium(const Envelope& envelope) {
    const std::string_view op = unquoted(envelope.op);
    if (op == "c" || op == "r") return addImage(envelope.after, "after", RowKind::INSERT);
    if (op == "d") return addImage(envelope.before, "before", RowKind::DELETE);
    if (op == "u") {
      RETURN_IF_ERROR(addImage(envelope.before, "before", RowKind::UPDATE_BEFORE));
      return addImage(envelope.after, "after", RowKind::UPDATE_AFTER);
    }
    return unknownOperation("op", envelope.op);
  }

  Status readOgg(const Envelope& envelope) {
    const std::string_view op = unquoted(envelope.op_type);
    if (op == "I") return addImage(envelope.after, "after", RowKind::INSERT);
    if (op == "D") return addImage(envelope.before, "before", RowKind::DELETE);
    if (op == "U") {
      RETURN_IF_ERROR(addImage(envelope.before, "before", RowKind::UPDATE_BEFORE));
      return addImage(envelope.after, "after", RowKind::UPDATE_AFTER);
    }
    return unknownOperation("op_type", envelope.op_type);
  }

  Status readMaxwell(const Envelope& envelope) {
    const std::string_view op = unquoted(envelope.type);
    if (op == "insert") return addImage(envelope.data, "data", RowKind::INSERT);
    if (op == "delete") return addImage(envelope.data, "data", RowKind::DELETE);
    if (op == "update") return addUpdate(envelope.data, envelope.old);
    return unknownOperation("type", envelope.type);
  }

  Status readCanal(const Envelope& envelope) {
    if (!matches(databases_, unquoted(envelope.database)) || !matches(tables_, unquoted(envelope.table))) return {};
    const std::string_view op = unquoted(envelope.type);
    if (op == "CREATE") return {};
    std::vector<std::string_view> images;
    if (op == "INSERT" || op == "DELETE") {
      RETURN_IF_ERROR(collectElements(envelope.data, "data", images));
      for (const std::string_view image : images) {
        RETURN_IF_ERROR(addImage(image, "data", op == "INSERT" ? RowKind::INSERT : RowKind::DELETE));
      }
      return {};
    }
    if (op != "UPDATE") return unknownOperation("type", envelope.type);
    std::vector<std::string_view> old_images;
    RETURN_IF_ERROR(collectElements(envelope.data, "data", images));
    RETURN_IF_ERROR(collectElements(envelope.old, "old", old_images));
    if (old_images.size() != images.size()) return Status::runtime("expected as many images in 'old' as in 'data'");
    for (size_t i = 0; i < images.size(); ++i) RETURN_IF_ERROR(addUpdate(images[i], old_images[i]));
    return {};
  }

  static Status unknownOperation(std::string_view field, std::string_view found) {
    return Status::runtime("expected a known operation in '" + std::string(field) + "', found " + (found.empty() ? "none" : std::string(found)));
  }

  Status collectElements(std::string_view json, std::string_view name, std::vector<std::string_view>& elements) {
    JsonCursor& cursor = context_.cursor;
    cursor.reset(json);
    if (!cursor.take('[')) return Status::runtime("expected an array in '" + std::string(name) + "'");
    if (cursor.take(']')) return {};
    do {
      cursor.peek();
      const char* begin = cursor.position();
      if (!cursor.skipValue()) return syntaxError();
      elements.emplace_back(begin, static_cast<size_t>(cursor.position() - begin));
    } while (cursor.take(','));
    return {};
  }

  Status addImage(std::string_view image, std::string_view name, RowKind kind) {
    RETURN_IF_ERROR(readImage(image, name));
    kinds_.push_back(kind);
    return {};
  }

  /// `image` as the new row, and with `old` laid over it as the old one.
  Status addUpdate(std::string_view image, std::string_view old) {
    RETURN_IF_ERROR(readImage(image, "data"));
    if (old.empty()) return Status::runtime("expected the old values in 'old', found none");
    context_.cursor.reset(old);
    context_.cursor.peek();
    RETURN_IF_ERROR(settle(fields_.overlay(context_, kinds_.size())));
    kinds_.push_back(RowKind::UPDATE_BEFORE);
    return addImage(image, "data", RowKind::UPDATE_AFTER);
  }

  Status readImage(std::string_view image, std::string_view name) {
    if (image.empty()) return Status::runtime("expected the row in '" + std::string(name) + "', found none");
    context_.cursor.reset(image);
    context_.cursor.peek();
    fields_.reserve(kinds_.size() + 1);
    return settle(fields_.read(context_, kinds_.size()));
  }

  Status settle(JsonOutcome outcome) const {
    if (outcome == JsonOutcome::OK) return {};
    return Status::runtime(outcome == JsonOutcome::BAD_FIELD ? context_.problem : context_.cursor.problem());
  }

  std::string format_;
  EnvelopeKind kind_;
  bool wrapped_ = false;
  std::optional<std::regex> databases_;
  std::optional<std::regex> tables_;
  JsonContext context_;
  JsonFields fields_;
  std::vector<size_t> outputs_;
  std::vector<RowKind> kinds_;
  BufferPtr buffer_;
};

}  // namespace

Result<std::unique_ptr<FormatDecoder>> makeChangelogJsonDecoder(const DecoderSpec& spec) {
  for (const NamedKind& named : kKinds) {
    if (named.format != spec.format) continue;
    const FormatOptions options(spec.format, spec.options);
    auto decoder = std::make_unique<ChangelogJsonDecoder>(spec.format, named.kind, options);
    RETURN_IF_ERROR(decoder->setUp(spec, options).withContext("format " + spec.format));
    return std::unique_ptr<FormatDecoder>(std::move(decoder));
  }
  return Status::internal("'" + spec.format + "' is no changelog format");
}

}  // namespace thalweg::format
