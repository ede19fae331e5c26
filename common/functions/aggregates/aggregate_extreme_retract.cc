// MIN and MAX over a changelog: every value of a group in a counted ordered map.
//
// A count may be negative for a while: a local aggregate may see a retraction whose value the global one holds.
// Such entries are no candidates; entries at zero go.
#include <map>
#include <string>

#include "common/base/failpoint.h"
#include "common/functions/aggregates/aggregate_extreme.h"
#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/value_order.h"

namespace thalweg {
namespace {

template <typename T>
struct Kept {
  using Type = T;
};
template <>
struct Kept<std::string_view> {
  using Type = std::string;
};

template <typename T>
using CountedMap = std::map<typename Kept<T>::Type, int64_t, ValueOrder<T>>;

template <typename T, bool kMax>
class RetractableExtreme final : public ObjectAggregate<RetractableExtreme<T, kMax>, CountedMap<T>> {
  using Map = CountedMap<T>;
  static constexpr bool kText = std::is_same_v<T, std::string_view>;

 public:
  explicit RetractableExtreme(DataType result_type) : result_type_(std::move(result_type)) {}

  void bind(const AggregateInput& input) { column_.emplace(*input.arguments[0]); }

  Status fold(Map& values, size_t row, bool retract) {
    if (retract && THALWEG_MUTANT("extreme_keeps_retracted")) return {};
    if (!column_->isNull(row)) change(values, (*column_)[row], retract ? -1 : 1);
    return {};
  }

  /// The result column under construction.
  class Results {
   public:
    Results(const DataType& type, size_t rows) : builder_(type, rows) {}
    Status append(const Map* values) {
      if (const auto* found = values ? extreme(*values) : nullptr) write(*found);
      else writeNull();
      return {};
    }
    VectorPtr finish() { return builder_.finish(); }

   private:
    void write(const typename Kept<T>::Type& value) {
      if constexpr (kText) builder_.append(value);
      else builder_.set(row_++, value);
    }
    void writeNull() {
      if constexpr (kText) builder_.appendNull();
      else builder_.setNull(row_++);
    }
    static const typename Kept<T>::Type* extreme(const Map& values) {
      if constexpr (kMax) {
        for (auto it = values.rbegin(); it != values.rend(); ++it) {
          if (it->second > 0) return &it->first;
        }
      } else {
        for (auto it = values.begin(); it != values.end(); ++it) {
          if (it->second > 0) return &it->first;
        }
      }
      return nullptr;
    }

    struct FixedBuilderOf {
      using Type = FlatBuilder<std::conditional_t<kText, bool, T>>;
    };
    std::conditional_t<kText, StringBuilder, typename FixedBuilderOf::Type> builder_;
    size_t row_ = 0;
  };
  Results results(size_t rows) const { return Results(result_type_, rows); }

  Status mergeObjects(Map& into, const Map& from) {
    for (const auto& [value, count] : from) change(into, value, count);
    return {};
  }

  void save(const Map& values, StateWriter& out) const {
    out.number<uint64_t>(values.size());
    for (const auto& [value, count] : values) {
      if constexpr (kText) out.text(value);
      else out.number(value);
      out.number(count);
    }
  }

  bool load(StateReader& in, Map& values) const {
    for (uint64_t left = in.count(sizeof(int64_t) + 1); left > 0; --left) {
      if constexpr (kText) {
        std::string value(in.text());
        values.emplace(std::move(value), in.number<int64_t>());
      } else {
        const T value = in.number<T>();
        values.emplace(value, in.number<int64_t>());
      }
    }
    return in.isOk();
  }

 private:
  template <typename Value>
  static void change(Map& values, const Value& value, int64_t by) {
    auto it = values.lower_bound(value);
    if (it == values.end() || values.key_comp()(value, it->first)) {
      values.emplace_hint(it, value, by);
    } else if ((it->second += by) == 0) {
      values.erase(it);
    }
  }

  DataType result_type_;
  std::optional<ColumnReader<T>> column_;
};

template <bool kMax>
struct Make {
  const DataType& result_type;
  template <typename T>
  std::unique_ptr<AggregateKernel> operator()(std::type_identity<T>) const {
    return std::make_unique<RetractableExtreme<T, kMax>>(result_type);
  }
};

}  // namespace

Result<std::unique_ptr<AggregateKernel>> retractableExtreme(const AggregateCall& call, bool max) {
  const PhysicalType type = call.arguments[0].type.physicalType();
  if (max) return visitOrdered(type, Make<true>{call.result_type});
  return visitOrdered(type, Make<false>{call.result_type});
}

}  // namespace thalweg
