#include "common/formats/csv/csv_nested.h"

#include "common/formats/column_parts.h"

namespace thalweg::format {
namespace {

/// Hands out the parts of a field one by one.
class PartReader {
 public:
  PartReader(std::string_view text, std::string_view delimiter) : text_(text), delimiter_(delimiter) {}

  bool next(std::string_view& part) {
    if (done_) return false;
    const size_t end = delimiter_.empty() ? std::string_view::npos : text_.find(delimiter_);
    part = text_.substr(0, end);
    done_ = end == std::string_view::npos;
    if (!done_) text_.remove_prefix(end + delimiter_.size());
    return true;
  }

 private:
  std::string_view text_;
  std::string_view delimiter_;
  bool done_ = false;
};

/// What arrays and rows do alike: one part into a child.
class PartColumn : public CellColumn {
 protected:
  explicit PartColumn(CsvParts parts) : parts_(std::move(parts)) {}

  bool setPart(CellColumn& child, size_t row, std::string_view part, bool shared) {
    if (parts_.null_literal == part) {
      child.setNull(row);
      return true;
    }
    if (child.set(row, {.text = part, .shared = shared})) return true;
    if (!parts_.ignore_errors) return false;
    child.setNull(row);
    return true;
  }
  const CsvParts& parts() const { return parts_; }

 private:
  CsvParts parts_;
};

class ArrayColumn final : public PartColumn {
 public:
  ArrayColumn(DataType type, std::unique_ptr<CellColumn> child, CsvParts parts)
      : PartColumn(std::move(parts)), type_(std::move(type)), child_(std::move(child)) {}

  void reserve(size_t rows) override { ends_.reserve(rows); }
  void useBuffer(const BufferPtr& buffer) override { child_->useBuffer(buffer); }
  bool set(size_t row, const Cell& cell) override {
    size_t at = ends_.begin(row);
    PartReader reader(cell.text, parts().delimiter);
    std::string_view part;
    while (!cell.text.empty() && reader.next(part)) {
      child_->reserve(at + 1);
      if (!setPart(*child_, at++, part, cell.shared)) return false;
    }
    ends_.setEnd(row, at);
    nulls_.setValid(row);
    return true;
  }
  void setNull(size_t row) override {
    ends_.setEnd(row, ends_.begin(row));
    nulls_.setNull(row);
  }
  VectorPtr finish(size_t rows) override {
    ends_.reserve(rows);
    VectorPtr child = child_->finish(ends_.end(rows));
    BufferPtr validity = nulls_.finish(rows);
    return Vector::flat({.type = type_, .size = rows, .validity = std::move(validity), .data = ends_.finish(rows), .children = {child}});
  }

 private:
  DataType type_;
  std::unique_ptr<CellColumn> child_;
  ListEnds ends_;
  NullMarks nulls_;
};

class RowColumn final : public PartColumn {
 public:
  RowColumn(DataType type, std::vector<std::unique_ptr<CellColumn>> children, CsvParts parts)
      : PartColumn(std::move(parts)), type_(std::move(type)), children_(std::move(children)) {}

  void reserve(size_t rows) override {
    for (auto& child : children_) child->reserve(rows);
  }
  void useBuffer(const BufferPtr& buffer) override {
    for (auto& child : children_) child->useBuffer(buffer);
  }
  bool set(size_t row, const Cell& cell) override {
    if (cell.text.empty()) {
      setNull(row);
      return true;
    }
    PartReader reader(cell.text, parts().delimiter);
    std::string_view part;
    for (auto& child : children_) {
      if (reader.next(part)) {
        if (!setPart(*child, row, part, cell.shared)) return false;
      } else if (parts().ignore_errors) {
        child->setNull(row);
      } else {
        return false;
      }
    }
    if (reader.next(part) && !parts().ignore_errors) return false;
    nulls_.setValid(row);
    return true;
  }
  void setNull(size_t row) override {
    for (auto& child : children_) child->setNull(row);
    nulls_.setNull(row);
  }
  VectorPtr finish(size_t rows) override {
    std::vector<VectorPtr> children;
    for (auto& child : children_) children.push_back(child->finish(rows));
    return Vector::flat({.type = type_, .size = rows, .validity = nulls_.finish(rows), .children = std::move(children)});
  }

 private:
  DataType type_;
  std::vector<std::unique_ptr<CellColumn>> children_;
  NullMarks nulls_;
};

}  // namespace

Result<std::unique_ptr<CellColumn>> makeCsvColumn(const DataType& type, const CellRules& rules, const CsvParts& parts) {
  if (type.kind() != TypeKind::ARRAY && type.kind() != TypeKind::ROW) return CellColumn::make(type, rules);
  std::vector<std::unique_ptr<CellColumn>> children;
  for (size_t i = 0; i < type.childCount(); ++i) {
    ASSIGN_OR_RETURN(auto child, CellColumn::make(type.child(i), rules));
    children.push_back(std::move(child));
  }
  if (type.kind() == TypeKind::ARRAY) {
    return std::unique_ptr<CellColumn>(std::make_unique<ArrayColumn>(type, std::move(children[0]), parts));
  }
  return std::unique_ptr<CellColumn>(std::make_unique<RowColumn>(type, std::move(children), parts));
}

}  // namespace thalweg::format
