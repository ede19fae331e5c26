// ChangelogText: the kinds of rows as a column of text, and back (TO_CHANGELOG, FROM_CHANGELOG). Stateless.

#include <array>

#include "common/columnar/builder.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

class ToTextOperator : public PieceOperator {
 public:
  ToTextOperator(const ChangelogTextSpec& spec, DataType type) : type_(std::move(type)) {
    for (const auto& [text, kind] : spec.kinds) texts_[static_cast<size_t>(kind)] = text;
  }

  Status open(OperatorContext&) override { return {}; }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    std::vector<RowIndex> rows;
    StringBuilder kinds(type_, piece.rows());
    for (size_t row = 0; row < piece.rows(); ++row) {
      const auto& text = texts_[static_cast<size_t>(piece.rowKind(row))];
      if (!text) continue;
      rows.push_back(static_cast<RowIndex>(row));
      kinds.append(*text);
    }
    if (rows.empty()) return Progress::DONE;
    std::vector<VectorPtr> columns = {kinds.finish()};
    for (const VectorPtr& column : piece.columns()) columns.push_back(gather(*column, rows));
    RETURN_IF_ERROR(output.emit(Batch(rows.size(), std::move(columns))));
    return Progress::DONE;
  }

 private:
  DataType type_;
  std::array<std::optional<std::string>, 4> texts_;   // by row kind
};

class FromTextOperator : public PieceOperator {
 public:
  explicit FromTextOperator(const ChangelogTextSpec& spec) : spec_(spec) {}

  Status open(OperatorContext&) override { return {}; }

  Result<Progress> processRows(int, const Batch& piece, Output& output) override {
    const Vector& texts = *piece.column(static_cast<size_t>(spec_.text_column));
    std::vector<RowKind> kinds;
    for (size_t row = 0; row < piece.rows(); ++row) {
      ASSIGN_OR_RETURN(const RowKind kind, kindOf(texts.valueAt(row)));
      kinds.push_back(kind);
    }
    std::vector<VectorPtr> columns;
    for (size_t i = 0; i < piece.columns().size(); ++i) {
      if (static_cast<int>(i) != spec_.text_column) columns.push_back(piece.column(i));
    }
    RETURN_IF_ERROR(output.emit(Batch(piece.rows(), std::move(columns)).withRowKinds(makeRowKinds(kinds))));
    return Progress::DONE;
  }

 private:
  Result<RowKind> kindOf(const Value& value) const {
    const std::string text = value.isNull() ? std::string("NULL") : std::string(value.asString());
    if (!value.isNull()) {
      for (const auto& [known, kind] : spec_.kinds) {
        if (known == text) return kind;
      }
    }
    return Status::runtime("FROM_CHANGELOG found the code '" + text + "', which its op_mapping does not know");
  }

  ChangelogTextSpec spec_;
};

}  // namespace

Result<std::unique_ptr<Operator>> makeChangelogText(const ChangelogTextSpec& spec, const PlanNode& node) {
  if (spec.to_text) return std::unique_ptr<Operator>(std::make_unique<ToTextOperator>(spec, node.schema.type(0)));
  return std::unique_ptr<Operator>(std::make_unique<FromTextOperator>(spec));
}

}  // namespace thalweg::worker
