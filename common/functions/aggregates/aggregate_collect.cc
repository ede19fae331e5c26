// COLLECT: a multiset of all values that are not NULL; never NULL itself.
#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/counted_set.h"
#include "common/functions/aggregates/value_bytes.h"
#include "common/functions/collections/nested_columns.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

using Multiset = CountedSet<std::string>;

class CollectAggregate final : public ObjectAggregate<CollectAggregate, Multiset> {
 public:
  CollectAggregate(const DataType& argument, DataType result_type)
      : values_(argument), result_type_(std::move(result_type)) {}

  void bind(const AggregateInput& input) { values_.bind(input.arguments[0]); }

  Status fold(Multiset& group, size_t row, bool retract) {
    if (values_.isNull(row)) return {};
    const std::string_view value = values_[row];
    group.change(value, Multiset::hashOf(value), retract ? -1 : 1);
    return {};
  }

  class Results {
   public:
    Results(const ValueBytes& values, const DataType& type, size_t rows)
        : offsets_(type, rows), elements_(values, type.child(0), rows) {}
    Status append(const Multiset* group) {
      if (group) {
        group->forEach([&](const std::string& value, int64_t count) {
          if (count < 0) return;  // owed to values that another part of the group holds
          elements_.append(value);
          counts_.push_back(static_cast<int32_t>(count));
        });
      }
      offsets_.endRow(elements_.size());
      return {};
    }
    VectorPtr finish() {
      VectorPtr counts = Vector::flat(
          {.type = DataType::integer(false),
           .size = counts_.size(),
           .data = Buffer::copyOf({reinterpret_cast<const uint8_t*>(counts_.data()), counts_.size() * sizeof(int32_t)})});
      return offsets_.finish({elements_.finish(), std::move(counts)});
    }

   private:
    ListOffsets offsets_;
    ValueColumn elements_;
    std::vector<int32_t> counts_;
  };
  Results results(size_t rows) const { return Results(values_, result_type_, rows); }

  Status mergeObjects(Multiset& into, const Multiset& from) {
    from.forEach([&](const std::string& value, int64_t count) { into.change(value, Multiset::hashOf(value), count); });
    return {};
  }
  void save(const Multiset& group, StateWriter& out) const { group.save(out); }
  bool load(StateReader& in, Multiset& group) const {
    if (!group.load(in)) return false;
    bool valid = true;
    group.forEach([&](const std::string& value, int64_t) { valid = valid && values_.validate(value); });
    return valid;
  }

 private:
  ValueBytes values_;
  DataType result_type_;
};

}  // namespace

void addCollectAggregates(AggregateList& list) {
  list.push_back({
      .name = "COLLECT",
      .signature = "COLLECT(value)",
      .description = "A multiset of all values that are not NULL.",
      .example = "COLLECT(tag)",
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::anything("value")},
                           [](std::span<const DataType> types) { return DataType::multiset(types[0], false); }),
      .make = [](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        return std::make_unique<CollectAggregate>(call.arguments[0].type, call.result_type);
      },
      .never_null = true,
  });
}

}  // namespace thalweg
