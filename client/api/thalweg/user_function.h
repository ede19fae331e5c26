// UserFunction: a function of table_functions.h as the engine sees it, its C++ types worked out.
//
// function_bodies.h makes one of any function; user_functions.cc turns it into an engine's function.
// Threads: the description is shared; each body belongs to one operator. Errors: bodies throw.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "client/api/thalweg/table_functions.h"
#include "common/columnar/vector.h"

namespace thalweg::api {

/// A scalar function (one result a row) or a table function (an ARRAY a row) at work.
class CallBody {
 public:
  virtual ~CallBody() = default;
  virtual void open(const table::FunctionContext& context) = 0;
  virtual void close() = 0;
  virtual VectorPtr evaluate(std::span<const VectorPtr> arguments, size_t rows, const DataType& result) = 0;
};

/// An aggregate at work; accumulators are the caller's to keep.
class AggregateBody {
 public:
  using Accumulator = std::shared_ptr<void>;
  class Results {
   public:
    virtual ~Results() = default;
    /// Null: of an accumulator that saw no row.
    virtual void append(const Accumulator& accumulator) = 0;
    virtual VectorPtr finish(const DataType& type) = 0;
  };
  virtual ~AggregateBody() = default;
  virtual void open(const table::FunctionContext& context) = 0;
  virtual void close() = 0;
  virtual Accumulator create() = 0;
  virtual void bind(std::span<const VectorPtr> arguments, size_t rows) = 0;
  virtual void fold(const Accumulator& accumulator, size_t row, bool retract) = 0;
  virtual void merge(const Accumulator& into, const Accumulator& from) = 0;
  virtual std::unique_ptr<Results> results() = 0;
  virtual void save(const Accumulator& accumulator, std::string& out) = 0;
  virtual Accumulator load(std::string_view bytes) = 0;
};

/// One way to call a function.
struct UserSignature {
  std::vector<DataType> arguments = {};     ///< an empty ROW takes any row
  size_t optional = 0;                      ///< so many of the last may be left out
  bool variadic = false;                    ///< the last may come any number of times, also none
  DataType result = DataType::null();       ///< of a row of a table function: that row's
  bool has_retract = false;                 ///< aggregates
  bool has_merge = false;
  std::function<std::unique_ptr<CallBody>()> make_call = {};
  std::function<std::unique_ptr<AggregateBody>()> make_aggregate = {};

  size_t argumentsMin() const { return arguments.size() - optional - (variadic ? 1 : 0); }
  size_t argumentsMax() const { return variadic ? SIZE_MAX : arguments.size(); }
  /// Of the argument at `position`.
  const DataType& argument(size_t position) const { return arguments[std::min(position, arguments.size() - 1)]; }
};

struct UserFunction {
  enum class Kind : uint8_t { SCALAR, TABLE, AGGREGATE, TABLE_AGGREGATE };
  Kind kind = Kind::SCALAR;
  bool deterministic = true;
  std::vector<UserSignature> signatures = {};     ///< in the order in which they are tried
};

/// A byte a row, 1 for NULL; empty if none is.
std::vector<uint8_t> nullRowsOf(const Vector& column);
/// Rows as values of `type`, a ROW.
VectorPtr rowColumn(const DataType& type, std::span<const Row* const> rows);
Row rowAt(const Vector& column, size_t row);

}  // namespace thalweg::api
