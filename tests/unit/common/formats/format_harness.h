// Runs a decoder as readers run it: over the same bytes in pieces of every size and with batches of every size, which
// must all give the same rows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/formats/format_decoder.h"
#include "common/formats/format_encoder.h"
#include "common/types/schema.h"

namespace thalweg::testing {

struct Decoded {
  std::vector<std::string> rows;   ///< row form: `+I[1, abc, null]`
  std::string error;               ///< the failure's message; rows are those before it
  uint64_t skipped = 0;
  bool operator==(const Decoded&) const = default;
};

/// All columns of `schema`. Throws std::runtime_error if the runs differ.
Decoded decodeText(const std::string& format, const OptionMap& options, const Schema& schema, std::string_view text);
/// Only some columns, with nested paths.
Decoded decodeText(const DecoderSpec& spec, std::string_view text);
/// One run: pieces of `piece_bytes`, batches of `rows_max`.
Decoded decodeOnce(const DecoderSpec& spec, std::string_view text, size_t piece_bytes, size_t rows_max);

/// The text of `rows` (one Value per column).
std::string encodeRows(const std::string& format, const OptionMap& options, const Schema& schema, const std::vector<std::vector<Value>>& rows,
                       const std::vector<RowKind>& kinds = {});

/// Columns `a`, `b`, … of these types.
Schema schemaOf(const std::vector<DataType>& types);

}  // namespace thalweg::testing
