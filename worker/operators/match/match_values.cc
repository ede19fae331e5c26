#include "worker/operators/match/match_values.h"

#include <numeric>

namespace thalweg::worker {
namespace {

std::vector<DataType> nullableTypes(const std::vector<DataType>& types) {
  std::vector<DataType> nullable;
  for (const DataType& type : types) nullable.push_back(type.asNullable());
  return nullable;
}

/// Accumulators of many matches side by side; freed at the end.
class Entries {
 public:
  Entries(const AggregateSet& set, size_t count) : set_(set), bytes_(new char[set.entryBytes() * count]()), count_(count) {
    for (size_t i = 0; i < count; ++i) set.init(at(i));
  }
  ~Entries() {
    for (size_t i = 0; i < count_; ++i) set_.destroy(at(i));
  }
  Entries(const Entries&) = delete;
  Entries& operator=(const Entries&) = delete;
  char* at(size_t i) const { return bytes_.get() + i * set_.entryBytes(); }

 private:
  const AggregateSet& set_;
  std::unique_ptr<char[]> bytes_;
  size_t count_;
};

}  // namespace

MatchValues::MatchValues(const std::vector<DataType>& row_types) : codec_(nullableTypes(row_types)) {
  std::vector<VectorPtr> nulls;
  for (const DataType& type : codec_.types()) nulls.push_back(Vector::nulls(type, 1));
  codec_.encodeRow(nulls, 0, empty_row_);
  clear();
}

Result<std::unique_ptr<MatchValues>> MatchValues::make(std::vector<BoundExprPtr> expressions, std::vector<MatchValue> values,
                                                       const std::vector<DataType>& row_types, bool batch_mode) {
  std::unique_ptr<MatchValues> made(new MatchValues(row_types));
  for (MatchValue& value : values) {
    Source source;
    if (value.kind == MatchValue::Kind::AGGREGATE) {
      ASSIGN_OR_RETURN(source.aggregate, AggregateSet::make({value.call}, false, batch_mode, 0));
    }
    source.value = std::move(value);
    made->sources_.push_back(std::move(source));
  }
  ASSIGN_OR_RETURN(made->program_, ExprProgram::compile(std::move(expressions)));
  return made;
}

Status MatchValues::add(const MatchPartition& partition, int64_t first_row, const MatchCounts& counts) {
  const uint32_t all = std::accumulate(counts.begin(), counts.end(), uint32_t{0});
  for (Source& source : sources_) {
    const int variable = source.value.variable;
    const uint32_t count = variable < 0 ? all : counts[static_cast<size_t>(variable)];
    const int64_t first = variable < 0 ? first_row : std::accumulate(counts.begin(), counts.begin() + variable, first_row);
    if (source.aggregate == nullptr) {
      pick(source, partition, first, count);
      continue;
    }
    for (uint32_t i = 0; i < count; ++i) {
      source.rows.add(partition.row(first + i).bytes);
      source.owners.push_back(static_cast<RowIndex>(added_));
    }
  }
  ++added_;
  return {};
}

void MatchValues::pick(Source& source, const MatchPartition& partition, int64_t first, uint32_t count) {
  const int64_t offset = source.value.offset;
  if (offset >= count) {
    source.picked.push_back(0);
    return;
  }
  const int64_t row = source.value.kind == MatchValue::Kind::FIRST ? first + offset : first + count - 1 - offset;
  source.picked.push_back(images_.add(partition.row(row).bytes));
}

Result<std::vector<VectorPtr>> MatchValues::evaluate(EvalContext& context) {
  const std::vector<VectorPtr> picked = images_.decode(codec_);
  std::vector<VectorPtr> columns;
  for (Source& source : sources_) {
    ASSIGN_OR_RETURN(VectorPtr column, columnOf(source, picked));
    columns.push_back(std::move(column));
  }
  const Batch batch(added_, std::move(columns));
  clear();
  return program_->evaluate(context, batch);
}

Result<VectorPtr> MatchValues::columnOf(Source& source, const std::vector<VectorPtr>& picked) const {
  if (source.aggregate) return aggregated(source);
  return gather(*picked[static_cast<size_t>(source.value.column)], source.picked)->withType(source.value.type);
}

Result<VectorPtr> MatchValues::aggregated(Source& source) const {
  const Entries entries(*source.aggregate, added_);
  std::vector<char*> owners;
  for (const RowIndex owner : source.owners) owners.push_back(entries.at(owner));
  if (!owners.empty()) {
    const Batch rows(source.rows.size(), source.rows.decode(codec_));
    RETURN_IF_ERROR(source.aggregate->update(rows, owners, nullptr, nullptr));
  }
  std::vector<const char*> results;
  for (size_t i = 0; i < added_; ++i) results.push_back(entries.at(i));
  std::vector<VectorPtr> columns;
  RETURN_IF_ERROR(source.aggregate->finalize(results, columns));
  return columns[0];
}

void MatchValues::clear() {
  added_ = 0;
  images_.clear();
  images_.add(empty_row_);   // image 0: there is no such row
  for (Source& source : sources_) {
    source.picked.clear();
    source.rows.clear();
    source.owners.clear();
  }
}

}  // namespace thalweg::worker
