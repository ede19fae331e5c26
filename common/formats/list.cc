// Every format, read from top to bottom. A new one is a line here, an entry in common/plan/catalog/format_list.cc and its files
// beside this one.
#include "common/formats/format_list.h"
#include "common/formats/format_options.h"

namespace thalweg {
namespace {

struct Format {
  std::string_view name;
  Result<std::unique_ptr<FormatDecoder>> (*make_decoder)(const DecoderSpec&);
  Result<std::unique_ptr<FormatEncoder>> (*make_encoder)(const EncoderSpec&);
};

constexpr Format kFormats[] = {
    {"csv", format::makeCsvDecoder, format::makeCsvEncoder},
    {"json", format::makeJsonDecoder, format::makeJsonEncoder},
    {"raw", format::makeRawDecoder, format::makeRawEncoder},
    {"debezium-json", format::makeChangelogJsonDecoder, format::makeChangelogJsonEncoder},
    {"canal-json", format::makeChangelogJsonDecoder, format::makeChangelogJsonEncoder},
    {"maxwell-json", format::makeChangelogJsonDecoder, format::makeChangelogJsonEncoder},
    {"ogg-json", format::makeChangelogJsonDecoder, format::makeChangelogJsonEncoder},
};

const Format* find(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<FormatDecoder>> makeFormatDecoder(const DecoderSpec& spec) {
  const Format* format = find(spec.format);
  if (format == nullptr || format->make_decoder == nullptr) return Status::notSupported("reading the format '" + spec.format + "'");
  return format->make_decoder(spec);
}

Result<std::unique_ptr<FormatEncoder>> makeFormatEncoder(const EncoderSpec& spec) {
  const Format* format = find(spec.format);
  if (format == nullptr || format->make_encoder == nullptr) return Status::notSupported("writing the format '" + spec.format + "'");
  return format->make_encoder(spec);
}

FormatTraits formatTraits(const std::string& name, const OptionMap& options) {
  if (name != "csv") return {.strips_byte_order_mark = name != "raw", .splittable = true};
  const format::FormatOptions csv(name, options);
  FormatTraits traits{.strips_byte_order_mark = true, .splittable = true};
  if (!csv.flag("disable-quote-character")) traits.unsplittable_byte = csv.character("quote-character")[0];
  if (csv.has("escape-character")) traits.splittable = false;
  return traits;
}

}  // namespace thalweg
