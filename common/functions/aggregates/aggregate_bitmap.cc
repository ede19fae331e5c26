// BITMAP_BUILD_AGG, BITMAP_AND_AGG, BITMAP_OR_AGG, BITMAP_XOR_AGG, and each as a cardinality.
//
// The accumulator counts, for every number, the rows whose set holds it, and the rows; so rows can be taken back. A
// member of the result is a number that any row has (OR, building), that all have (AND), or an odd number of rows (XOR).
// NULLs are left out; without a row the result is NULL.
#include <map>

#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/types/roaring_bitmap.h"

namespace thalweg {
namespace {

enum class BitmapFold : uint8_t { BUILD, AND, OR, XOR };

struct BitmapCounts {
  int64_t rows = 0;
  std::map<uint32_t, int64_t> members;   // rows that hold each

  void change(uint32_t member, int64_t by) {
    const auto at = members.emplace(member, 0).first;
    at->second += by;
    if (at->second == 0) members.erase(at);
  }
};

class BitmapAggregate final : public ObjectAggregate<BitmapAggregate, BitmapCounts> {
 public:
  BitmapAggregate(BitmapFold fold, DataType result_type) : fold_(fold), result_type_(std::move(result_type)) {}

  void bind(const AggregateInput& input) {
    nulls_.emplace(*input.arguments[0]);
    if (fold_ == BitmapFold::BUILD) numbers_.emplace(*input.arguments[0]);
    else sets_.emplace(*input.arguments[0]);
  }

  Status fold(BitmapCounts& group, size_t row, bool retract) {
    if (nulls_->isNull(row)) return {};
    const int64_t by = retract ? -1 : 1;
    group.rows += by;
    if (fold_ == BitmapFold::BUILD) {
      group.change(static_cast<uint32_t>((*numbers_)[row]), by);
      return {};
    }
    const auto members = readBitmap((*sets_)[row]);
    if (!members) return Status::runtime("a bitmap with damaged bytes");
    for (const uint32_t member : *members) group.change(member, by);
    return {};
  }

  class Results {
   public:
    Results(BitmapFold fold, const DataType& type, size_t rows) : fold_(fold), counts_(type.kind() == TypeKind::BIGINT), out_(ColumnBuilder::make(type, rows)) {}
    Status append(const BitmapCounts* group) {
      if (group == nullptr || group->rows <= 0) {
        out_->appendNull();
        return {};
      }
      std::vector<uint32_t> members;
      for (const auto& [member, rows] : group->members) {
        const bool in = fold_ == BitmapFold::AND ? rows == group->rows : fold_ == BitmapFold::XOR ? rows % 2 != 0 : rows > 0;
        if (in) members.push_back(member);
      }
      out_->appendValue(counts_ ? Value::integer(static_cast<int64_t>(members.size())) : Value::string(writeBitmap(members)));
      return {};
    }
    VectorPtr finish() { return out_->finish(); }

   private:
    BitmapFold fold_;
    bool counts_;
    std::unique_ptr<ColumnBuilder> out_;
  };
  Results results(size_t rows) const { return Results(fold_, result_type_, rows); }

  Status mergeObjects(BitmapCounts& into, const BitmapCounts& from) {
    into.rows += from.rows;
    for (const auto& [member, rows] : from.members) into.change(member, rows);
    return {};
  }
  void save(const BitmapCounts& group, StateWriter& out) const {
    out.number(group.rows);
    out.number<uint64_t>(group.members.size());
    for (const auto& [member, rows] : group.members) {
      out.number(member);
      out.number(rows);
    }
  }
  bool load(StateReader& in, BitmapCounts& group) const {
    group.rows = in.number<int64_t>();
    for (auto left = in.count(sizeof(uint32_t) + sizeof(int64_t)); left > 0 && in.isOk(); --left) {
      const auto member = in.number<uint32_t>();
      group.members[member] = in.number<int64_t>();
    }
    return in.isOk();
  }

 private:
  BitmapFold fold_;
  DataType result_type_;
  std::optional<RowMapping> nulls_;
  std::optional<RowReader<AnyInteger>> numbers_;
  std::optional<ColumnReader<std::string_view>> sets_;
};

void add(AggregateList& list, const std::string& name, BitmapFold fold, bool counts, const std::string& what) {
  const DataType argument = fold == BitmapFold::BUILD ? DataType::integer() : DataType::bitmap();
  const DataType result = counts ? DataType::bigint() : DataType::bitmap();
  list.push_back({
      .name = name,
      .signature = name + "(" + (fold == BitmapFold::BUILD ? "number" : "bitmap") + ")",
      .description = (counts ? "How many members the bitmap has that is " : "The bitmap that is ") + what + "; NULLs are left out.",
      .example = name + (fold == BitmapFold::BUILD ? "(id)" : "(ids)"),
      .min_arguments = 1,
      .max_arguments = 1,
      .resolve = signature({param::exactly(fold == BitmapFold::BUILD ? "number" : "bitmap", argument)}, returnsNullable(result)),
      .make = [fold](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        return std::make_unique<BitmapAggregate>(fold, call.result_type);
      },
  });
}

}  // namespace

void addBitmapAggregates(AggregateList& list) {
  struct Kind {
    const char* name;
    BitmapFold fold;
    const char* what;
  };
  constexpr Kind kKinds[] = {{"BITMAP_BUILD", BitmapFold::BUILD, "the set of all numbers"},
                             {"BITMAP_AND", BitmapFold::AND, "the intersection of all bitmaps"},
                             {"BITMAP_OR", BitmapFold::OR, "the union of all bitmaps"},
                             {"BITMAP_XOR", BitmapFold::XOR, "the symmetric difference of all bitmaps"}};
  for (const Kind& kind : kKinds) {
    add(list, std::string(kind.name) + "_AGG", kind.fold, false, kind.what);
    add(list, std::string(kind.name) + "_CARDINALITY_AGG", kind.fold, true, kind.what);
  }
}

}  // namespace thalweg
