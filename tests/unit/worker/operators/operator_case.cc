#include "tests/unit/worker/operators/operator_case.h"

#include <stdexcept>

#include "common/columnar/builder.h"
#include "worker/operators/operator_registry.h"

namespace thalweg::worker {
namespace {

RowKind kindOf(const std::string& message) {
  for (const RowKind kind : {RowKind::INSERT, RowKind::UPDATE_BEFORE, RowKind::UPDATE_AFTER, RowKind::DELETE}) {
    if (message.starts_with(rowKindText(kind))) return kind;
  }
  throw std::runtime_error("no row kind: " + message);
}

/// Splits `a, [b, c], d` at its outer commas.
std::vector<std::string> partsOf(const std::string& text) {
  std::vector<std::string> parts;
  std::string part;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{' || text[i] == '(') ++depth;
    if (text[i] == ']' || text[i] == '}' || text[i] == ')') --depth;
    if (text[i] == ',' && depth == 0) {
      parts.push_back(part);
      part.clear();
      ++i;   // the blank
    } else {
      part += text[i];
    }
  }
  if (!text.empty()) parts.push_back(part);
  return parts;
}

std::string inner(const std::string& text) { return text.substr(1, text.size() - 2); }

Value valueOf(const DataType& type, const std::string& text) {
  if (text == "null") return Value::null();
  switch (type.kind()) {
    case TypeKind::BOOLEAN: return Value::boolean(text == "true");
    case TypeKind::CHAR:
    case TypeKind::VARCHAR: return Value::string(text);
    case TypeKind::FLOAT:
    case TypeKind::DOUBLE: return Value::floating(std::stod(text));
    case TypeKind::DECIMAL: return Value::decimal(std::stoll(text));
    case TypeKind::TIMESTAMP:
    case TypeKind::TIMESTAMP_LTZ: return Value::timestamp({std::stoll(text), 0, 0});
    case TypeKind::ARRAY: {
      std::vector<Value> elements;
      for (const std::string& part : partsOf(inner(text))) elements.push_back(valueOf(type.child(0), part));
      return Value::list(std::move(elements));
    }
    case TypeKind::MAP: {
      std::vector<std::pair<Value, Value>> entries;
      for (const std::string& part : partsOf(inner(text))) {
        const size_t equals = part.find('=');
        entries.emplace_back(valueOf(type.child(0), part.substr(0, equals)), valueOf(type.child(1), part.substr(equals + 1)));
      }
      return Value::map(std::move(entries));
    }
    case TypeKind::ROW: {
      std::vector<Value> fields;
      const auto parts = partsOf(inner(text));
      for (size_t i = 0; i < parts.size(); ++i) fields.push_back(valueOf(type.child(i), parts[i]));
      return Value::row(std::move(fields));
    }
    default: return Value::integer(std::stoll(text));
  }
}

Schema schemaOf(const Types& types) {
  std::vector<Column> columns;
  for (size_t i = 0; i < types.size(); ++i) columns.push_back({"c" + std::to_string(i), types[i]});
  return Schema(std::move(columns));
}

}  // namespace

PlanNode nodeOf(OperatorSpec spec, const std::vector<Types>& inputs, const Types& output) {
  PlanNode node;
  node.spec = std::move(spec);
  for (const Types& types : inputs) {
    auto input = std::make_shared<PlanNode>();
    input->schema = schemaOf(types);
    node.inputs.push_back({input, {}});
  }
  node.schema = schemaOf(output);
  return node;
}

Batch rowsOf(const Types& types, const Messages& rows) {
  std::vector<std::vector<Value>> values;
  std::vector<RowKind> kinds;
  for (const std::string& row : rows) {
    kinds.push_back(kindOf(row));
    const auto parts = partsOf(inner(row.substr(2)));
    if (parts.size() != types.size()) throw std::runtime_error("a row of " + std::to_string(types.size()) + " columns: " + row);
    std::vector<Value> of_row;
    for (size_t i = 0; i < parts.size(); ++i) of_row.push_back(valueOf(types[i], parts[i]));
    values.push_back(std::move(of_row));
  }
  return testing::batchOf(types, values, kinds);
}

AggregateCallSpec callOf(const std::string& function, const Types& input, std::vector<int> arguments) {
  AggregateCallSpec call;
  call.function = FunctionRegistry::instance().aggregate(function);
  if (call.function == nullptr) throw std::runtime_error("no aggregate " + function);
  std::vector<ArgumentInfo> infos;
  for (const int argument : arguments) infos.push_back({input[static_cast<size_t>(argument)], std::nullopt});
  auto resolved = call.function->resolve(infos);
  if (!resolved.isOk()) throw std::runtime_error(resolved.status().message());
  call.result_type = call.function->never_null ? resolved->result_type : resolved->result_type.asNullable();
  for (const ArgumentInfo& info : infos) call.argument_types.push_back(info.type);
  call.literals.resize(infos.size());
  call.arguments = std::move(arguments);
  return call;
}

BoundExprPtr callExpr(std::string_view function, std::vector<BoundExprPtr> args, DataType type) {
  return BoundExpr::call(FunctionRegistry::instance().scalar(function), std::move(args), std::move(type));
}

OperatorCase::OperatorCase(OperatorSpec spec, std::vector<Types> inputs, Types output) : inputs_(std::move(inputs)) {
  auto node = std::make_shared<PlanNode>(nodeOf(std::move(spec), inputs_, output));
  harness.make = [node] { return makeOperator(*node); };
  harness.inputs = static_cast<int>(inputs_.size());
}

OperatorCase& OperatorCase::give(const Messages& messages, int input) {
  Messages rows;
  const auto flush = [&] {
    if (!rows.empty()) harness.steps.push_back(testing::batchStep(rowsOf(inputs_[static_cast<size_t>(input)], rows), input));
    rows.clear();
  };
  for (const std::string& message : messages) {
    const bool is_mark = message.starts_with("watermark ");
    const bool is_wait = message.starts_with("wait ");
    if (!is_mark && !is_wait) {
      rows.push_back(message);
      continue;
    }
    flush();
    const int64_t number = std::stoll(message.substr(message.find(' ')));
    harness.steps.push_back(is_mark ? testing::watermarkStep(number, input) : testing::advanceStep(number));
  }
  flush();
  return *this;
}

}  // namespace thalweg::worker
