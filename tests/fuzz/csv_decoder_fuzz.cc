#include <cstddef>

#include "tests/fuzz/decoder_run.h"

namespace {

thalweg::DecoderSpec specOf(uint8_t choice) {
  using thalweg::DataType;
  thalweg::DecoderSpec spec;
  spec.format = "csv";
  spec.record = thalweg::Schema({{"i", DataType::integer()},
                                 {"s", DataType::string()},
                                 {"d", DataType::float64()},
                                 {"de", DataType::decimal(20, 3)},
                                 {"ts", DataType::timestamp(9)},
                                 {"da", DataType::date()},
                                 {"by", DataType::bytes()},
                                 {"a", DataType::array(DataType::integer())},
                                 {"r", DataType::row({{"x", DataType::string()}, {"y", DataType::time()}})}});
  for (int i = 0; i < 9; ++i) {
    if ((choice & 1) == 0 || i % 2 == 0) spec.wanted.push_back({i});
  }
  if (choice & 2) spec.options["csv.ignore-parse-errors"] = "true";
  if (choice & 4) spec.options["csv.escape-character"] = "\\";
  if (choice & 8) spec.options["csv.allow-comments"] = "true";
  if (choice & 16) spec.options["csv.trim-spaces"] = "true";
  if (choice & 32) spec.options["csv.null-literal"] = "";
  if (choice & 64) spec.options["csv.disable-quote-character"] = "true";
  if (choice & 128) spec.options["csv.ignore-trailing-unmappable"] = "true";
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  thalweg::fuzz::runDecoder(specOf(data[0]), {reinterpret_cast<const char*>(data) + 1, size - 1});
  return 0;
}
