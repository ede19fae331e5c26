// FormatEncoder: columns to bytes, each row as a record that ends with a line feed.
//
// Values that a format cannot write are RUNTIME_ERROR naming column and value; types are NOT_SUPPORTED when the encoder
// is made. Threads: one owner.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"
#include "common/plan/operator_spec.h"
#include "common/types/schema.h"

namespace thalweg {

struct EncoderSpec {
  std::string format;
  OptionMap options;  ///< the table's
  Schema record;      ///< the columns of a record, in order
};

class FormatEncoder {
 public:
  virtual ~FormatEncoder() = default;
  /// Appends rows `rows` of `batch`, whose columns are the record's, to `out`.
  virtual Status encode(const Batch& batch, std::span<const RowIndex> rows, std::string& out) = 0;
};

Result<std::unique_ptr<FormatEncoder>> makeFormatEncoder(const EncoderSpec& spec);

}  // namespace thalweg
