// JSON_OBJECTAGG and JSON_ARRAYAGG. What becomes of NULL values stands in the name that the binder looks up:
// JSON_OBJECTAGG_NULL_ON_NULL, JSON_OBJECTAGG_ABSENT_ON_NULL, and the same of JSON_ARRAYAGG; the plain names are the
// defaults, NULL of objects and ABSENT of arrays.
//
// Values are kept as JSON text. An object has its keys in order; a key that comes twice is a failure of the job, unless
// the first one was taken back. A value that is JSON already (a call of JSON_OBJECT, JSON_ARRAY) is followed by the
// SYMBOL literal `RAW`.
#include <map>

#include "common/functions/aggregates/aggregate_object.h"
#include "common/functions/aggregates/ordered_values.h"
#include "common/functions/json/json_document.h"
#include "common/functions/json/json_writer.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

constexpr int kResultLength = 2000;
using Names = std::vector<std::string>;

bool isRaw(const AggregateCall& call, size_t value) { return call.arguments.size() > value + 1; }

/// A key's JSON value, if it is there, and how often it was taken back without being there: what is owed to another
/// part of the group.
struct Member {
  std::optional<std::string> json;
  uint64_t owed = 0;
};
using Members = std::map<std::string, Member>;

class JsonObjectAggregate final : public ObjectAggregate<JsonObjectAggregate, Members> {
 public:
  JsonObjectAggregate(DataType result_type, std::unique_ptr<JsonColumn> value, bool absent_on_null)
      : result_type_(std::move(result_type)), value_(std::move(value)), absent_on_null_(absent_on_null) {}

  void bind(const AggregateInput& input) {
    key_.emplace(*input.arguments[0]);
    value_->bind(*input.arguments[1]);
  }

  Status fold(Members& members, size_t row, bool retract) {
    if (key_->isNull(row)) return Status::runtime("JSON_OBJECTAGG expects keys that are not NULL");
    if (absent_on_null_ && value_->isNull(row)) return {};
    std::string json;
    if (!retract && !value_->appendAny(json, row)) return Status::runtime("JSON_OBJECTAGG expects JSON text, found other text");
    std::string key((*key_)[row]);
    if (!retract) return put(members, key, std::move(json));
    take(members, key, 1);
    return {};
  }

  class Results {
   public:
    Results(const DataType& type, size_t rows) : builder_(type, rows) {}
    Status append(const Members* members) {
      text_ = "{";
      if (members) {
        for (const auto& [key, member] : *members) {
          if (!member.json) continue;
          if (text_.size() > 1) text_.push_back(',');
          appendJsonString(text_, key);
          text_.append(1, ':').append(*member.json);
        }
      }
      text_.push_back('}');
      builder_.append(text_);
      return {};
    }
    VectorPtr finish() { return builder_.finish(); }

   private:
    StringBuilder builder_;
    std::string text_;
  };
  Results results(size_t rows) const { return Results(result_type_, rows); }

  Status mergeObjects(Members& into, const Members& from) {
    for (const auto& [key, member] : from) {
      take(into, key, member.owed);
      if (member.json) RETURN_IF_ERROR(put(into, key, *member.json));
    }
    return {};
  }
  void save(const Members& members, StateWriter& out) const {
    out.number<uint64_t>(members.size());
    for (const auto& [key, member] : members) {
      out.text(key);
      out.number<uint8_t>(member.json.has_value());
      out.text(member.json.value_or(std::string()));
      out.number(member.owed);
    }
  }
  bool load(StateReader& in, Members& members) const {
    for (uint64_t left = in.count(3 * sizeof(uint64_t) + 1); left > 0; --left) {
      Member& member = members[std::string(in.text())];
      const bool present = in.number<uint8_t>() != 0;
      const std::string_view json = in.text();
      if (present) member.json.emplace(json);
      member.owed = in.number<uint64_t>();
    }
    return in.isOk();
  }

 private:
  static Status put(Members& members, const std::string& key, std::string json) {
    Member& member = members[key];
    if (member.json) return Status::runtime("JSON_OBJECTAGG expects each key once, found '" + key + "' again");
    member.json = std::move(json);
    return {};
  }
  static void take(Members& members, const std::string& key, uint64_t times) {
    Member& member = members[key];
    member.owed += times - (member.json && times > 0 ? 1 : 0);
    if (times > 0) member.json.reset();
    if (member.owed == 0 && !member.json) members.erase(key);
  }

  DataType result_type_;
  std::unique_ptr<JsonColumn> value_;
  bool absent_on_null_;
  std::optional<ColumnReader<std::string_view>> key_;
};

class JsonArrayAggregate final : public ObjectAggregate<JsonArrayAggregate, OrderedValues> {
 public:
  JsonArrayAggregate(DataType result_type, std::unique_ptr<JsonColumn> value, bool absent_on_null)
      : result_type_(std::move(result_type)), value_(std::move(value)), absent_on_null_(absent_on_null) {}

  void bind(const AggregateInput& input) { value_->bind(*input.arguments[0]); }

  Status fold(OrderedValues& list, size_t row, bool retract) {
    if (absent_on_null_ && value_->isNull(row)) return {};
    json_.clear();
    if (!value_->appendAny(json_, row)) return Status::runtime("JSON_ARRAYAGG expects JSON text, found other text");
    if (retract) list.remove(json_);
    else list.add(json_);
    return {};
  }

  class Results {
   public:
    Results(const DataType& type, size_t rows) : builder_(type, rows) {}
    Status append(const OrderedValues* list) {
      text_ = "[";
      if (list) {
        list->forEach([&](const OrderedValues::Entry& json) {
          if (text_.size() > 1) text_.push_back(',');
          text_.append(*json);
        });
      }
      text_.push_back(']');
      builder_.append(text_);
      return {};
    }
    VectorPtr finish() { return builder_.finish(); }

   private:
    StringBuilder builder_;
    std::string text_;
  };
  Results results(size_t rows) const { return Results(result_type_, rows); }

  Status mergeObjects(OrderedValues& into, const OrderedValues& from) {
    into.mergeFrom(from);
    return {};
  }
  void save(const OrderedValues& list, StateWriter& out) const { list.save(out); }
  bool load(StateReader& in, OrderedValues& list) const {
    if (!list.load(in)) return false;
    bool valid = true;
    list.forEach([&](const OrderedValues::Entry& json) { valid = valid && json; });
    return valid;
  }

 private:
  DataType result_type_;
  std::unique_ptr<JsonColumn> value_;
  bool absent_on_null_;
  std::string json_;
};

/// The last of the plain arguments must have a JSON form.
Result<ResolvedSignature> checkValue(Result<ResolvedSignature> resolved, size_t value) {
  if (!resolved.isOk()) return resolved;
  DataType& type = resolved->argument_types[value];
  if (type.isNull()) type = DataType::string();
  if (!JsonColumn::takes(type)) return argumentError(value, "value", "a value that JSON has a form for", type);
  return resolved;
}

void addObject(AggregateList& list, bool absent) {
  list.push_back({
      .name = absent ? "JSON_OBJECTAGG_ABSENT_ON_NULL" : "JSON_OBJECTAGG_NULL_ON_NULL",
      .aliases = absent ? Names{} : Names{"JSON_OBJECTAGG"},
      .signature = "JSON_OBJECTAGG([KEY] key VALUE value [NULL | ABSENT ON NULL])",
      .description = "A JSON object of all keys and values. Fails if a key comes twice or is NULL.",
      .example = "JSON_OBJECTAGG(KEY name VALUE price)",
      .min_arguments = 2,
      .max_arguments = 3,
      .resolve = [types = signature({param::text("key"), param::anything("value"), param::optional(param::symbol("raw"))},
                                    returnsNotNull(DataType::varchar(kResultLength)))](
                     std::span<const ArgumentInfo> arguments) { return checkValue(types(arguments), 1); },
      .make = [absent](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> value, JsonColumn::make(call.arguments[1].type, isRaw(call, 1)));
        return std::make_unique<JsonObjectAggregate>(call.result_type, std::move(value), absent);
      },
      .never_null = true,
  });
}

void addArray(AggregateList& list, bool absent) {
  list.push_back({
      .name = absent ? "JSON_ARRAYAGG_ABSENT_ON_NULL" : "JSON_ARRAYAGG_NULL_ON_NULL",
      .aliases = absent ? Names{"JSON_ARRAYAGG"} : Names{},
      .signature = "JSON_ARRAYAGG(value [NULL | ABSENT ON NULL])",
      .description = "A JSON array of all values in arrival order.",
      .example = "JSON_ARRAYAGG(price)",
      .min_arguments = 1,
      .max_arguments = 2,
      .resolve = [types = signature({param::anything("value"), param::optional(param::symbol("raw"))},
                                    returnsNotNull(DataType::varchar(kResultLength)))](
                     std::span<const ArgumentInfo> arguments) { return checkValue(types(arguments), 0); },
      .make = [absent](const AggregateCall& call) -> Result<std::unique_ptr<AggregateKernel>> {
        ASSIGN_OR_RETURN(std::unique_ptr<JsonColumn> value, JsonColumn::make(call.arguments[0].type, isRaw(call, 0)));
        return std::make_unique<JsonArrayAggregate>(call.result_type, std::move(value), absent);
      },
      .never_null = true,
      .order_sensitive = true,
  });
}

}  // namespace

void addJsonAggregates(AggregateList& list) {
  for (const bool absent : {false, true}) addObject(list, absent);
  for (const bool absent : {false, true}) addArray(list, absent);
}

}  // namespace thalweg
