// IS [NOT] JSON [VALUE | SCALAR | ARRAY | OBJECT]. NULL is no JSON.
#include "common/functions/json/json_document.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"

namespace thalweg {
namespace {

bool isAny(JsonKind) { return true; }
bool isArray(JsonKind kind) { return kind == JsonKind::ARRAY; }
bool isObject(JsonKind kind) { return kind == JsonKind::OBJECT; }
bool isScalar(JsonKind kind) { return !isArray(kind) && !isObject(kind); }

}  // namespace

void addJsonPredicates(ScalarList& list) {
  struct Shape {
    std::string_view name;
    std::vector<std::string> aliases;
    bool (*accepts)(JsonKind);
  };
  const Shape shapes[] = {{"JSON VALUE", {"JSON"}, isAny},
                          {"JSON SCALAR", {}, isScalar},
                          {"JSON ARRAY", {}, isArray},
                          {"JSON OBJECT", {}, isObject}};
  for (const Shape& shape : shapes) {
    for (const bool negated : {false, true}) {
      const std::string verb = negated ? "IS NOT " : "IS ";
      std::vector<std::string> aliases;
      for (const std::string& alias : shape.aliases) aliases.push_back(verb + alias);
      list.push_back({.name = verb + std::string(shape.name),
                      .aliases = std::move(aliases),
                      .category = "json",
                      .signature = "text " + verb + std::string(shape.name),
                      .description = "Whether a text is " + std::string(negated ? "not " : "") + "JSON of this shape.",
                      .example = negated ? "'{a' " + verb + std::string(shape.name) : "'{a' IS NOT JSON",
                      .min_arguments = 1,
                      .max_arguments = 1,
                      .resolve = signature({param::text("text")}, returnsNotNull(DataType::boolean())),
                      .make = kernelMaker<bool(Nullable<std::string_view>)>(
                          [accepts = shape.accepts, negated, document = JsonDocument()](std::optional<std::string_view> text) mutable {
                            const bool is = text && document.parse(*text) && accepts(document.kind(JsonDocument::root()));
                            return is != negated;
                          }),
                      .listed = false});
    }
  }
}

}  // namespace thalweg
