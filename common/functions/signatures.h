// Signatures: building blocks for ScalarFunction::resolve, so that a function's types read like a line of a table.
//
//   .resolve = signature({param::text("text"), param::integer("start"), param::optional(param::integer("length"))},
//                       returnsNullable(DataType::string()))
//
// A parameter accepts a family of types and says what an accepted argument is cast to. A bare NULL is accepted
// everywhere and takes the parameter's plain type. Messages name the argument by place and name and say what was
// expected and found; the binder puts the function's name in front and the argument's position in the text.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "common/functions/scalar_function.h"

namespace thalweg {

using Resolve = std::function<Result<ResolvedSignature>(std::span<const ArgumentInfo>)>;

/// One parameter of a signature.
struct Parameter {
  std::string name;
  std::string expected;                                ///< for messages: "text", "an integer"
  std::function<bool(const DataType&)> accepts;        ///< never asked about a bare NULL
  std::function<DataType(const DataType&)> cast;       ///< the type an accepted argument is cast to, nullability aside
  DataType plain;                                      ///< the type of a bare NULL
  bool is_optional = false;
  bool is_repeated = false;                            ///< the last parameter only: one or more of it
};

namespace param {

Parameter text(std::string name);                      ///< CHAR, VARCHAR; kept as it is
Parameter binary(std::string name);                    ///< BINARY, VARBINARY; kept
Parameter textOrBinary(std::string name);              ///< kept
Parameter boolean(std::string name);
Parameter integer(std::string name);                   ///< TINYINT to INT, cast to INT
Parameter bigint(std::string name);                    ///< TINYINT to BIGINT, cast to BIGINT
Parameter anyInteger(std::string name);                ///< TINYINT to BIGINT, kept
Parameter number(std::string name);                    ///< any number, kept
Parameter numberAsDouble(std::string name);            ///< any number, cast to DOUBLE
Parameter decimalOrInteger(std::string name);          ///< exact numbers, kept
Parameter date(std::string name);
Parameter timestamp(std::string name);                 ///< TIMESTAMP and TIMESTAMP_LTZ, kept
Parameter dateOrTimestamp(std::string name);           ///< kept
Parameter interval(std::string name);                  ///< kept
Parameter array(std::string name);
Parameter textArray(std::string name);                 ///< an ARRAY of CHAR or VARCHAR; kept
Parameter map(std::string name);
Parameter anything(std::string name);
Parameter symbol(std::string name);                    ///< a keyword, which arrives as a literal of type SYMBOL
/// Whatever can be stored as `type` without a CAST (supportsImplicitCast), cast to it.
Parameter exactly(std::string name, DataType type);
Parameter optional(Parameter parameter);
Parameter repeated(Parameter parameter);

}  // namespace param

/// The result type from the argument types after casts.
using ResultRule = std::function<DataType(std::span<const DataType>)>;
ResultRule returns(DataType type);                     ///< nullable if any argument is
ResultRule returnsNullable(DataType type);
ResultRule returnsNotNull(DataType type);
ResultRule returnsArgument(size_t i);                  ///< that argument's type, nullable if any argument is
/// Of CHAR and VARCHAR argument `i` the VARCHAR of its length, else its type; nullable if any argument is.
ResultRule returnsVarying(size_t i);

/// Every argument by its parameter.
Resolve signature(std::vector<Parameter> parameters, ResultRule result);
/// The first of several signatures that fits; else the message of the closest one.
Resolve anyOf(std::vector<Resolve> alternatives);
/// All arguments from `first` on cast to their least restrictive type; the result from the cast types.
Resolve leastRestrictiveOf(size_t first, ResultRule result);

/// `argument 2 (start) must be an integer, but is DOUBLE`.
Status argumentError(size_t index, std::string_view name, std::string_view expected, const DataType& found);
bool anyNullable(std::span<const DataType> types);

}  // namespace thalweg
