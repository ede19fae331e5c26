#include <cmath>
#include <optional>

#include "common/columnar/column_reader.h"
#include "common/formats/cell_writer.h"
#include "common/formats/json/json_cursor.h"

namespace thalweg::format {
namespace {

using Options = JsonValueWriter::Options;

class ScalarWriter final : public JsonValueWriter {
 public:
  ScalarWriter(const DataType& type, std::unique_ptr<CellWriter> cells)
      : cells_(std::move(cells)),
        approximate_(type.isApproximateNumeric()),
        text_(type.isString()),
        quoted_(cells_->quoting() == CellWriter::Quoting::TEXT) {}

  void bind(const Vector& column) override { cells_->bind(column); }
  bool isNull(size_t row) const override { return cells_->isNull(row); }
  Status append(size_t row, std::string& out) const override {
    if (cells_->isNull(row)) {
      out += "null";
    } else if (text_) {
      scratch_.clear();
      cells_->append(row, scratch_);
      appendJsonString(out, scratch_, true);
    } else if (quoted_) {
      out += '"';
      cells_->append(row, out);
      out += '"';
    } else {
      const size_t begin = out.size();
      cells_->append(row, out);
      if (approximate_ && (out.back() == 'N' || out.back() == 'y')) out.insert(begin, 1, '"').append(1, '"');  // NaN, Infinity
    }
    return {};
  }

 private:
  std::unique_ptr<CellWriter> cells_;
  bool approximate_;
  bool text_;
  bool quoted_;
  mutable std::string scratch_;
};

class ArrayWriter final : public JsonValueWriter {
 public:
  explicit ArrayWriter(std::unique_ptr<JsonValueWriter> child) : child_(std::move(child)) {}

  void bind(const Vector& column) override {
    reader_.emplace(column);
    child_->bind(*reader_->child(0));
  }
  bool isNull(size_t row) const override { return reader_->isNull(row); }
  Status append(size_t row, std::string& out) const override {
    if (reader_->isNull(row)) {
      out += "null";
      return {};
    }
    out += '[';
    const size_t begin = reader_->begin(row);
    for (size_t i = 0; i < reader_->length(row); ++i) {
      if (i > 0) out += ',';
      RETURN_IF_ERROR(child_->append(begin + i, out));
    }
    out += ']';
    return {};
  }

 private:
  std::unique_ptr<JsonValueWriter> child_;
  std::optional<NestedReader> reader_;
};

class MapWriter final : public JsonValueWriter {
 public:
  MapWriter(std::unique_ptr<JsonValueWriter> values, Options options) : values_(std::move(values)), options_(std::move(options)) {}

  void bind(const Vector& column) override {
    reader_.emplace(column);
    keys_.emplace(*reader_->child(0));
    values_->bind(*reader_->child(1));
  }
  bool isNull(size_t row) const override { return reader_->isNull(row); }
  Status append(size_t row, std::string& out) const override {
    if (reader_->isNull(row)) {
      out += "null";
      return {};
    }
    out += '{';
    bool first = true;
    const size_t begin = reader_->begin(row);
    for (size_t at = begin; at < begin + reader_->length(row); ++at) {
      if (keys_->isNull(at) && options_.null_key == Options::NullKey::DROP) continue;
      if (keys_->isNull(at) && options_.null_key == Options::NullKey::FAIL) {
        return Status::runtime("a map has a NULL key, which json cannot hold; set 'json.map-null-key.mode' to 'DROP' or 'LITERAL'");
      }
      if (!first) out += ',';
      first = false;
      appendJsonString(out, keys_->isNull(at) ? std::string_view(options_.null_key_literal) : (*keys_)[at], true);
      out += ':';
      RETURN_IF_ERROR(values_->append(at, out));
    }
    out += '}';
    return {};
  }

 private:
  std::unique_ptr<JsonValueWriter> values_;
  Options options_;
  std::optional<NestedReader> reader_;
  std::optional<ColumnReader<std::string_view>> keys_;
};

class RowWriter final : public JsonValueWriter {
 public:
  explicit RowWriter(bool ignore_nulls) : ignore_nulls_(ignore_nulls) {}

  void addField(std::string_view name, std::unique_ptr<JsonValueWriter> writer) {
    std::string label;
    appendJsonString(label, name, true);
    fields_.push_back({label + ':', std::move(writer)});
  }
  void bind(const Vector& column) override {
    reader_.emplace(column);
    for (size_t i = 0; i < fields_.size(); ++i) fields_[i].writer->bind(*reader_->child(i));
  }
  bool isNull(size_t row) const override { return reader_->isNull(row); }
  Status append(size_t row, std::string& out) const override {
    if (reader_->isNull(row)) {
      out += "null";
      return {};
    }
    const size_t at = reader_->position(row);
    out += '{';
    bool first = true;
    for (const auto& field : fields_) {
      if (ignore_nulls_ && field.writer->isNull(at)) continue;
      if (!first) out += ',';
      first = false;
      out += field.label;
      RETURN_IF_ERROR(field.writer->append(at, out));
    }
    out += '}';
    return {};
  }

 private:
  struct LabelledWriter {
    std::string label;
    std::unique_ptr<JsonValueWriter> writer;
  };
  bool ignore_nulls_;
  std::vector<LabelledWriter> fields_;
  std::optional<NestedReader> reader_;
};

}  // namespace

Result<std::unique_ptr<JsonValueWriter>> JsonValueWriter::make(const DataType& type, const Options& options) {
  switch (type.kind()) {
    case TypeKind::ARRAY: {
      ASSIGN_OR_RETURN(auto child, make(type.child(0), options));
      return std::unique_ptr<JsonValueWriter>(std::make_unique<ArrayWriter>(std::move(child)));
    }
    case TypeKind::MAP: case TypeKind::MULTISET: {
      const std::vector<DataType> children = childTypes(type);
      if (!children[0].isString()) {
        return Status::notSupported("json maps with keys of type " + children[0].toString() + "; keys must be text");
      }
      ASSIGN_OR_RETURN(auto values, make(children[1], options));
      return std::unique_ptr<JsonValueWriter>(std::make_unique<MapWriter>(std::move(values), options));
    }
    case TypeKind::ROW: {
      auto row = std::make_unique<RowWriter>(options.ignore_null_fields);
      for (size_t i = 0; i < type.childCount(); ++i) {
        ASSIGN_OR_RETURN(auto child, make(type.child(i), options));
        row->addField(type.fieldName(i), std::move(child));
      }
      return std::unique_ptr<JsonValueWriter>(std::move(row));
    }
    default: {
      ASSIGN_OR_RETURN(auto cells, CellWriter::make(type, options.form));
      return std::unique_ptr<JsonValueWriter>(std::make_unique<ScalarWriter>(type, std::move(cells)));
    }
  }
}

}  // namespace thalweg::format
