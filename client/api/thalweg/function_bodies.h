// userFunction(f): describes a user's function by its C++ signature, and runs it over columns.
//
// Arguments are decoded a column at a time, the function is called a row at a time, results are encoded a column at a
// time. Threads: as user_function.h. Errors: a function that cannot be used stops the compiler with words.
#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include "client/api/thalweg/user_function.h"

namespace thalweg::api {

/// Result and arguments of a method or function.
template <typename M>
struct Shape;
template <typename R, typename... Args>
struct Shape<R (*)(Args...)> {
  using Result = std::remove_cvref_t<R>;
  using Arguments = std::tuple<std::remove_cvref_t<Args>...>;
};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...)> : Shape<R (*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...) const> : Shape<R (*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...) noexcept> : Shape<R (*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...) const noexcept> : Shape<R (*)(Args...)> {};

template <typename F>
struct CallableShape : Shape<decltype(&F::operator())> {};
template <typename R, typename... Args>
struct CallableShape<R (*)(Args...)> : Shape<R (*)(Args...)> {};

/// All but the first of a tuple.
template <typename T>
struct Rest;
template <typename First, typename... More>
struct Rest<std::tuple<First, More...>> {
  using type = std::tuple<More...>;
};

template <typename F>
struct IsOptional : std::false_type {};
template <typename F>
struct IsOptional<std::optional<F>> : std::true_type {};

/// One argument of all rows.
template <typename A>
class ArgumentColumn {
  using Held = std::conditional_t<std::is_same_v<A, std::string_view>, std::string, A>;

 public:
  static DataType type() {
    requireUsable<Held>();
    return FieldTraits<Held>::type();
  }
  void bind(const Vector& column, size_t rows) {
    values_ = std::make_unique<Held[]>(rows);
    if constexpr (!IsOptional<Held>::value) nulls_ = nullRowsOf(column);
    if constexpr (std::is_same_v<Held, Row>) {
      for (size_t row = 0; row < rows; ++row) {
        if (nulls_.empty() || !nulls_[row]) values_[row] = rowAt(column, row);
      }
    } else {
      FieldTraits<Held>::decode(column, rows, [&](size_t row) -> Held& { return values_[row]; }, true);
    }
  }
  bool isMissing(size_t row) const { return !nulls_.empty() && nulls_[row] != 0; }
  const Held& at(size_t row) const { return values_[row]; }

 private:
  std::unique_ptr<Held[]> values_;
  std::vector<uint8_t> nulls_;
};

template <typename Arguments>
class ArgumentColumns;
template <typename... A>
class ArgumentColumns<std::tuple<A...>> {
 public:
  static std::vector<DataType> types() { return {ArgumentColumn<A>::type()...}; }
  void bind(std::span<const VectorPtr> columns, size_t rows) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(columns_).bind(*columns[I], rows), ...);
    }(std::index_sequence_for<A...>());
  }
  /// False: an argument that must be there is NULL.
  bool isComplete(size_t row) const {
    return std::apply([&](const auto&... column) { return !(column.isMissing(row) || ...); }, columns_);
  }
  template <typename Call>
  decltype(auto) call(size_t row, Call&& function) const {
    return std::apply([&](const auto&... column) -> decltype(auto) { return function(column.at(row)...); }, columns_);
  }

 private:
  std::tuple<ArgumentColumn<A>...> columns_;
};

/// Results of a column, some of them missing.
template <typename R>
class ResultColumn {
 public:
  explicit ResultColumn(size_t rows = 0) { results_.reserve(rows); }
  void append(R result) { results_.emplace_back(std::move(result)); }
  void appendMissing() { results_.emplace_back(); }
  size_t size() const { return results_.size(); }
  VectorPtr finish(const DataType& type) const {
    const auto get = [&](size_t i) { return results_[i] ? &*results_[i] : nullptr; };
    if constexpr (std::is_same_v<R, Row>) {
      std::vector<const Row*> rows;
      for (size_t i = 0; i < results_.size(); ++i) rows.push_back(get(i));
      return rowColumn(type, rows);
    } else {
      return FieldTraits<R>::encode(type, results_.size(), get);
    }
  }

 private:
  std::vector<std::optional<R>> results_;
};

/// What is collected for each row, as a column of arrays.
template <typename T>
class ArrayColumn final : public Collector<T> {
 public:
  void collect(T row) override { rows_.append(std::move(row)); }
  void endArray() { offsets_.push_back(static_cast<int32_t>(rows_.size())); }
  VectorPtr finish(const DataType& type) const { return makeListVector(type, offsets_, {rows_.finish(type.child(0))}, {}); }

 private:
  ResultColumn<T> rows_;
  std::vector<int32_t> offsets_ = std::vector<int32_t>(1, 0);
};

template <typename T>
DataType resultTypeOf(const table::UserDefinedFunction* function) {
  if (function != nullptr && !function->getResultType().isNull()) return function->getResultType();
  requireUsable<T>();
  return FieldTraits<T>::type();
}

template <typename F>
constexpr bool kIsClass = std::derived_from<F, table::UserDefinedFunction>;

template <typename F>
void openFunction(F& function, const table::FunctionContext& context) {
  if constexpr (kIsClass<F>) function.open(context);
}
template <typename F>
void closeFunction(F& function) {
  if constexpr (kIsClass<F>) function.close();
}

template <typename F, typename R, typename Arguments>
class ScalarBody final : public CallBody {
 public:
  explicit ScalarBody(const F& function) : function_(function) {}
  void open(const table::FunctionContext& context) override { openFunction(function_, context); }
  void close() override { closeFunction(function_); }
  VectorPtr evaluate(std::span<const VectorPtr> arguments, size_t rows, const DataType& result) override {
    ArgumentColumns<Arguments> columns;
    columns.bind(arguments, rows);
    ResultColumn<R> results(rows);
    for (size_t row = 0; row < rows; ++row) {
      if (!columns.isComplete(row)) results.appendMissing();
      else results.append(columns.call(row, [&](const auto&... args) -> R {
        if constexpr (kIsClass<F>) return function_.eval(args...);
        else return function_(args...);
      }));
    }
    return results.finish(result);
  }

 private:
  F function_;
};

template <typename F, typename R, typename Arguments>
class AsyncBody final : public CallBody {
 public:
  explicit AsyncBody(const F& function) : function_(function) {}
  void open(const table::FunctionContext& context) override { openFunction(function_, context); }
  void close() override { closeFunction(function_); }
  VectorPtr evaluate(std::span<const VectorPtr> arguments, size_t rows, const DataType& result) override {
    ArgumentColumns<Arguments> columns;
    columns.bind(arguments, rows);
    std::vector<std::optional<table::CompletableFuture<R>>> futures(rows);
    for (size_t row = 0; row < rows; ++row) {
      if (!columns.isComplete(row)) continue;
      futures[row].emplace();
      columns.call(row, [&](const auto&... args) { function_.eval(*futures[row], args...); });
    }
    ResultColumn<R> results(rows);
    for (const auto& future : futures) {
      if (future) results.append(future->get());
      else results.appendMissing();
    }
    return results.finish(result);
  }

 private:
  F function_;
};

template <typename F, typename T, typename Arguments>
class TableBody final : public CallBody {
 public:
  explicit TableBody(const F& function) : function_(function) {}
  void open(const table::FunctionContext& context) override { openFunction(function_, context); }
  void close() override { closeFunction(function_); }
  VectorPtr evaluate(std::span<const VectorPtr> arguments, size_t rows, const DataType& result) override {
    ArgumentColumns<Arguments> columns;
    columns.bind(arguments, rows);
    ArrayColumn<T> collected;
    function_.setCollector(&collected);
    for (size_t row = 0; row < rows; ++row) {
      if (columns.isComplete(row)) columns.call(row, [&](const auto&... args) { function_.eval(args...); });
      collected.endArray();
    }
    return collected.finish(result);
  }

 private:
  F function_;
};

template <typename F>
concept EmitsRows = requires { typename F::Emitted; };

template <typename F, typename Arguments>
class AccumulatingBody final : public AggregateBody {
  using Acc = typename F::Accumulator;

 public:
  explicit AccumulatingBody(const F& function) : function_(function) {}
  void open(const table::FunctionContext& context) override { function_.open(context); }
  void close() override { function_.close(); }
  Accumulator create() override { return std::make_shared<Acc>(function_.createAccumulator()); }
  void bind(std::span<const VectorPtr> arguments, size_t rows) override { columns_.bind(arguments, rows); }
  void fold(const Accumulator& accumulator, size_t row, bool retract) override {
    if (!columns_.isComplete(row)) return;
    columns_.call(row, [&](const auto&... args) {
      if (!retract) function_.accumulate(of(accumulator), args...);
      else if constexpr (requires { function_.retract(of(accumulator), args...); }) function_.retract(of(accumulator), args...);
    });
  }
  void merge(const Accumulator& into, const Accumulator& from) override {
    if constexpr (requires { function_.merge(of(into), std::as_const(of(from))); }) function_.merge(of(into), std::as_const(of(from)));
  }
  void save(const Accumulator& accumulator, std::string& out) override { FieldTraits<Acc>::write(of(accumulator), out); }
  Accumulator load(std::string_view bytes) override {
    auto accumulator = std::make_shared<Acc>();
    ByteReader reader(bytes);
    FieldTraits<Acc>::read(reader, *accumulator);
    return accumulator;
  }
  std::unique_ptr<Results> results() override {
    if constexpr (EmitsRows<F>) return std::make_unique<Emitted<typename F::Emitted>>(*this);
    else return std::make_unique<Values<typename F::Result>>(*this);
  }

 private:
  static Acc& of(const Accumulator& accumulator) { return *static_cast<Acc*>(accumulator.get()); }

  template <typename R>
  class Values final : public Results {
   public:
    explicit Values(AccumulatingBody& body) : body_(body) {}
    void append(const Accumulator& accumulator) override {
      const Accumulator fresh = accumulator ? accumulator : body_.create();
      results_.append(body_.function_.getValue(of(fresh)));
    }
    VectorPtr finish(const DataType& type) override { return results_.finish(type); }

   private:
    AccumulatingBody& body_;
    ResultColumn<R> results_;
  };
  template <typename T>
  class Emitted final : public Results {
   public:
    explicit Emitted(AccumulatingBody& body) : body_(body) {}
    void append(const Accumulator& accumulator) override {
      const Accumulator fresh = accumulator ? accumulator : body_.create();
      body_.function_.emitValue(of(fresh), rows_);
      rows_.endArray();
    }
    VectorPtr finish(const DataType& type) override { return rows_.finish(type); }

   private:
    AccumulatingBody& body_;
    ArrayColumn<T> rows_;
  };

  F function_;
  ArgumentColumns<Arguments> columns_;
};

template <typename F, typename Arguments>
UserFunction aggregateFunction(const F& function, UserFunction::Kind kind, DataType result) {
  using Acc = typename F::Accumulator;
  static_assert(Usable<Acc>, "an accumulator is kept in state: describe it with BOOST_DESCRIBE_STRUCT(Name, (), (field, ...))");
  static_assert(std::is_convertible_v<decltype(std::declval<F&>().createAccumulator()), Acc>, "an aggregate function has Acc createAccumulator()");
  UserFunction made{.kind = kind, .arguments = ArgumentColumns<Arguments>::types(), .result = std::move(result)};
  made.deterministic = function.isDeterministic();
  made.has_retract = requires { &F::retract; };
  made.has_merge = requires { &F::merge; };
  made.make_aggregate = [function] { return std::make_unique<AccumulatingBody<F, Arguments>>(function); };
  return made;
}

/// What the engine needs of `function`: a class of table_functions.h, or a lambda or plain function.
template <typename F>
UserFunction userFunction(const F& function) {
  if constexpr (requires { typename F::Accumulator; }) {
    static_assert(requires { &F::accumulate; }, "an aggregate function has one method accumulate(Acc&, arguments...)");
    using Arguments = typename Rest<typename Shape<decltype(&F::accumulate)>::Arguments>::type;
    if constexpr (EmitsRows<F>) return aggregateFunction<F, Arguments>(function, UserFunction::Kind::TABLE_AGGREGATE, resultTypeOf<typename F::Emitted>(&function));
    else return aggregateFunction<F, Arguments>(function, UserFunction::Kind::AGGREGATE, resultTypeOf<typename F::Result>(&function));
  } else if constexpr (kIsClass<F>) {
    static_assert(requires { &F::eval; }, "a function has one public method eval(arguments...); overloads are registered under names of their own");
    using Eval = Shape<decltype(&F::eval)>;
    UserFunction made{.deterministic = function.isDeterministic()};
    if constexpr (std::derived_from<F, table::AsyncScalarFunction>) {
      using Future = std::tuple_element_t<0, typename Eval::Arguments>;
      using R = std::remove_cvref_t<decltype(std::declval<Future>().get())>;
      using Arguments = typename Rest<typename Eval::Arguments>::type;
      made.arguments = ArgumentColumns<Arguments>::types();
      made.result = resultTypeOf<R>(&function);
      made.make_call = [function] { return std::make_unique<AsyncBody<F, R, Arguments>>(function); };
    } else if constexpr (requires { typename F::Collected; }) {
      made.kind = UserFunction::Kind::TABLE;
      made.arguments = ArgumentColumns<typename Eval::Arguments>::types();
      made.result = resultTypeOf<typename F::Collected>(&function);
      made.make_call = [function] { return std::make_unique<TableBody<F, typename F::Collected, typename Eval::Arguments>>(function); };
    } else {
      static_assert(!std::is_void_v<typename Eval::Result>, "eval() of a scalar function gives its result");
      made.arguments = ArgumentColumns<typename Eval::Arguments>::types();
      made.result = resultTypeOf<typename Eval::Result>(&function);
      made.make_call = [function] { return std::make_unique<ScalarBody<F, typename Eval::Result, typename Eval::Arguments>>(function); };
    }
    return made;
  } else {
    using Eval = CallableShape<F>;
    UserFunction made{.arguments = ArgumentColumns<typename Eval::Arguments>::types(), .result = resultTypeOf<typename Eval::Result>(nullptr)};
    made.make_call = [function] { return std::make_unique<ScalarBody<F, typename Eval::Result, typename Eval::Arguments>>(function); };
    return made;
  }
}

}  // namespace thalweg::api
