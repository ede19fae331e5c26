// RowImages: encoded rows copied side by side, to be decoded together. Threads: as the operator.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/columnar/row_codec.h"

namespace thalweg::worker {

class RowImages {
 public:
  /// Adds a row; its number is the count of those before.
  RowIndex add(std::string_view bytes) {
    arena_.append(bytes);
    ends_.push_back(arena_.size());
    return static_cast<RowIndex>(ends_.size() - 1);
  }
  size_t size() const { return ends_.size(); }
  void clear() {
    arena_.clear();
    ends_.clear();
  }
  std::vector<VectorPtr> decode(const RowCodec& codec) const {
    std::vector<std::string_view> rows;
    rows.reserve(ends_.size());
    size_t begin = 0;
    for (const size_t end : ends_) {
      rows.push_back(std::string_view(arena_).substr(begin, end - begin));
      begin = end;
    }
    return codec.decodeAll(rows);
  }

 private:
  std::string arena_;
  std::vector<size_t> ends_;
};

}  // namespace thalweg::worker
