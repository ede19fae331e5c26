// PARSE_JSON, TRY_PARSE_JSON and what v[index] and v['key'] read of a VARIANT.
#include "common/functions/json/variant_text.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

/// Text to a VARIANT; the second argument, if there is one, allows keys to repeat (NULL: it does not).
class ParseJsonKernel final : public ScalarKernel {
 public:
  ParseJsonKernel(DataType result_type, bool fails) : result_type_(std::move(result_type)), fails_(fails) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const ColumnReader<std::string_view> texts(*arguments[0]);
    std::optional<RowReader<Nullable<bool>>> repeats;
    if (arguments.size() > 1) repeats.emplace(*arguments[1]);
    StringBuilder out(result_type_, rows);
    std::string variant;
    for (size_t row = 0; row < rows; ++row) {
      if (texts.isNull(row)) {
        out.appendNull();
        continue;
      }
      const bool may_repeat = repeats && (*repeats)[row].value_or(false);
      variant.clear();
      const Status status = parse(texts[row], may_repeat, variant);
      if (status.isOk()) out.append(variant);
      else if (fails_) return status;
      else out.appendNull();
    }
    return out.finish();
  }

 private:
  Status parse(std::string_view text, bool may_repeat, std::string& variant) {
    constexpr size_t kShownMax = 100;
    const auto shown = [&] { return std::string(text.substr(0, kShownMax)) + (text.size() > kShownMax ? "…" : ""); };
    if (!document_.parse(text)) return Status::runtime("PARSE_JSON expects JSON text, but found: " + shown());
    if (!may_repeat && hasDuplicateKeys(document_)) {
      return Status::runtime("PARSE_JSON found an object with a key twice; PARSE_JSON(text, TRUE) takes the last: " + shown());
    }
    appendVariant(variant, document_);
    return {};
  }

  DataType result_type_;
  bool fails_;
  JsonDocument document_;
};

/// v[index], from 1; NULL outside of the array.
Result<std::optional<std::string_view>> element(JsonDocument& document, std::string_view variant, int64_t index) {
  if (!document.parse(variant) || document.kind(JsonDocument::root()) != JsonKind::ARRAY) {
    return Status::runtime("a VARIANT read by position must be an array, but is " + std::string(variant.substr(0, 100)));
  }
  JsonDocument::Index child = JsonDocument::firstChild(JsonDocument::root());
  const JsonDocument::Index end = document.next(JsonDocument::root());
  for (int64_t at = 1; child < end; ++at, child = document.next(child)) {
    if (at == index) return std::optional(document.source(child));
  }
  return std::optional<std::string_view>();
}

/// v['key']; NULL without such a key.
Result<std::optional<std::string_view>> member(JsonDocument& document, std::string_view variant, std::string_view key) {
  if (!document.parse(variant) || document.kind(JsonDocument::root()) != JsonKind::OBJECT) {
    return Status::runtime("a VARIANT read by key must be an object, but is " + std::string(variant.substr(0, 100)));
  }
  const JsonDocument::Index found = document.find(JsonDocument::root(), key);
  if (found == JsonDocument::kNone) return std::optional<std::string_view>();
  return std::optional(document.source(found));
}

Result<ResolvedSignature> resolveVariantItem(std::span<const ArgumentInfo> arguments) {
  const DataType& index = arguments[1].type;
  if (arguments[0].type.kind() != TypeKind::VARIANT) return argumentError(0, "variant", "a VARIANT", arguments[0].type);
  if (!index.isInteger() && !index.isString()) return argumentError(1, "index", "an integer or text", index);
  ResolvedSignature resolved;
  resolved.argument_types = {arguments[0].type, index};
  resolved.result_type = DataType::variant();
  return resolved;
}

Result<std::unique_ptr<ScalarKernel>> makeVariantItem(const FunctionCall& call) {
  if (call.arguments[1].type.isString()) {
    return functionKernel<std::string(std::string_view, std::string_view)>(
        call.result_type, [document = JsonDocument()](std::string_view variant, std::string_view key) mutable {
          return member(document, variant, key);
        });
  }
  return functionKernel<std::string(std::string_view, AnyInteger)>(
      call.result_type, [document = JsonDocument()](std::string_view variant, int64_t index) mutable {
        return element(document, variant, index);
      });
}

}  // namespace

void addVariantFunctions(ScalarList& list) {
  const auto add = [&](std::string name, bool fails, std::string description, std::string example) {
    list.push_back({.name = name,
                    .category = "variant",
                    .signature = name + "(text[, allow_duplicate_keys])",
                    .description = std::move(description),
                    .example = std::move(example),
                    .min_arguments = 1,
                    .max_arguments = 2,
                    .resolve = signature({param::text("text"), param::optional(param::boolean("allow_duplicate_keys"))},
                                         [fails](std::span<const DataType> types) {
                                           return DataType::variant(!fails || types[0].nullable());
                                         }),
                    .make = makerOf<ParseJsonKernel>(fails),
                    .can_fail = fails});
  };
  add("PARSE_JSON", true, "The VARIANT that JSON text stands for. Fails on other text and on keys that repeat, unless they are allowed.",
      "JSON_STRING(PARSE_JSON('{\"a\": [1, 2]}')['a'][2]) = '2'");
  add("TRY_PARSE_JSON", false, "As PARSE_JSON, but NULL where that fails.", "TRY_PARSE_JSON('{') IS NULL");
  list.push_back({.name = "VARIANT_ITEM",
                  .category = "variant",
                  .signature = "variant[index] | variant['key']",
                  .description = "A part of a VARIANT; NULL if there is none. Fails if it is not an array, or not an object.",
                  .example = "JSON_STRING(PARSE_JSON('[5, 7]')[2]) = '7'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = resolveVariantItem,
                  .make = makeVariantItem,
                  .can_fail = true,
                  .listed = false});
}

}  // namespace thalweg
