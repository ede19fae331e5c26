// Any bytes as a batch from the network: refused, or safe to read in every column.
#include <cstdint>

#include "common/columnar/batch_wire.h"

using namespace thalweg;  // NOLINT: a program of one function

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<DataType> types = {
      DataType::bigint(),  DataType::string(), DataType::boolean(), DataType::array(DataType::string()), DataType::map(DataType::integer(), DataType::string()),
      DataType::row({{"a", DataType::decimal(30, 2)}, {"b", DataType::array(DataType::integer())}})};
  const auto batch = decodeBatch(Buffer::copyOf({data, size}), 0, types);
  if (!batch.isOk() || batch->rows() > 4096) return 0;
  for (const VectorPtr& column : batch->columns()) {
    const VectorPtr copy = column->compact();
    for (size_t row = 0; row < copy->size(); ++row) (void)copy->valueAt(row);
  }
  return 0;
}
