#include "common/functions/signatures.h"

#include <algorithm>

#include "common/types/type_rules.h"

namespace thalweg {

namespace {

DataType keep(const DataType& type) { return type; }

Parameter kept(std::string name, std::string expected, DataType plain, std::function<bool(const DataType&)> accepts) {
  return {std::move(name), std::move(expected), std::move(accepts), keep, std::move(plain)};
}

Parameter castTo(std::string name, std::string expected, DataType type, std::function<bool(const DataType&)> accepts) {
  return {std::move(name), std::move(expected), std::move(accepts), [type](const DataType&) { return type; }, type};
}

std::function<bool(const DataType&)> kindIs(TypeKind kind) {
  return [kind](const DataType& type) { return type.kind() == kind; };
}

}  // namespace

namespace param {

Parameter text(std::string name) {
  return kept(std::move(name), "text", DataType::string(), [](const DataType& t) { return t.isString(); });
}
Parameter binary(std::string name) {
  return kept(std::move(name), "bytes", DataType::bytes(), [](const DataType& t) { return t.isBinary(); });
}
Parameter textOrBinary(std::string name) {
  return kept(std::move(name), "text or bytes", DataType::string(),
              [](const DataType& t) { return t.isString() || t.isBinary(); });
}
Parameter boolean(std::string name) {
  return kept(std::move(name), "a BOOLEAN", DataType::boolean(), kindIs(TypeKind::BOOLEAN));
}
Parameter integer(std::string name) {
  return castTo(std::move(name), "an INT", DataType::integer(),
                [](const DataType& t) { return t.isInteger() && t.kind() != TypeKind::BIGINT; });
}
Parameter bigint(std::string name) {
  return castTo(std::move(name), "an integer", DataType::bigint(), [](const DataType& t) { return t.isInteger(); });
}
Parameter anyInteger(std::string name) {
  return kept(std::move(name), "an integer", DataType::integer(), [](const DataType& t) { return t.isInteger(); });
}
Parameter number(std::string name) {
  return kept(std::move(name), "a number", DataType::integer(), [](const DataType& t) { return t.isNumeric(); });
}
Parameter numberAsDouble(std::string name) {
  return castTo(std::move(name), "a number", DataType::float64(), [](const DataType& t) { return t.isNumeric(); });
}
Parameter decimalOrInteger(std::string name) {
  return kept(std::move(name), "an integer or DECIMAL", DataType::integer(),
              [](const DataType& t) { return t.isExactNumeric(); });
}
Parameter date(std::string name) { return kept(std::move(name), "a DATE", DataType::date(), kindIs(TypeKind::DATE)); }
Parameter timestamp(std::string name) {
  return kept(std::move(name), "a TIMESTAMP", DataType::timestamp(3),
              [](const DataType& t) { return t.isTimestamp(); });
}
Parameter dateOrTimestamp(std::string name) {
  return kept(std::move(name), "a DATE or TIMESTAMP", DataType::timestamp(3),
              [](const DataType& t) { return t.isTimestamp() || t.kind() == TypeKind::DATE; });
}
Parameter interval(std::string name) {
  return kept(std::move(name), "an INTERVAL", DataType::intervalSecond(),
              [](const DataType& t) { return t.isInterval(); });
}
Parameter array(std::string name) {
  return kept(std::move(name), "an ARRAY", DataType::array(DataType::null()), kindIs(TypeKind::ARRAY));
}
Parameter textArray(std::string name) {
  return kept(std::move(name), "an ARRAY of text", DataType::array(DataType::string()),
              [](const DataType& t) { return t.kind() == TypeKind::ARRAY && t.child(0).isString(); });
}
Parameter map(std::string name) {
  return kept(std::move(name), "a MAP", DataType::map(DataType::null(), DataType::null()), kindIs(TypeKind::MAP));
}
Parameter anything(std::string name) {
  return kept(std::move(name), "a value", DataType::null(),
              [](const DataType& t) { return t.kind() != TypeKind::SYMBOL; });
}
Parameter symbol(std::string name) {
  return kept(std::move(name), "a keyword", DataType::symbol(), kindIs(TypeKind::SYMBOL));
}
Parameter exactly(std::string name, DataType type) {
  std::string expected = type.asNullable().toString();
  return castTo(std::move(name), std::move(expected), type,
                [type](const DataType& t) { return supportsImplicitCast(t, type); });
}
Parameter optional(Parameter parameter) {
  parameter.is_optional = true;
  return parameter;
}
Parameter repeated(Parameter parameter) {
  parameter.is_repeated = true;
  return parameter;
}

}  // namespace param

ResultRule returns(DataType type) {
  return [type](std::span<const DataType> arguments) { return type.withNullable(anyNullable(arguments)); };
}
ResultRule returnsNullable(DataType type) {
  return [type](std::span<const DataType>) { return type.asNullable(); };
}
ResultRule returnsNotNull(DataType type) {
  return [type](std::span<const DataType>) { return type.notNull(); };
}
ResultRule returnsArgument(size_t i) {
  return [i](std::span<const DataType> arguments) { return arguments[i].withNullable(anyNullable(arguments)); };
}
ResultRule returnsVarying(size_t i) {
  return [i](std::span<const DataType> arguments) {
    const DataType& type = arguments[i];
    const bool nullable = anyNullable(arguments);
    return type.isString() ? DataType::varchar(type.length(), nullable) : type.withNullable(nullable);
  };
}

Resolve signature(std::vector<Parameter> parameters, ResultRule result) {
  return [parameters = std::move(parameters),
          result = std::move(result)](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    const auto is_required = [](const Parameter& p) { return !p.is_optional; };
    const auto min_count = static_cast<size_t>(std::ranges::count_if(parameters, is_required));
    const bool is_open = !parameters.empty() && parameters.back().is_repeated;
    if (arguments.size() < min_count || (!is_open && arguments.size() > parameters.size())) {
      std::string expected = std::to_string(min_count);
      if (is_open)
        expected += " or more";
      else if (min_count != parameters.size())
        expected += " to " + std::to_string(parameters.size());
      return Status::plan("expected " + expected + (expected == "1" ? " argument" : " arguments") + ", but found " +
                          std::to_string(arguments.size()));
    }
    ResolvedSignature resolved;
    for (size_t i = 0; i < arguments.size(); ++i) {
      const Parameter& parameter = parameters[std::min(i, parameters.size() - 1)];
      const DataType& type = arguments[i].type;
      if (type.isNull() && parameter.plain.kind() != TypeKind::SYMBOL) {
        resolved.argument_types.push_back(parameter.plain.asNullable());
      } else if (parameter.accepts(type)) {
        resolved.argument_types.push_back(parameter.cast(type).withNullable(type.nullable()));
      } else {
        return argumentError(i, parameter.name, parameter.expected, type);
      }
    }
    resolved.result_type = result(resolved.argument_types);
    return resolved;
  };
}

Resolve anyOf(std::vector<Resolve> alternatives) {
  return
      [alternatives = std::move(alternatives)](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
        Result<ResolvedSignature> best = alternatives.front()(arguments);
        const auto is_about_argument = [](const Status& status) { return status.message().starts_with("argument "); };
        for (size_t i = 1; i < alternatives.size() && !best.isOk(); ++i) {
          Result<ResolvedSignature> next = alternatives[i](arguments);
          // a message about an argument's type is closer to what was meant than one about the number of arguments
          if (next.isOk() || (is_about_argument(next.status()) && !is_about_argument(best.status())))
            best = std::move(next);
        }
        return best;
      };
}

Resolve leastRestrictiveOf(size_t first, ResultRule result) {
  return [first, result = std::move(result)](std::span<const ArgumentInfo> arguments) -> Result<ResolvedSignature> {
    ResolvedSignature resolved;
    for (const ArgumentInfo& argument : arguments) resolved.argument_types.push_back(argument.type);
    if (arguments.size() > first) {
      const auto choices = std::span<const DataType>(resolved.argument_types).subspan(first);
      const std::optional<DataType> type = first == 0 ? commonOfArguments(choices) : leastRestrictive(choices);
      if (!type) {
        std::string found;
        for (size_t i = first; i < arguments.size(); ++i) {
          found += (i == first ? "" : ", ") + arguments[i].type.asNullable().toString();
        }
        return Status::plan("the arguments have no common type, found " + found + "; cast them to one type");
      }
      for (size_t i = first; i < arguments.size(); ++i) {
        resolved.argument_types[i] = type->withNullable(arguments[i].type.nullable());
      }
    }
    resolved.result_type = result(resolved.argument_types);
    return resolved;
  };
}

Status argumentError(size_t index, std::string_view name, std::string_view expected, const DataType& found) {
  return Status::plan("argument " + std::to_string(index + 1) + " (" + std::string(name) + ") must be " +
                      std::string(expected) + ", but is " + found.asNullable().toString());
}

bool anyNullable(std::span<const DataType> types) {
  return std::ranges::any_of(types, [](const DataType& type) { return type.nullable(); });
}

}  // namespace thalweg
