// Puts fuzzed bytes through a decoder twice — in one piece, and in small pieces and batches — and aborts if the two
// disagree. The first byte of the input chooses options.
#pragma once

#include <cstdint>
#include <string_view>

#include "common/formats/format_decoder.h"

namespace thalweg::fuzz {

void runDecoder(const DecoderSpec& spec, std::string_view text);

}  // namespace thalweg::fuzz
