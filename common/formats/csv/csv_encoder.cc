// Columns to csv, with Jackson's quoting: text is quoted if it is longer than 24 UTF-16 units or holds a character up to
// the greater of delimiter and quote, or a backslash or the escape character; quotes inside are doubled.
#include <algorithm>
#include <array>
#include <optional>

#include "common/columnar/column_reader.h"
#include "common/formats/cell_writer.h"
#include "common/formats/format_list.h"
#include "common/formats/format_options.h"

namespace thalweg::format {
namespace {

struct CsvOutput {
  std::string delimiter = ",";
  std::string quote;
  std::string escape;
  std::string null_literal;
  std::string part_delimiter;
  CellForm form;

  explicit CsvOutput(const FormatOptions& options)
      : delimiter(options.character("field-delimiter")),
        quote(options.flag("disable-quote-character") ? "" : options.character("quote-character")),
        escape(options.character("escape-character")),
        null_literal(options.get("null-literal")),
        part_delimiter(options.get("array-element-delimiter")) {
    if (!options.flag("write-bigdecimal-in-scientific-notation")) form.decimals = DecimalForm::PLAIN_STRIPPED;
  }
};

class CsvEncoder final : public FormatEncoder {
 public:
  explicit CsvEncoder(CsvOutput output) : output_(std::move(output)) {
    const unsigned char bound = std::max({firstByte(output_.delimiter), firstByte(output_.quote), static_cast<unsigned char>('\n')});
    for (unsigned c = 0; c < needs_quotes_.size(); ++c) needs_quotes_[c] = c <= bound;
    needs_quotes_[output_.escape.empty() ? '\\' : firstByte(output_.escape)] = true;
  }

  Status addColumn(const DataType& type);

  Status encode(const Batch& batch, std::span<const RowIndex> rows, std::string& out) override {
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i]->bind(*batch.column(i));
    for (const RowIndex row : rows) {
      for (size_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) out += output_.delimiter;
        appendField(i, row, out);
      }
      out += '\n';
    }
    return {};
  }

 private:
  static unsigned char firstByte(const std::string& text) { return text.empty() ? 0 : static_cast<unsigned char>(text[0]); }

  static constexpr size_t kUnitsUnquotedMax = 24;
  static size_t utf16Units(std::string_view text) {
    size_t units = 0;
    for (const char c : text) units += (static_cast<unsigned char>(c) & 0xC0) == 0x80 ? 0 : static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
    return units;
  }

  void appendField(size_t i, size_t row, std::string& out) {
    if (columns_[i]->isNull(row)) {
      out += output_.null_literal;
      return;
    }
    if (columns_[i]->quoting() == CellWriter::Quoting::NUMBER) {
      columns_[i]->append(row, out);
      return;
    }
    const size_t begin = out.size();
    columns_[i]->append(row, out);
    quoteFrom(begin, out);
  }

  /// Puts the text that out ends with, from `begin` on, into quotes if it needs them.
  void quoteFrom(size_t begin, std::string& out) {
    if (output_.quote.empty()) return;
    const std::string_view text(out.data() + begin, out.size() - begin);
    if (!needsQuotes(text)) return;
    if (isPlain(text)) {   // nothing inside is doubled
      out.insert(begin, output_.quote);
      out += output_.quote;
      return;
    }
    field_.assign(text);
    out.resize(begin);
    out += output_.quote;
    for (const char c : field_) {
      if (output_.quote[0] == c) out += output_.quote;
      else if (!output_.escape.empty() && output_.escape[0] == c) out += output_.escape;
      out += c;
    }
    out += output_.quote;
  }

  bool needsQuotes(std::string_view text) const {
    constexpr size_t kBytesOfUnitMax = 3;
    if (text.size() > kUnitsUnquotedMax * kBytesOfUnitMax) return true;
    if (text.size() > kUnitsUnquotedMax && utf16Units(text) > kUnitsUnquotedMax) return true;
    return std::any_of(text.begin(), text.end(), [this](char c) { return needs_quotes_[static_cast<unsigned char>(c)]; });
  }

  bool isPlain(std::string_view text) const {
    return text.find(output_.quote[0]) == std::string_view::npos && (output_.escape.empty() || text.find(output_.escape[0]) == std::string_view::npos);
  }

  CsvOutput output_;
  std::vector<std::unique_ptr<CellWriter>> columns_;
  std::array<bool, 256> needs_quotes_{};
  std::string field_;
};

/// Parts of an array or a row in one field, separated by the part delimiter; NULL parts are empty.
class PartsWriter final : public CellWriter {
 public:
  PartsWriter(bool is_array, std::vector<std::unique_ptr<CellWriter>> children, std::string delimiter)
      : is_array_(is_array), children_(std::move(children)), delimiter_(std::move(delimiter)) {}

  void bind(const Vector& column) override {
    reader_.emplace(column);
    for (size_t i = 0; i < children_.size(); ++i) children_[i]->bind(*reader_->child(i));
  }
  bool isNull(size_t row) const override { return reader_->isNull(row); }
  void append(size_t row, std::string& out) const override {
    const size_t begin = is_array_ ? reader_->begin(row) : reader_->position(row);
    const size_t count = is_array_ ? reader_->length(row) : children_.size();
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) out += delimiter_;
      const CellWriter& child = *children_[is_array_ ? 0 : i];
      const size_t at = is_array_ ? begin + i : begin;
      if (!child.isNull(at)) child.append(at, out);
    }
  }
  Quoting quoting() const override { return Quoting::TEXT; }

 private:
  bool is_array_;
  std::vector<std::unique_ptr<CellWriter>> children_;
  std::string delimiter_;
  std::optional<NestedReader> reader_;
};

Status CsvEncoder::addColumn(const DataType& type) {
  if (type.kind() != TypeKind::ARRAY && type.kind() != TypeKind::ROW) {
    ASSIGN_OR_RETURN(auto cells, CellWriter::make(type, output_.form));
    columns_.push_back(std::move(cells));
    return {};
  }
  std::vector<std::unique_ptr<CellWriter>> children;
  for (size_t i = 0; i < type.childCount(); ++i) {
    ASSIGN_OR_RETURN(auto child, CellWriter::make(type.child(i), output_.form));
    children.push_back(std::move(child));
  }
  columns_.push_back(std::make_unique<PartsWriter>(type.kind() == TypeKind::ARRAY, std::move(children), output_.part_delimiter));
  return {};
}

}  // namespace

Result<std::unique_ptr<FormatEncoder>> makeCsvEncoder(const EncoderSpec& spec) {
  RETURN_IF_ERROR(checkCsvOptions(FormatOptions("csv", spec.options)));
  auto encoder = std::make_unique<CsvEncoder>(CsvOutput(FormatOptions("csv", spec.options)));
  for (const Column& column : spec.record.columns()) {
    RETURN_IF_ERROR(encoder->addColumn(column.type).withContext("column '" + column.name + "' of format csv"));
  }
  return std::unique_ptr<FormatEncoder>(std::move(encoder));
}

}  // namespace thalweg::format
