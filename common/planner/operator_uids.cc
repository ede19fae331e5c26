#include "common/planner/operator_uids.h"

#include <cstdio>

#include "common/base/hash.h"

namespace thalweg {

namespace {

/// Operators that keep nothing of the rows that pass.
bool isTransparent(const OperatorSpec& spec) {
  return std::holds_alternative<CalcSpec>(spec) || std::holds_alternative<UnionSpec>(spec) || std::holds_alternative<WatermarkAssignerSpec>(spec);
}

std::string digestOf(const std::string& text) {
  char digits[17];
  std::snprintf(digits, sizeof(digits), "%016llx", static_cast<unsigned long long>(hashBytes(text)));
  return digits;
}

}  // namespace

std::string OperatorUids::uidOf(const Draft& draft, const std::string& description) {
  std::string anchors;
  std::string identity;
  for (const DraftInput& input : draft.inputs) {
    anchors += anchors_.at(input.draft.get()) + ';';
    for (const Column& column : input.draft->schema.columns()) identity += column.type.toString() + ',';
    identity += ';';
  }
  // What is read of a source depends on its readers; its splits do not.
  const auto* source = std::get_if<SourceSpec>(&draft.spec);
  identity += (source ? source->table_name : description) + '|' + anchors;
  std::string uid = std::string(operatorKindName(draft.spec)) + '-' + digestOf(identity);
  if (const int number = ++alike_[uid]; number > 1) uid += '-' + std::to_string(number);
  anchors_[&draft] = isTransparent(draft.spec) ? anchors : uid;
  return uid;
}

}  // namespace thalweg
