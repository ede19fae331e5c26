#include "common/columnar/key_codec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/columnar/key_bits.h"

namespace thalweg {
namespace {

constexpr std::string_view kNullText{"\x00", 1};
constexpr std::string_view kEmptyText{"\x01", 1};
static_assert(kNullText[0] == key::kNull && kEmptyText[0] == key::kRawTextPrefix);

// XXH3 of the word's big-endian bytes, as hashBytes() has it; the constant length lets the compiler fold the rest.
uint64_t hashWord(uint64_t word) {
  const uint64_t bytes = key::bigEndian(word);
  return XXH3_64bits(&bytes, sizeof(bytes));
}

uint64_t hashText(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::vector<KeyColumn> keyColumns(const std::vector<DataType>& types) {
  std::vector<KeyColumn> columns;
  for (const DataType& type : types) columns.push_back({.type = type});
  if (!columns.empty() && types.back().physicalType() == PhysicalType::STRING) columns.back().raw_text = true;
  return columns;
}

std::vector<KeyColumn> sortColumns(const std::vector<SortKey>& keys, const std::vector<DataType>& types) {
  std::vector<KeyColumn> columns;
  for (const SortKey& key : keys) {
    columns.push_back({.type = types[static_cast<size_t>(key.column)],
                       .descending = key.direction == SortDirection::DESCENDING,
                       .nulls_last = key.nulls == NullOrder::LAST});
  }
  return columns;
}

}  // namespace

KeyEncoder::KeyEncoder(std::vector<int> columns, const std::vector<DataType>& types) : columns_(std::move(columns)) {
  for (const int column : columns_) key_types_.push_back(types[static_cast<size_t>(column)]);
  writer_ = KeyWriter(keyColumns(key_types_));
  if (key_types_.size() != 1) return;
  const DataType& type = key_types_[0];
  const PhysicalType physical = type.physicalType();
  keys_.fixed = key::isNarrow(physical) || (key::isWide(physical) && !type.nullable());
  keys_.has_words = key::isNarrow(physical) || key::isWide(physical);
}

const KeyBatch& KeyEncoder::encode(const Batch& batch) {
  const size_t rows = batch.rows();
  keys_.size = rows;
  keys_.hashes.resize(rows);
  nulls_.clear();
  if (rows == 0) {
    keys_.words.clear();
    keys_.bytes.clear();
    return keys_;
  }
  vectors_.clear();
  for (const int column : columns_) vectors_.push_back(batch.column(static_cast<size_t>(column)).get());
  for (const Vector* vector : vectors_) markNulls(*vector, rows);
  if (keys_.has_words) {
    encodeWords(*vectors_[0]);
  } else if (vectors_.size() == 1 && key_types_[0].physicalType() == PhysicalType::STRING) {
    encodeText(*vectors_[0]);
  } else {
    writer_.write(vectors_, rows, arena_, keys_.bytes);
  }
  if (!keys_.has_words) {
    for (size_t i = 0; i < rows; ++i) keys_.hashes[i] = hashText(keys_.bytes[i]);
  }
  return keys_;
}

void KeyEncoder::markNulls(const Vector& column, size_t rows) {
  const RowMapping mapping(column);
  if (!mapping.mayHaveNulls()) return;
  const bool known = !nulls_.empty();
  nulls_.resize(rows);
  uint8_t any = 0;
  for (size_t i = 0; i < rows; ++i) {
    const auto is_null = static_cast<uint8_t>(mapping.isNull(i));
    nulls_[i] |= is_null;
    any |= is_null;
  }
  if (any == 0 && !known) nulls_.clear();
}

void KeyEncoder::encodeWords(const Vector& column) {
  const size_t rows = keys_.size;
  keys_.words.resize(rows);
  uint64_t* words = keys_.words.data();
  uint64_t* hashes = keys_.hashes.data();
  const RowMapping mapping(column);
  if (mapping.isAllNull()) {
    std::fill_n(words, rows, 0);
  } else {
    key::withFixedType(column.physicalType(), [&](auto kind) {
      using T = decltype(kind);
      if constexpr (sizeof(T) <= sizeof(uint64_t)) {
        const auto* data = mapping.flat().data<typename ColumnReader<T>::Stored>();
        mapping.withRowAt([&](auto row_at) {
          for (size_t i = 0; i < rows; ++i) {
            words[i] = key::toWord(static_cast<T>(data[row_at(i)]));
            hashes[i] = hashWord(words[i]);
          }
        });
      }
    });
  }
  if (!nulls_.empty()) {
    const uint64_t null_hash = keys_.fixed ? hashWord(0) : hashText({});
    for (size_t i = 0; i < rows; ++i) {
      if (nulls_[i] == 0) continue;
      words[i] = 0;
      hashes[i] = null_hash;
    }
  }
  if (keys_.fixed) return;
  if (arena_.size() < rows * sizeof(uint64_t)) arena_.resize(rows * sizeof(uint64_t));
  keys_.bytes.resize(rows);
  for (size_t i = 0; i < rows; ++i) {
    const uint64_t bytes = key::bigEndian(words[i]);
    char* target = arena_.data() + i * sizeof(bytes);
    std::memcpy(target, &bytes, sizeof(bytes));
    keys_.bytes[i] = {target, hasNull(i) ? 0 : sizeof(bytes)};
  }
}

// Text alone needs no copy: its bytes in the batch are the key, but for text that starts with 0x00 or 0x01, which
// goes through the writer.
void KeyEncoder::encodeText(const Vector& column) {
  const ColumnReader<std::string_view> reader(column);
  const size_t rows = keys_.size;
  keys_.bytes.resize(rows);
  if (reader.mapping().isAllNull()) {
    std::fill_n(keys_.bytes.data(), rows, kNullText);
    return;
  }
  bool prefixed = false;
  reader.mapping().withRowAt([&](auto row_at) {
    const auto* data = reader.raw();
    const uint8_t* const* bases = column.isFlat() ? column.stringBases() : column.base()->stringBases();
    for (size_t i = 0; i < rows; ++i) {
      const std::string_view text = data[row_at(i)].view(bases);
      keys_.bytes[i] = text.empty() ? kEmptyText : text;
      prefixed = prefixed || (!text.empty() && static_cast<uint8_t>(text[0]) <= key::kRawTextPrefix);
    }
  });
  if (prefixed) return writer_.write(vectors_, rows, arena_, keys_.bytes);
  if (nulls_.empty()) return;
  for (size_t i = 0; i < rows; ++i) {
    if (nulls_[i] != 0) keys_.bytes[i] = kNullText;
  }
}

SortKeyEncoder::SortKeyEncoder(std::vector<SortKey> keys, const std::vector<DataType>& types)
    : keys_(std::move(keys)), writer_(sortColumns(keys_, types)) {}

std::span<const std::string_view> SortKeyEncoder::encode(const Batch& batch) {
  vectors_.clear();
  if (batch.rows() == 0) return {};
  for (const SortKey& key : keys_) vectors_.push_back(batch.column(static_cast<size_t>(key.column)).get());
  writer_.write(vectors_, batch.rows(), arena_, rows_);
  return rows_;
}

}  // namespace thalweg
