#include "common/functions/aggregates/value_bytes.h"

namespace thalweg {

ValueBytes::ValueBytes(DataType type) : type_(std::move(type)) {
  if (type_.physicalType() != PhysicalType::STRING) codec_ = std::make_shared<RowCodec>(std::vector<DataType>{type_});
}

void ValueBytes::bind(const VectorPtr& column) {
  nulls_.emplace(*column);
  if (!codec_) {
    text_.emplace(*column);
    return;
  }
  arena_.clear();
  ends_.clear();
  codec_->encode({&column, 1}, column->size(), arena_, ends_);
}

ValueColumn::ValueColumn(const ValueBytes& source, const DataType& type, size_t size_hint) : source_(source) {
  if (source.codec()) builder_[0] = ColumnBuilder::make(type, size_hint);
  else text_.emplace(type, size_hint);
}

void ValueColumn::append(std::string_view bytes) {
  if (text_) text_->append(bytes);
  else source_.codec()->decode(bytes, builder_);
}

void ValueColumn::appendNull() {
  if (text_) text_->appendNull();
  else builder_[0]->appendNull();
}

}  // namespace thalweg
