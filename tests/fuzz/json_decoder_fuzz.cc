#include <cstddef>

#include "tests/fuzz/decoder_run.h"

namespace {

thalweg::DecoderSpec specOf(uint8_t choice) {
  using thalweg::DataType;
  constexpr const char* kFormats[] = {"json", "json", "debezium-json", "canal-json", "maxwell-json", "ogg-json", "json", "raw"};
  thalweg::DecoderSpec spec;
  spec.format = kFormats[choice & 7];
  const DataType row = DataType::row({{"x", DataType::integer()}, {"y", DataType::array(DataType::string())}});
  spec.record = spec.format == "raw" ? thalweg::Schema({{"a", DataType::string()}})
                                     : thalweg::Schema({{"a", DataType::string()},
                                                        {"b", DataType::integer()},
                                                        {"c", DataType::float64()},
                                                        {"d", DataType::decimal(20, 3)},
                                                        {"e", DataType::timestamp(3)},
                                                        {"f", DataType::boolean()},
                                                        {"m", DataType::map(DataType::string(), row)},
                                                        {"r", row}});
  for (size_t i = 0; i < spec.record.size(); ++i) {
    if ((choice & 8) == 0 || i % 2 == 1) spec.wanted.push_back({static_cast<int>(i)});
  }
  if (choice & 16) spec.options[spec.format + ".ignore-parse-errors"] = "true";
  if (choice & 32) spec.options[spec.format + ".timestamp-format.standard"] = "ISO-8601";
  if (choice & 64) spec.options[spec.format + ".schema-include"] = "true";
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  thalweg::fuzz::runDecoder(specOf(data[0]), {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
