// ColdValue: the value of an entry in a run: touch time, if the table's entries expire, then the payload.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/byte_stream.h"

namespace thalweg::worker {

struct ColdValue {
  int64_t touched_ms = 0;
  std::string_view payload;

  static ColdValue read(std::string_view value, bool expires) {
    if (!expires) return {0, value};
    ByteReader reader(value);
    ColdValue read;
    read.touched_ms = reader.number();
    read.payload = value.substr(value.size() - reader.remaining());
    return read;
  }
};

}  // namespace thalweg::worker
