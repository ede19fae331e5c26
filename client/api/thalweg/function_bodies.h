// userFunction(f): describes a user's function by its C++ signature, and runs it over columns.
//
// Arguments are decoded a column at a time, the function is called a row at a time, results are encoded a column at a
// time. Threads: as user_function.h. Errors: a function that cannot be used stops the compiler with words.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

#include "client/api/thalweg/function_columns.h"

namespace thalweg::api {

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

/// Calls `eval` with a future for each row whose arguments are there.
template <typename R, typename F, typename Arguments>
std::vector<std::optional<table::CompletableFuture<R>>> ask(F& function, const ArgumentColumns<Arguments>& columns, size_t rows) {
  std::vector<std::optional<table::CompletableFuture<R>>> futures(rows);
  for (size_t row = 0; row < rows; ++row) {
    if (!columns.isComplete(row)) continue;
    futures[row].emplace();
    columns.call(row, [&](const auto&... args) { function.eval(*futures[row], args...); });
  }
  return futures;
}

template <typename F, typename R, typename Arguments>
class AsyncBody final : public CallBody {
 public:
  explicit AsyncBody(const F& function) : function_(function) {}
  void open(const table::FunctionContext& context) override { openFunction(function_, context); }
  void close() override { closeFunction(function_); }
  VectorPtr evaluate(std::span<const VectorPtr> arguments, size_t rows, const DataType& result) override {
    ArgumentColumns<Arguments> columns;
    columns.bind(arguments, rows);
    ResultColumn<R> results(rows);
    for (const auto& future : ask<R>(function_, columns, rows)) {
      if (future) results.append(future->get());
      else results.appendMissing();
    }
    return results.finish(result);
  }

 private:
  F function_;
};

template <typename F, typename T, typename Arguments>
class AsyncTableBody final : public CallBody {
 public:
  explicit AsyncTableBody(const F& function) : function_(function) {}
  void open(const table::FunctionContext& context) override { openFunction(function_, context); }
  void close() override { closeFunction(function_); }
  VectorPtr evaluate(std::span<const VectorPtr> arguments, size_t rows, const DataType& result) override {
    ArgumentColumns<Arguments> columns;
    columns.bind(arguments, rows);
    ArrayColumn<T> collected;
    for (const auto& future : ask<std::vector<T>>(function_, columns, rows)) {
      if (future) {
        for (T& each : future->get()) collected.collect(std::move(each));
      }
      collected.endArray();
    }
    return collected.finish(result);
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

template <typename F, typename... A>
constexpr bool canRetract(std::tuple<A...>*) {
  return requires(F& f, typename F::Accumulator& acc, const A&... args) { f.retract(acc, args...); };
}

/// Signatures of a method: those that the function lists, or the one that it has.
template <typename F>
auto evalsOf() {
  if constexpr (requires { typename F::Evals; }) {
    return typename F::Evals();
  } else {
    static_assert(requires { &F::eval; },
                  "a function has a public method eval(arguments...); if there are several, list them: using Evals = table::Signatures<int32_t(int32_t), ...>");
    return table::Signatures<decltype(&F::eval)>();
  }
}
template <typename F>
auto accumulatesOf() {
  if constexpr (requires { typename F::Accumulates; }) {
    return typename F::Accumulates();
  } else {
    static_assert(requires { &F::accumulate; }, "an aggregate function has a public method accumulate(Acc&, arguments...); if there are several, list them: "
                                                "using Accumulates = table::Signatures<void(Acc&, int32_t), ...>");
    return table::Signatures<decltype(&F::accumulate)>();
  }
}

template <typename F, typename Arguments>
UserSignature aggregateSignature(const F& function, DataType result) {
  using Acc = typename F::Accumulator;
  static_assert(Usable<Acc>, "an accumulator is kept in state: describe it with BOOST_DESCRIBE_STRUCT(Name, (), (field, ...))");
  static_assert(std::is_convertible_v<decltype(std::declval<F&>().createAccumulator()), Acc>, "an aggregate function has Acc createAccumulator()");
  UserSignature made;
  ArgumentColumns<Arguments>::describe(made);
  made.result = std::move(result);
  made.has_retract = canRetract<F>(static_cast<Arguments*>(nullptr));
  made.has_merge = requires(F& f, Acc& acc) { f.merge(acc, std::as_const(acc)); };
  made.make_aggregate = [function] { return std::make_unique<AccumulatingBody<F, Arguments>>(function); };
  return made;
}

template <typename F, typename Method>
UserSignature evalSignature(const F& function) {
  using Eval = Shape<Method>;
  UserSignature made;
  if constexpr (std::derived_from<F, table::AsyncScalarFunction> || requires { typename F::CollectedLater; }) {
    using Future = std::tuple_element_t<0, typename Eval::Arguments>;
    using R = std::remove_cvref_t<decltype(std::declval<Future>().get())>;
    using Arguments = typename Rest<typename Eval::Arguments>::type;
    ArgumentColumns<Arguments>::describe(made);
    if constexpr (requires { typename F::CollectedLater; }) {
      using T = typename F::CollectedLater;
      static_assert(std::is_same_v<R, std::vector<T>>, "eval() of an AsyncTableFunction<T> takes a CompletableFuture<std::vector<T>> first");
      made.result = resultTypeOf<T>(&function);
      made.make_call = [function] { return std::make_unique<AsyncTableBody<F, T, Arguments>>(function); };
    } else {
      made.result = resultTypeOf<R>(&function);
      made.make_call = [function] { return std::make_unique<AsyncBody<F, R, Arguments>>(function); };
    }
  } else {
    using Arguments = typename Eval::Arguments;
    ArgumentColumns<Arguments>::describe(made);
    if constexpr (requires { typename F::Collected; }) {
      made.result = resultTypeOf<typename F::Collected>(&function);
      made.make_call = [function] { return std::make_unique<TableBody<F, typename F::Collected, Arguments>>(function); };
    } else {
      static_assert(!std::is_void_v<typename Eval::Result>, "eval() of a scalar function gives its result");
      if constexpr (kIsClass<F>) made.result = resultTypeOf<typename Eval::Result>(&function);
      else made.result = resultTypeOf<typename Eval::Result>(nullptr);
      made.make_call = [function] { return std::make_unique<ScalarBody<F, typename Eval::Result, Arguments>>(function); };
    }
  }
  return made;
}

/// What the engine needs of `function`: a class of table_functions.h, or a lambda or plain function.
template <typename F>
UserFunction userFunction(const F& function) {
  UserFunction made;
  if constexpr (requires { typename F::Accumulator; }) {
    made.kind = EmitsRows<F> ? UserFunction::Kind::TABLE_AGGREGATE : UserFunction::Kind::AGGREGATE;
    made.deterministic = function.isDeterministic();
    const DataType result = [&] {
      if constexpr (EmitsRows<F>) return resultTypeOf<typename F::Emitted>(&function);
      else return resultTypeOf<typename F::Result>(&function);
    }();
    [&]<typename... M>(table::Signatures<M...>) {
      (made.signatures.push_back(aggregateSignature<F, typename Rest<typename Shape<M>::Arguments>::type>(function, result)), ...);
    }(accumulatesOf<F>());
  } else if constexpr (kIsClass<F>) {
    if constexpr (requires { typename F::Collected; } || requires { typename F::CollectedLater; }) made.kind = UserFunction::Kind::TABLE;
    made.deterministic = function.isDeterministic();
    [&]<typename... M>(table::Signatures<M...>) { (made.signatures.push_back(evalSignature<F, M>(function)), ...); }(evalsOf<F>());
  } else if constexpr (std::is_pointer_v<F>) {
    made.signatures.push_back(evalSignature<F, F>(function));
  } else {
    made.signatures.push_back(evalSignature<F, decltype(&F::operator())>(function));
  }
  return made;
}

}  // namespace thalweg::api
