#include "tests/unit/common/functions/aggregate_harness.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "common/base/random.h"
#include "common/functions/function_registry.h"

#include <catch2/catch.hpp>

namespace thalweg::testing {
namespace {

bool near(const Value& a, const Value& b, double tolerance) {
  if (a == b) return true;
  if (tolerance == 0 || !std::holds_alternative<double>(a.content()) || !std::holds_alternative<double>(b.content())) return false;
  const double scale = std::max({std::abs(a.asDouble()), std::abs(b.asDouble()), 1e-3});
  return std::abs(a.asDouble() - b.asDouble()) <= tolerance * scale;
}

VectorPtr asDictionary(const VectorPtr& column) {
  const size_t rows = column->size();
  MutableBufferPtr shuffled = Buffer::allocate((rows + 1) * sizeof(RowIndex));
  MutableBufferPtr indices = Buffer::allocate((rows + 1) * sizeof(RowIndex));
  std::vector<RowIndex> reversed;
  for (size_t i = 0; i < rows; ++i) {
    reversed.push_back(static_cast<RowIndex>(rows - 1 - i));
    indices->mutableAs<RowIndex>()[i] = static_cast<RowIndex>(rows - 1 - i);
  }
  return Vector::dictionary(gather(*column, reversed), indices, rows);
}

}  // namespace

/// Accumulators by group, in memory of their own.
class AggregateHarness::Groups {
 public:
  explicit Groups(AggregateKernel& kernel) : kernel_(kernel) {}
  ~Groups() {
    for (auto& [group, state] : states_) drop(state);
  }
  char* of(int group) {
    auto [it, is_new] = states_.emplace(group, nullptr);
    if (is_new) {
      it->second = static_cast<char*>(std::aligned_alloc(8, (kernel_.stateBytes() + 7) / 8 * 8));
      kernel_.init(it->second);
    }
    return it->second;
  }
  void saveAndLoad(int group) {
    std::string bytes;
    kernel_.serialize(of(group), bytes);
    kernel_.destroy(of(group));
    REQUIRE(kernel_.deserialize(bytes, of(group)).isOk());
  }
  Value result(int group, const DataType& type) {
    const char* const state[] = {of(group)};
    const auto out = ColumnBuilder::make(type, 1);
    const Status status = kernel_.finalize(state, *out);
    INFO(status.toString());
    REQUIRE(status.isOk());
    return out->finish()->valueAt(0);
  }
  void mergeFrom(Groups& other) {
    for (auto& [group, state] : other.states_) {
      const Status status = kernel_.merge(of(group), state);
      INFO(status.toString());
      REQUIRE(status.isOk());
    }
  }
  std::map<int, Value> results(const DataType& type) {
    std::map<int, Value> results;
    for (auto& [group, state] : states_) results[group] = result(group, type);
    return results;
  }

 private:
  void drop(char* state) {
    kernel_.destroy(state);
    std::free(state);
  }
  AggregateKernel& kernel_;
  std::map<int, char*> states_;
};

AggregateHarness::AggregateHarness(std::string_view function, std::vector<DataType> types, AggregateOptions options)
    : function_(FunctionRegistry::instance().aggregate(function)), options_(std::move(options)) {
  INFO("aggregate " << function);
  REQUIRE(function_ != nullptr);
  size_t next = 0;
  for (size_t i = 0; next < types.size() || options_.literals.contains(i); ++i) {
    if (const auto literal = options_.literals.find(i); literal != options_.literals.end()) {
      const auto type = options_.literal_types.find(i);
      call_.arguments.push_back({type == options_.literal_types.end() ? DataType::symbol() : type->second, literal->second});
    } else {
      call_.arguments.push_back({types[next++], std::nullopt});
    }
  }
  const auto resolved = function_->resolve(call_.arguments);
  INFO(resolved.status().toString());
  REQUIRE(resolved.isOk());
  for (size_t i = 0; i < call_.arguments.size(); ++i) call_.arguments[i].type = resolved->argument_types[i];
  call_.result_type = resolved->result_type;
  if (options_.global && !function_->never_null) call_.result_type = call_.result_type.asNullable();
  call_.needs_retraction = options_.needs_retraction;
}

std::string AggregateHarness::refusal(std::string_view function, const std::vector<ArgumentInfo>& arguments) {
  const AggregateFunction* found = FunctionRegistry::instance().aggregate(function);
  REQUIRE(found != nullptr);
  return found->resolve(arguments).status().message();
}

Result<std::unique_ptr<AggregateKernel>> AggregateHarness::makeKernel() const {
  ASSIGN_OR_RETURN(std::unique_ptr<AggregateKernel> kernel, function_->make(call_));
  if (options_.distinct) kernel = distinctAggregate(std::move(kernel), call_);
  return kernel;
}

std::vector<VectorPtr> AggregateHarness::columns(const std::vector<AggregateRow>& rows, bool dictionary) const {
  std::vector<VectorPtr> columns;
  size_t given = 0;
  for (const ArgumentInfo& argument : call_.arguments) {
    if (argument.literal) {
      columns.push_back(Vector::constant(argument.type.kind() == TypeKind::SYMBOL ? DataType::string(false) : argument.type,
                                         *argument.literal, rows.size()));
      continue;
    }
    std::vector<Value> values;
    for (const AggregateRow& row : rows) values.push_back(row.arguments[given]);
    ++given;
    VectorPtr column = makeVector(argument.type, values);
    columns.push_back(dictionary ? asDictionary(column) : column);
  }
  return columns;
}

namespace {

struct Masks {
  explicit Masks(const std::vector<AggregateRow>& rows) {
    for (const AggregateRow& row : rows) {
      retract.push_back(row.retract);
      filter.push_back(row.chosen);
      any_retract = any_retract || row.retract;
      any_filtered = any_filtered || !row.chosen;
    }
  }
  std::vector<uint8_t> retract;
  std::vector<uint8_t> filter;
  bool any_retract = false;
  bool any_filtered = false;
};

AggregateInput inputOf(const std::vector<char*>& states, const std::vector<VectorPtr>& columns, const Masks& masks) {
  return {.states = states,
          .arguments = columns,
          .retract = masks.any_retract ? masks.retract.data() : nullptr,
          .filter = masks.any_filtered ? masks.filter.data() : nullptr};
}

}  // namespace

Result<std::vector<Value>> AggregateHarness::traced(const std::vector<AggregateRow>& rows) {
  ASSIGN_OR_RETURN(const std::unique_ptr<AggregateKernel> kernel, makeKernel());
  Groups groups(*kernel);
  std::map<int, Value> previous;
  std::vector<char*> states;
  for (const AggregateRow& row : rows) {
    states.push_back(groups.of(row.group));
    if (!previous.contains(row.group)) previous[row.group] = groups.result(row.group, call_.result_type);
  }
  const auto before = ColumnBuilder::make(call_.result_type, rows.size());
  const auto after = ColumnBuilder::make(call_.result_type, rows.size());
  const Masks masks(rows);
  RETURN_IF_ERROR(kernel->trace(inputOf(states, columns(rows, false), masks), *before, *after));
  const VectorPtr old_results = before->finish();
  const VectorPtr new_results = after->finish();
  REQUIRE(old_results->size() == rows.size());
  REQUIRE(new_results->size() == rows.size());
  std::vector<Value> results;
  for (size_t i = 0; i < rows.size(); ++i) {
    INFO("row " << i);
    CHECK(old_results->valueAt(i) == previous[rows[i].group]);
    results.push_back(new_results->valueAt(i));
    previous[rows[i].group] = results.back();
  }
  return results;
}

std::vector<Value> AggregateHarness::oneByOne(const std::vector<AggregateRow>& rows) {
  auto kernel = makeKernel();
  REQUIRE(kernel.isOk());
  Groups groups(**kernel);
  std::vector<Value> results;
  for (const AggregateRow& row : rows) {
    const std::vector<char*> states{groups.of(row.group)};
    REQUIRE((*kernel)->update(inputOf(states, columns({row}, false), Masks({row}))).isOk());
    groups.saveAndLoad(row.group);
    results.push_back(groups.result(row.group, call_.result_type));
  }
  return results;
}

std::map<int, Value> AggregateHarness::batched(const std::vector<AggregateRow>& rows, bool dictionary) {
  auto kernel = makeKernel();
  REQUIRE(kernel.isOk());
  Groups groups(**kernel);
  std::vector<char*> states;
  for (const AggregateRow& row : rows) states.push_back(groups.of(row.group));
  REQUIRE((*kernel)->update(inputOf(states, columns(rows, dictionary), Masks(rows))).isOk());
  return groups.results(call_.result_type);
}

std::map<int, Value> AggregateHarness::merged(const std::vector<AggregateRow>& rows) {
  auto kernel = makeKernel();
  REQUIRE(kernel.isOk());
  const auto half = static_cast<std::ptrdiff_t>(rows.size() / 2);
  const std::vector<AggregateRow> parts[] = {{rows.begin(), rows.begin() + half}, {rows.begin() + half, rows.end()}};
  Groups first(**kernel);
  Groups second(**kernel);
  Groups* const groups[] = {&first, &second};
  for (size_t part = 0; part < 2; ++part) {
    std::vector<char*> states;
    for (const AggregateRow& row : parts[part]) states.push_back(groups[part]->of(row.group));
    REQUIRE((*kernel)->update(inputOf(states, columns(parts[part], false), Masks(parts[part]))).isOk());
  }
  first.mergeFrom(second);
  return first.results(call_.result_type);
}

std::vector<Value> AggregateHarness::after(const std::vector<AggregateRow>& rows) {
  const auto results = traced(rows);
  INFO(results.status().toString());
  REQUIRE(results.isOk());
  CHECK(oneByOne(rows) == *results);
  std::map<int, Value> last;
  for (size_t i = 0; i < rows.size(); ++i) last[rows[i].group] = (*results)[i];
  CHECK(batched(rows, false) == last);
  CHECK(batched(rows, true) == last);
  if (!options_.merges_in_order) return *results;
  for (const auto& [group, value] : merged(rows)) {
    INFO("merged group " << group);
    CHECK(near(value, last[group], options_.tolerance));
  }
  return *results;
}

Value AggregateHarness::result(const std::vector<AggregateRow>& rows) {
  if (!rows.empty()) return after(rows).back();
  auto kernel = makeKernel();
  REQUIRE(kernel.isOk());
  return Groups(**kernel).result(0, call_.result_type);
}

std::string AggregateHarness::failure(const std::vector<AggregateRow>& rows) { return traced(rows).status().message(); }

void AggregateHarness::compareWithOracle(const std::function<std::vector<Value>(uint64_t)>& make_row, const Oracle& oracle,
                                         size_t rows) {
  Random random(rows + call_.arguments.size());
  constexpr int kGroups = 4;
  std::vector<AggregateRow> input;
  std::map<int, std::vector<std::vector<Value>>> live;
  std::vector<Value> expected;
  for (size_t n = 0; n < rows; ++n) {
    AggregateRow row;
    row.group = static_cast<int>(random.nextBelow(kGroups));
    row.chosen = random.nextBelow(10) != 0;
    auto& group = live[row.group];
    if (options_.needs_retraction && !group.empty() && random.nextBelow(5) < 2) {
      row.arguments = group[random.nextBelow(group.size())];
      row.retract = true;
      if (row.chosen) group.erase(std::ranges::find(group, row.arguments));
    } else {
      row.arguments = make_row(random());
      if (row.chosen) group.push_back(row.arguments);
    }
    expected.push_back(oracle(group));
    input.push_back(std::move(row));
  }
  const std::vector<Value> results = after(input);
  for (size_t i = 0; i < rows; ++i) {
    INFO("row " << i);
    CHECK(near(results[i], expected[i], options_.tolerance));
  }
}

}  // namespace thalweg::testing
