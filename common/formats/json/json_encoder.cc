// Columns to json, one object a line; and to the changelog formats, one envelope a line. An update becomes a delete of
// the old row and an insert of the new one, as in Flink.
#include "common/formats/cell_writer.h"
#include "common/formats/format_list.h"
#include "common/formats/format_options.h"
#include "common/formats/json/json_cursor.h"

namespace thalweg::format {
namespace {

JsonValueWriter::Options writerOptions(const FormatOptions& options) {
  using NullKey = JsonValueWriter::Options::NullKey;
  JsonValueWriter::Options result;
  result.form.timestamp_separator = options.getEnum("timestamp-format.standard") == "ISO-8601" ? 'T' : ' ';
  if (options.flag("encode.decimal-as-plain-number")) result.form.decimals = DecimalForm::PLAIN;
  result.ignore_null_fields = options.flag("encode.ignore-null-fields");
  const std::string mode = options.getEnum("map-null-key.mode");
  result.null_key = mode == "DROP" ? NullKey::DROP : mode == "LITERAL" ? NullKey::LITERAL : NullKey::FAIL;
  result.null_key_literal = options.get("map-null-key.literal");
  return result;
}

/// The columns of a row as one object.
class ObjectWriter {
 public:
  Status setUp(const EncoderSpec& spec, const FormatOptions& options) {
    const JsonValueWriter::Options writer_options = writerOptions(options);
    ignore_nulls_ = writer_options.ignore_null_fields;
    for (const Column& column : spec.record.columns()) {
      ASSIGN_OR_RETURN(auto writer, JsonValueWriter::make(column.type, writer_options));
      std::string label;
      appendJsonString(label, column.name, true);
      columns_.push_back({label + ':', column.name, std::move(writer)});
    }
    return {};
  }
  void bind(const Batch& batch) {
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i].writer->bind(*batch.column(i));
  }
  Status append(size_t row, std::string& out) const {
    out += '{';
    bool first = true;
    for (const auto& column : columns_) {
      if (ignore_nulls_ && column.writer->isNull(row)) continue;
      if (!first) out += ',';
      first = false;
      out += column.label;
      if (const Status status = column.writer->append(row, out); !status.isOk()) return status.withContext("column '" + column.name + "'");
    }
    out += '}';
    return {};
  }

 private:
  struct LabelledColumn {
    std::string label;
    std::string name;
    std::unique_ptr<JsonValueWriter> writer;
  };
  std::vector<LabelledColumn> columns_;
  bool ignore_nulls_ = false;
};

/// What stands around a row's object.
struct EnvelopeText {
  std::string_view format;
  std::string_view insert_head, insert_tail;
  std::string_view delete_head, delete_tail;
};

constexpr EnvelopeText kPlain = {"json", "", "\n", "", "\n"};
constexpr EnvelopeText kEnvelopes[] = {
    {"debezium-json", R"({"before":null,"after":)", "," R"("op":"c"})" "\n", R"({"before":)", "," R"("after":null,"op":"d"})" "\n"},
    {"canal-json", R"({"data":[)", R"(],"type":"INSERT"})" "\n", R"({"data":[)", R"(],"type":"DELETE"})" "\n"},
    {"maxwell-json", R"({"data":)", "," R"("type":"insert"})" "\n", R"({"data":)", "," R"("type":"delete"})" "\n"},
    {"ogg-json", R"({"before":null,"after":)", "," R"("op_type":"I"})" "\n", R"({"before":)", "," R"("after":null,"op_type":"D"})" "\n"},
};

class JsonEncoder final : public FormatEncoder {
 public:
  explicit JsonEncoder(const EnvelopeText& envelope) : envelope_(envelope) {}
  Status setUp(const EncoderSpec& spec) { return object_.setUp(spec, FormatOptions(spec.format, spec.options)); }

  Status encode(const Batch& batch, std::span<const RowIndex> rows, std::string& out) override {
    object_.bind(batch);
    for (const RowIndex row : rows) {
      const bool added = isAccumulate(batch.rowKind(row));
      out += added ? envelope_.insert_head : envelope_.delete_head;
      RETURN_IF_ERROR(object_.append(row, out));
      out += added ? envelope_.insert_tail : envelope_.delete_tail;
    }
    return {};
  }

 private:
  const EnvelopeText& envelope_;
  ObjectWriter object_;
};

Result<std::unique_ptr<FormatEncoder>> makeEncoder(const EncoderSpec& spec, const EnvelopeText& envelope) {
  auto encoder = std::make_unique<JsonEncoder>(envelope);
  RETURN_IF_ERROR(encoder->setUp(spec).withContext("format " + spec.format));
  return std::unique_ptr<FormatEncoder>(std::move(encoder));
}

}  // namespace

Result<std::unique_ptr<FormatEncoder>> makeJsonEncoder(const EncoderSpec& spec) { return makeEncoder(spec, kPlain); }

Result<std::unique_ptr<FormatEncoder>> makeChangelogJsonEncoder(const EncoderSpec& spec) {
  if (FormatOptions(spec.format, spec.options).flag("schema-include")) {
    return Status::plan("'" + spec.format + ".schema-include' cannot be used for writing");
  }
  for (const EnvelopeText& envelope : kEnvelopes) {
    if (envelope.format == spec.format) return makeEncoder(spec, envelope);
  }
  return Status::internal("'" + spec.format + "' is no changelog format");
}

}  // namespace thalweg::format
