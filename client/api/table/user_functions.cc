#include "client/api/table/user_functions.h"

#include <algorithm>
#include <optional>

#include "client/api/thalweg/exception.h"
#include "client/api/thalweg/inline_call.h"
#include "common/base/check.h"
#include "common/functions/aggregates/aggregate_object.h"
#include "common/types/type_rules.h"

namespace thalweg::api {
namespace {

/// A function as it was registered; what its kernels share.
struct Registered {
  std::string name;
  UserFunction function;                 ///< table functions give arrays
  table::FunctionContext context;
};
using RegisteredPtr = std::shared_ptr<const Registered>;

template <typename Work>
Status guarded(const Registered& registered, Work&& work) {
  try {
    work();
    return {};
  } catch (const std::exception& thrown) {
    return Status::runtime("function '" + registered.name + "' failed: " + thrown.what());
  } catch (...) {
    return Status::runtime("function '" + registered.name + "' failed with an exception of an unknown type; throw std::exception or one of its kin");
  }
}

// --- types ------------------------------------------------------------------------------------------------

/// Whether values of `given` are read as `wanted` without a cast.
bool readsAs(const DataType& given, const DataType& wanted) {
  if (wanted.kind() == TypeKind::ROW && wanted.childCount() == 0) return given.kind() == TypeKind::ROW;
  if (given.isString() && wanted.isString()) return true;
  if (given.kind() != wanted.kind() || given.childCount() != wanted.childCount()) {
    return (given.kind() == TypeKind::BINARY || given.kind() == TypeKind::VARBINARY) && (wanted.kind() == TypeKind::BINARY || wanted.kind() == TypeKind::VARBINARY);
  }
  for (size_t i = 0; i < given.childCount(); ++i) {
    if (!readsAs(given.child(i), wanted.child(i))) return false;
  }
  return true;
}

bool takes(const UserSignature& signature, size_t arguments) {
  return arguments >= signature.argumentsMin() && arguments <= signature.argumentsMax();
}

enum class Fit : uint8_t { EXACT, CAST };

/// The first argument that does not fit; none if all do.
std::optional<size_t> misfit(const UserSignature& signature, std::span<const ArgumentInfo> arguments, Fit fit) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const DataType& given = arguments[i].type;
    if (given.isNull() || readsAs(given, signature.argument(i))) continue;
    if (fit == Fit::EXACT || !supportsImplicitCast(given, signature.argument(i))) return i;
  }
  return std::nullopt;
}

/// As Flink chooses: the first that fits as it is, else the first that fits with casts.
const UserSignature* choose(const Registered& registered, std::span<const ArgumentInfo> arguments) {
  for (const Fit fit : {Fit::EXACT, Fit::CAST}) {
    for (const UserSignature& signature : registered.function.signatures) {
      if (takes(signature, arguments.size()) && !misfit(signature, arguments, fit)) return &signature;
    }
  }
  return nullptr;
}

std::string signatureOf(const std::string& name, const UserSignature& signature) {
  std::string text = name + "(";
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const std::string type = (i ? ", " : "") + signature.arguments[i].toString();
    if (signature.variadic && i + 1 == signature.arguments.size()) text += type + "...";
    else text += i >= signature.argumentsMin() ? "[" + type + "]" : type;
  }
  return text + ")";
}

std::string signaturesOf(const Registered& registered) {
  std::string text;
  for (const UserSignature& signature : registered.function.signatures) text += (text.empty() ? "" : ", ") + signatureOf(registered.name, signature);
  return text;
}

Status refusal(const Registered& registered, std::span<const ArgumentInfo> arguments) {
  const auto& signatures = registered.function.signatures;
  if (signatures.size() == 1 && takes(signatures[0], arguments.size())) {
    const size_t at = *misfit(signatures[0], arguments, Fit::CAST);
    return Status::plan("argument " + std::to_string(at + 1) + " of '" + registered.name + "' takes " + signatures[0].argument(at).toString() + ", but was given " +
                        arguments[at].type.toString());
  }
  std::string given;
  for (const ArgumentInfo& argument : arguments) given += (given.empty() ? "" : ", ") + argument.type.toString();
  return Status::plan("no signature of '" + registered.name + "' takes (" + given + "); there are " + signaturesOf(registered));
}

Result<ResolvedSignature> resolveCall(const Registered& registered, std::span<const ArgumentInfo> arguments) {
  const UserSignature* signature = choose(registered, arguments);
  if (signature == nullptr) return refusal(registered, arguments);
  ResolvedSignature resolved;
  bool may_be_missing = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const DataType& given = arguments[i].type;
    const DataType& wanted = signature->argument(i);
    may_be_missing = may_be_missing || (given.nullable() && !wanted.nullable());
    if (given.isNull()) resolved.argument_types.push_back(wanted.asNullable());
    else if (readsAs(given, wanted)) resolved.argument_types.push_back(given);
    else resolved.argument_types.push_back(given.nullable() ? wanted.asNullable() : wanted);
  }
  const bool scalar = registered.function.kind == UserFunction::Kind::SCALAR;
  resolved.result_type = scalar && may_be_missing ? signature->result.asNullable() : signature->result;
  return resolved;
}

/// The signature that a resolved call was resolved to: its types are what that one reads.
const UserSignature& signatureOfCall(const Registered& registered, std::span<const ArgumentInfo> arguments) {
  const UserSignature* signature = choose(registered, arguments);
  CHECK_MSG(signature != nullptr, registered.name);
  return *signature;
}

size_t argumentsMin(const Registered& registered) {
  size_t fewest = SIZE_MAX;
  for (const UserSignature& signature : registered.function.signatures) fewest = std::min(fewest, signature.argumentsMin());
  return fewest;
}

size_t argumentsMax(const Registered& registered) {
  size_t most = 0;
  for (const UserSignature& signature : registered.function.signatures) most = std::max(most, signature.argumentsMax());
  return most;
}

// --- kernels ----------------------------------------------------------------------------------------------

class CallKernel final : public ScalarKernel {
 public:
  CallKernel(RegisteredPtr registered, const UserSignature& signature, DataType result)
      : registered_(std::move(registered)), result_(std::move(result)), body_(signature.make_call()) {}
  ~CallKernel() override {
    if (opened_) (void)guarded(*registered_, [&] { body_->close(); });
  }
  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    VectorPtr result;
    RETURN_IF_ERROR(guarded(*registered_, [&] {
      if (!std::exchange(opened_, true)) body_->open(registered_->context);
      result = body_->evaluate(arguments, rows, result_);
    }));
    return result;
  }

 private:
  RegisteredPtr registered_;
  DataType result_;
  std::unique_ptr<CallBody> body_;
  bool opened_ = false;
};

struct HeldAccumulator {
  AggregateBody::Accumulator value;
};

class AggregateCallKernel final : public ObjectAggregate<AggregateCallKernel, HeldAccumulator> {
 public:
  AggregateCallKernel(RegisteredPtr registered, const UserSignature& signature, DataType result)
      : registered_(std::move(registered)), result_(std::move(result)), has_merge_(signature.has_merge), body_(signature.make_aggregate()) {}
  ~AggregateCallKernel() override {
    if (opened_) (void)guarded(*registered_, [&] { body_->close(); });
  }

  void bind(const AggregateInput& input) {
    bound_ = guarded(*registered_, [&] {
      open();
      body_->bind(input.arguments, input.rows());
    });
  }
  Status fold(HeldAccumulator& held, size_t row, bool retract) {
    RETURN_IF_ERROR(bound_);
    return guarded(*registered_, [&] {
      if (!held.value) held.value = body_->create();
      body_->fold(held.value, row, retract);
    });
  }

  class Results {
   public:
    explicit Results(AggregateCallKernel& kernel) : kernel_(kernel), results_(kernel.body_->results()) {}
    Status append(const HeldAccumulator* held) {
      return guarded(*kernel_.registered_, [&] {
        kernel_.open();
        results_->append(held ? held->value : AggregateBody::Accumulator());
      });
    }
    VectorPtr finish() { return results_->finish(kernel_.result_); }

   private:
    AggregateCallKernel& kernel_;
    std::unique_ptr<AggregateBody::Results> results_;
  };
  Results results(size_t) const { return Results(const_cast<AggregateCallKernel&>(*this)); }

  Status mergeObjects(HeldAccumulator& into, const HeldAccumulator& from) {
    if (!has_merge_) {
      return Status::notSupported("function '" + registered_->name + "' has no merge(Acc&, const Acc&), which windows that merge need");
    }
    return guarded(*registered_, [&] {
      open();
      if (!into.value) into.value = body_->create();
      if (from.value) body_->merge(into.value, from.value);
    });
  }
  void save(const HeldAccumulator& held, StateWriter& out) const {
    std::string bytes;
    if (held.value) body_->save(held.value, bytes);
    out.number<uint8_t>(held.value != nullptr);
    out.text(bytes);
  }
  bool load(StateReader& in, HeldAccumulator& held) const {
    const bool present = in.number<uint8_t>() != 0;
    const std::string_view bytes = in.text();
    if (!in.isOk()) return false;
    return !present || guarded(*registered_, [&] { held.value = body_->load(bytes); }).isOk();
  }

 private:
  void open() {
    if (!std::exchange(opened_, true)) body_->open(registered_->context);
  }

  RegisteredPtr registered_;
  DataType result_;
  bool has_merge_;
  std::unique_ptr<AggregateBody> body_;
  Status bound_;
  bool opened_ = false;
};

// --- the engine's functions -------------------------------------------------------------------------------

ScalarFunction scalarOf(const RegisteredPtr& registered, std::string_view category) {
  ScalarFunction function;
  function.name = registered->name;
  function.category = category;
  function.signature = signaturesOf(*registered);
  function.description = "A function of the program.";
  function.min_arguments = argumentsMin(*registered);
  function.max_arguments = argumentsMax(*registered);
  function.resolve = [registered](std::span<const ArgumentInfo> arguments) { return resolveCall(*registered, arguments); };
  function.make = [registered](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    return std::make_unique<CallKernel>(registered, signatureOfCall(*registered, call.arguments), call.result_type);
  };
  function.determinism = registered->function.deterministic ? Determinism::DETERMINISTIC : Determinism::NON_DETERMINISTIC;
  function.can_fail = true;
  return function;
}

AggregateFunction aggregateOf(const RegisteredPtr& registered, std::string_view category) {
  AggregateFunction function;
  function.name = registered->name;
  function.category = category;
  function.signature = signaturesOf(*registered);
  function.description = "An aggregate function of the program.";
  function.min_arguments = argumentsMin(*registered);
  function.max_arguments = argumentsMax(*registered);
  function.resolve = [registered](std::span<const ArgumentInfo> arguments) { return resolveCall(*registered, arguments); };
  function.make = [registered](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
    const UserSignature& signature = signatureOfCall(*registered, call.arguments);
    if (call.needs_retraction && !signature.has_retract) {
      return Status::plan("function '" + registered->name + "' has no retract(Acc&, …), which it needs here, as its input has updates");
    }
    return std::make_unique<AggregateCallKernel>(registered, signature, call.result_type);
  };
  function.order_sensitive = true;
  return function;
}

}  // namespace

namespace {

/// Calls `add` with the engine's function.
template <typename Add>
void makeFunction(std::string_view name, UserFunction function, std::map<std::string, std::string> parameters, Add&& add) {
  const UserFunction::Kind kind = function.kind;
  const bool gives_rows = kind == UserFunction::Kind::TABLE || kind == UserFunction::Kind::TABLE_AGGREGATE;
  for (UserSignature& signature : function.signatures) {
    if (signature.result.kind() == TypeKind::ROW && signature.result.childCount() == 0) {
      throw ValidationException("function '" + std::string(name) + "' gives Rows, whose fields are not known: override getResultType() with DataTypes::ROW({…})");
    }
    if (gives_rows) signature.result = DataType::array(std::move(signature.result), false);
  }
  const auto registered = std::make_shared<const Registered>(Registered{std::string(name), std::move(function), table::FunctionContext(std::move(parameters))});
  switch (kind) {
    case UserFunction::Kind::SCALAR: add(scalarOf(registered, "user function")); break;
    case UserFunction::Kind::TABLE: add(scalarOf(registered, kUserTableFunction)); break;
    case UserFunction::Kind::AGGREGATE: add(aggregateOf(registered, "user aggregate")); break;
    case UserFunction::Kind::TABLE_AGGREGATE: add(aggregateOf(registered, kUserTableAggregate)); break;
  }
}

}  // namespace

void registerFunction(SessionFunctions& functions, std::string_view name, UserFunction function, std::map<std::string, std::string> parameters) {
  if (name.empty()) throw ValidationException("a function needs a name");
  if (functions.scalar(name) || functions.aggregate(name)) {
    throw ValidationException("Could not register temporary system function. A function named '" + std::string(name) + "' does already exist.");
  }
  makeFunction(name, std::move(function), std::move(parameters), [&](auto made) { functions.add(std::move(made)); });
}

Expression inlineCall(const std::string& class_name, UserFunction function, const std::vector<Expression>& arguments) {
  std::string name;
  makeFunction(class_name, std::move(function), {}, [&](auto made) { name = SessionFunctions::addInline(std::move(made)); });
  return Expression::callOf(name, arguments);
}

std::vector<uint8_t> nullRowsOf(const Vector& column) {
  std::vector<uint8_t> nulls;
  const size_t rows = column.size();
  for (size_t row = 0; row < rows; ++row) {
    if (!column.isNull(row)) continue;
    nulls.resize(rows);
    nulls[row] = 1;
  }
  return nulls;
}

VectorPtr rowColumn(const DataType& type, std::span<const Row* const> rows) {
  std::vector<Value> values;
  for (const Row* row : rows) {
    if (row == nullptr) {
      values.emplace_back();
      continue;
    }
    if (static_cast<size_t>(row->getArity()) != type.childCount()) {
      throw ValidationException("a row of " + std::to_string(row->getArity()) + " fields does not fit " + type.toString());
    }
    std::vector<Value> fields;
    for (int i = 0; i < row->getArity(); ++i) fields.push_back(convertValue(row->getField(i), row->getFieldType(i), type.child(static_cast<size_t>(i))));
    values.push_back(Value::row(std::move(fields), row->getKind()));
  }
  return makeVector(type, values);
}

Row rowAt(const Vector& column, size_t row) { return FieldTraits<Row>::fromValue(column.valueAt(row), column.type()); }

}  // namespace thalweg::api
