// ListOffsets: the offsets and validity of a LIST or MAP column whose children are built elsewhere.
#pragma once

#include <vector>

#include "common/columnar/builder.h"

namespace thalweg {

class ListOffsets {
 public:
  ListOffsets(DataType type, size_t rows) : type_(std::move(type)) {
    offsets_.reserve(rows + 1);
    offsets_.push_back(0);
  }
  /// Ends a row; `children_size` is the size of the children so far.
  void endRow(size_t children_size) {
    offsets_.push_back(static_cast<int32_t>(children_size));
    validity_.appendValid(1);
  }
  void endNull(size_t children_size) {
    offsets_.push_back(static_cast<int32_t>(children_size));
    validity_.appendNull();
  }
  size_t size() const { return offsets_.size() - 1; }

  VectorPtr finish(std::vector<VectorPtr> children) {
    return Vector::flat({.type = type_,
                         .size = size(),
                         .validity = validity_.finish(),
                         .data = Buffer::copyOf({reinterpret_cast<const uint8_t*>(offsets_.data()),
                                                 offsets_.size() * sizeof(int32_t)}),
                         .children = std::move(children)});
  }

 private:
  DataType type_;
  std::vector<int32_t> offsets_;
  ValidityBuilder validity_;
};

}  // namespace thalweg
