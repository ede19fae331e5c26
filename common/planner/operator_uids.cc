#include "common/planner/operator_uids.h"

#include <cstdio>

#include "common/base/hash.h"
#include "common/runtime_api/computed_inputs.h"

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

std::string OperatorUids::uidOf(const Draft& draft, const std::string& text) {
  std::string anchors;
  std::string identity;
  for (const DraftInput& input : draft.inputs) {
    anchors += anchors_.at(input.draft.get()) + ';';
    for (const Column& column : input.draft->schema.columns()) identity += column.type.toString() + ',';
    identity += ';';
  }
  identity += text + '|' + anchors;
  std::string uid = std::string(operatorKindName(draft.spec)) + '-' + digestOf(identity);
  if (const int number = ++alike_[uid]; number > 1) uid += '-' + std::to_string(number);
  anchors_[&draft] = isTransparent(draft.spec) ? anchors : uid;
  if (isTransparent(draft.spec)) computed_[&draft] = computedBy(draft, computedBefore(draft));
  return uid;
}

OperatorUids::Computed OperatorUids::computedBefore(const Draft& draft) const {
  Computed all;
  for (const DraftInput& input : draft.inputs) {
    const auto found = computed_.find(input.draft.get());
    if (found == computed_.end()) continue;
    all.expressions.insert(found->second.expressions.begin(), found->second.expressions.end());
    all.shared = all.shared || found->second.shared;
  }
  return all;
}

OperatorUids::Computed OperatorUids::computedBy(const Draft& draft, Computed before) {
  before.shared = before.shared || draft.consumers > 1;
  if (const auto* calc = std::get_if<CalcSpec>(&draft.spec)) {
    const Schema& input = draft.inputs[0].draft->schema;
    for (const BoundExprPtr& projection : calc->projections) {
      if (!projection->isColumn()) before.expressions.insert(exprText(*projection, &input));
    }
  }
  return before;
}

std::optional<std::string> OperatorUids::computedInputsOf(const Draft& draft) const {
  const OperatorSpec& spec = draft.spec;
  if (draft.inputs.empty() || isTransparent(spec) || std::holds_alternative<SinkSpec>(spec) || std::holds_alternative<CollectSpec>(spec)) {
    return std::nullopt;
  }
  const Computed computed = computedBefore(draft);
  std::string text = computed.shared ? std::string(kSharedInputs) : std::string();
  for (const std::string& expression : computed.expressions) text += expression + '\n';
  return text;
}

}  // namespace thalweg
