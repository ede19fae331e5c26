// Arguments and results of a user's function as columns: ArgumentColumns decodes what a call was given, ResultColumn and
// ArrayColumn gather what it gave.
//
// Threads: one body's.
#pragma once

#include <algorithm>
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
template <typename R, typename... Args>
struct Shape<R(Args...)> : Shape<R (*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...)> : Shape<R (*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...) const> : Shape<R (*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...) noexcept> : Shape<R (*)(Args...)> {};
template <typename C, typename R, typename... Args>
struct Shape<R (C::*)(Args...) const noexcept> : Shape<R (*)(Args...)> {};

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

/// One argument of all rows; of a VarArgs all the rest.
template <typename A>
class ArgumentColumn {
  using Held = std::conditional_t<std::is_same_v<A, std::string_view>, std::string, A>;

 public:
  static DataType type() {
    requireUsable<Held>();
    return FieldTraits<Held>::type();
  }
  void bind(std::span<const VectorPtr> columns, size_t rows) { bindOne(*columns[0], rows); }
  bool isMissing(size_t row) const { return !nulls_.empty() && nulls_[row] != 0; }
  const Held& at(size_t row) const { return values_[row]; }

 private:
  void bindOne(const Vector& column, size_t rows) {
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

  std::unique_ptr<Held[]> values_;
  std::vector<uint8_t> nulls_;
};

template <typename T>
class ArgumentColumn<table::OptionalArgument<T>> {
 public:
  static DataType type() { return ArgumentColumn<std::optional<T>>::type(); }
  void bind(std::span<const VectorPtr> columns, size_t rows) {
    given_ = !columns.empty();
    if (given_) column_.bind(columns, rows);
  }
  bool isMissing(size_t) const { return false; }
  table::OptionalArgument<T> at(size_t row) const { return given_ ? table::OptionalArgument<T>(column_.at(row)) : table::OptionalArgument<T>(); }

 private:
  bool given_ = false;
  ArgumentColumn<std::optional<T>> column_;
};

template <typename T>
class ArgumentColumn<table::VarArgs<T>> {
 public:
  static DataType type() { return ArgumentColumn<T>::type(); }
  void bind(std::span<const VectorPtr> columns, size_t rows) {
    columns_ = std::vector<ArgumentColumn<T>>(columns.size());
    for (size_t i = 0; i < columns.size(); ++i) columns_[i].bind(columns.subspan(i), rows);
  }
  bool isMissing(size_t row) const {
    return std::any_of(columns_.begin(), columns_.end(), [row](const auto& column) { return column.isMissing(row); });
  }
  table::VarArgs<T> at(size_t row) const {
    table::VarArgs<T> all;
    all.reserve(columns_.size());
    for (const auto& column : columns_) all.push_back(column.at(row));
    return all;
  }

 private:
  std::vector<ArgumentColumn<T>> columns_;
};

template <typename A>
inline constexpr bool kIsOptionalArgument = false;
template <typename T>
inline constexpr bool kIsOptionalArgument<table::OptionalArgument<T>> = true;
template <typename A>
inline constexpr bool kIsVarArgs = false;
template <typename T>
inline constexpr bool kIsVarArgs<table::VarArgs<T>> = true;

template <typename Arguments>
class ArgumentColumns;
template <typename... A>
class ArgumentColumns<std::tuple<A...>> {
 public:
  /// Sets what a signature says of arguments.
  static void describe(UserSignature& signature) {
    static constexpr bool kMayLack[] = {kIsOptionalArgument<A> || kIsVarArgs<A>..., false};
    static constexpr bool kRest[] = {kIsVarArgs<A>..., false};
    constexpr size_t kCount = sizeof...(A);
    static_assert(areLast(kMayLack, kCount), "an OptionalArgument or VarArgs stands behind the arguments that every call has");
    static_assert(areLast(kRest, kCount) && (size_t{0} + ... + kIsVarArgs<A>) <= 1, "VarArgs is the last argument");
    signature.arguments = {ArgumentColumn<A>::type()...};
    signature.optional = (size_t{0} + ... + kIsOptionalArgument<A>);
    signature.variadic = (false || ... || kIsVarArgs<A>);
  }
  void bind(std::span<const VectorPtr> columns, size_t rows) {
    [&]<size_t... I>(std::index_sequence<I...>) {
      (std::get<I>(columns_).bind(columns.subspan(std::min(I, columns.size())), rows), ...);
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
  /// Once true, true to the end.
  static constexpr bool areLast(const bool* marks, size_t count) {
    for (size_t i = 1; i < count; ++i) {
      if (marks[i - 1] && !marks[i]) return false;
    }
    return true;
  }
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

}  // namespace thalweg::api
