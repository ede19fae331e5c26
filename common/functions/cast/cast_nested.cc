// Casts among ARRAYs, MAPs, MULTISETs and ROWs: the children are cast as columns, offsets and nulls stay. Under
// TRY_CAST one bad element makes the whole value NULL; where that can happen values are cast one by one.
#include "common/functions/cast/cast.h"
#include "common/functions/function_registry.h"
#include "common/functions/kernel_adapters.h"
#include "common/types/type_rules.h"

namespace thalweg {

namespace {

class NestedCastKernel final : public ScalarKernel {
 public:
  NestedCastKernel(CastCall call, std::vector<std::unique_ptr<ScalarKernel>> children)
      : call_(std::move(call)), can_fail_(castCanFail(call_.from, call_.to)), children_(std::move(children)) {}

  Result<VectorPtr> evaluate(EvalContext& context, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(call_.to, rows);
    // a failing cast must not see elements that no row has
    const VectorPtr flat = can_fail_ ? arguments[0]->compact() : arguments[0]->flatten();
    std::vector<VectorPtr> children;
    for (size_t i = 0; i < children_.size(); ++i) {
      VectorPtr child = flat->child(i);
      if (call_.from.kind() == TypeKind::ROW) child = mergeArgumentNulls(child, {&flat, 1});
      const VectorPtr argument[] = {child};
      ASSIGN_OR_RETURN(VectorPtr cast, children_[i]->evaluate(context, argument, child->size()));
      children.push_back(mergeArgumentNulls(std::move(cast), argument));
    }
    return Vector::flat({.type = call_.to,
                         .size = rows,
                         .validity = flat->validityBuffer(),
                         .data = flat->dataBuffer(),
                         .strings = {},
                         .children = std::move(children)});
  }

 private:
  CastCall call_;
  bool can_fail_;
  std::vector<std::unique_ptr<ScalarKernel>> children_;
};

}  // namespace

Result<std::unique_ptr<ScalarKernel>> makeNestedCast(const CastCall& call) {
  if (call.from.kind() != call.to.kind() || call.from.childCount() != call.to.childCount()) return nullptr;
  if (call.is_try && castCanFail(call.from, call.to)) return nullptr;
  std::vector<std::unique_ptr<ScalarKernel>> children;
  for (size_t i = 0; i < call.from.childCount(); ++i) {
    ASSIGN_OR_RETURN(std::unique_ptr<ScalarKernel> child, makeCastKernel(call.from.child(i), call.to.child(i), false));
    children.push_back(std::move(child));
  }
  if (call.from.kind() == TypeKind::MULTISET) {  // the counts beside the elements
    ASSIGN_OR_RETURN(std::unique_ptr<ScalarKernel> counts,
                     makeCastKernel(DataType::integer(), DataType::integer(), false));
    children.push_back(std::move(counts));
  }
  return std::make_unique<NestedCastKernel>(call, std::move(children));
}

}  // namespace thalweg
