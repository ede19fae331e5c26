// decodeKeys: a cursor per key, moved on column by column. Every read is checked: these bytes come from files.
#include <algorithm>

#include "common/columnar/column_builders.h"
#include "common/columnar/key_bits.h"
#include "common/columnar/key_codec.h"

namespace thalweg {
namespace {

using key::Bytes;
using Cursors = std::span<std::string_view>;

constexpr int32_t kNanosMax = 999'999;

bool readColumn(const DataType& type, Cursors cursors, ColumnBuilder& builder);

// Takes the marker off; false if it is none.
bool takeMarker(std::string_view& cursor, bool& is_null) {
  if (cursor.empty() || (cursor[0] != key::kNull && cursor[0] != key::kValue)) return false;
  is_null = cursor[0] == key::kNull;
  cursor.remove_prefix(1);
  return true;
}

template <typename T>
void appendFixed(ColumnBuilder& builder, T value) {
  using W = std::conditional_t<
      sizeof(T) == 16, Wide,
      std::conditional_t<sizeof(T) == 8, uint64_t,
                         std::conditional_t<sizeof(T) == 4, uint32_t, std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>>;
  static_cast<FixedBuilder<W>&>(builder).append(std::bit_cast<W>(value));
}

template <typename T>
bool readFixed(Cursors cursors, ColumnBuilder& builder) {
  for (std::string_view& cursor : cursors) {
    bool is_null = false;
    if (!takeMarker(cursor, is_null)) return false;
    if (is_null) {
      builder.appendNull();
      continue;
    }
    if (cursor.size() < Bytes<T>::kWidth) return false;
    const T value = Bytes<T>::read(cursor.data());
    if constexpr (std::is_same_v<T, TimestampValue>) {
      if (value.nanos < 0 || value.nanos > kNanosMax) return false;
    }
    cursor.remove_prefix(Bytes<T>::kWidth);
    appendFixed(builder, value);
  }
  return true;
}

// Undoes the escapes up to the end mark; the text goes to `builder`.
bool readEscaped(std::string_view& cursor, StringBuilder& builder) {
  char* text = builder.reserve(cursor.size());
  size_t length = 0;
  for (size_t at = 0; at + 1 < cursor.size(); ++at) {
    if (cursor[at] != 0) {
      text[length++] = cursor[at];
      continue;
    }
    const auto next = static_cast<uint8_t>(cursor[++at]);
    if (next == 0) {
      builder.commit(length);
      cursor.remove_prefix(at + 1);
      return true;
    }
    if (next != 0xff) return false;
    text[length++] = 0;
  }
  return false;
}

bool readText(Cursors cursors, StringBuilder& builder) {
  for (std::string_view& cursor : cursors) {
    bool is_null = false;
    if (!takeMarker(cursor, is_null)) return false;
    if (is_null) builder.appendNull();
    else if (!readEscaped(cursor, builder)) return false;
  }
  return true;
}

// The text that ends a key: what is left of it.
bool readRawText(Cursors cursors, StringBuilder& builder) {
  for (std::string_view& cursor : cursors) {
    if (cursor.empty()) return false;
    if (cursor[0] == key::kNull) {
      if (cursor.size() != 1) return false;
      builder.appendNull();
    } else {
      builder.append(cursor.substr(cursor[0] == key::kRawTextPrefix ? 1 : 0));
    }
    cursor = {};
  }
  return true;
}

bool readNone(Cursors cursors, ColumnBuilder& builder) {
  for (std::string_view& cursor : cursors) {
    bool is_null = false;
    if (!takeMarker(cursor, is_null) || !is_null) return false;
    builder.appendNull();
  }
  return true;
}

bool readElements(const std::vector<DataType>& types, std::string_view& cursor, ListBuilder& builder) {
  while (true) {
    if (cursor.empty()) return false;
    const char marker = cursor[0];
    cursor.remove_prefix(1);
    if (marker == key::kEnd) break;
    if (marker != key::kElement) return false;
    for (size_t c = 0; c < types.size(); ++c) {
      if (!readColumn(types[c], {&cursor, 1}, builder.child(c))) return false;
    }
  }
  builder.endRow();
  return true;
}

bool readFields(const std::vector<DataType>& types, std::string_view& cursor, RowBuilder& builder) {
  for (size_t c = 0; c < types.size(); ++c) {
    if (!readColumn(types[c], {&cursor, 1}, builder.child(c))) return false;
  }
  builder.endRow();
  return true;
}

bool readNested(const DataType& type, Cursors cursors, ColumnBuilder& builder) {
  const std::vector<DataType> types = childTypes(type);
  for (std::string_view& cursor : cursors) {
    bool is_null = false;
    if (!takeMarker(cursor, is_null)) return false;
    if (is_null) {
      builder.appendNull();
      continue;
    }
    const bool read = type.physicalType() == PhysicalType::ROW
                          ? readFields(types, cursor, static_cast<RowBuilder&>(builder))
                          : readElements(types, cursor, static_cast<ListBuilder&>(builder));
    if (!read) return false;
  }
  return true;
}

bool readColumn(const DataType& type, Cursors cursors, ColumnBuilder& builder) {
  bool read = false;
  if (key::withFixedType(type.physicalType(), [&](auto kind) { read = readFixed<decltype(kind)>(cursors, builder); })) {
    return read;
  }
  switch (type.physicalType()) {
    case PhysicalType::NONE: return readNone(cursors, builder);
    case PhysicalType::STRING: return readText(cursors, static_cast<TextBuilder&>(builder).text());
    default: return readNested(type, cursors, builder);
  }
}

template <typename T>
void appendWord(ColumnBuilder& builder, uint64_t word) {
  if constexpr (sizeof(T) <= sizeof(uint64_t)) appendFixed(builder, key::fromWord<T>(word));
}

// Single keys of at most 8 bytes: words, NULL is the word 0 or, of 8-byte types, no bytes at all.
bool readWords(const DataType& type, Cursors cursors, ColumnBuilder& builder) {
  const bool narrow = key::isNarrow(type.physicalType());
  for (std::string_view& cursor : cursors) {
    if (cursor.empty() && !narrow) {
      builder.appendNull();
      continue;
    }
    if (cursor.size() != sizeof(uint64_t)) return false;
    const uint64_t word = loadKeyWord(cursor);
    cursor = {};
    if (narrow && word == 0) {
      builder.appendNull();
      continue;
    }
    if (narrow && word >> 32 != 1) return false;
    key::withFixedType(type.physicalType(), [&](auto kind) { appendWord<decltype(kind)>(builder, word); });
  }
  return true;
}

bool readKeys(Cursors cursors, const std::vector<DataType>& types, std::vector<VectorPtr>& columns) {
  for (size_t c = 0; c < types.size(); ++c) {
    const DataType& type = types[c];
    const PhysicalType physical = type.physicalType();
    auto builder = ColumnBuilder::make(type, cursors.size());
    bool read = false;
    if (types.size() == 1 && (key::isNarrow(physical) || key::isWide(physical))) {
      read = readWords(type, cursors, *builder);
    } else if (c + 1 == types.size() && physical == PhysicalType::STRING) {
      read = readRawText(cursors, static_cast<TextBuilder&>(*builder).text());
    } else {
      read = readColumn(type, cursors, *builder);
    }
    if (!read) return false;
    columns.push_back(builder->finish());
  }
  return std::all_of(cursors.begin(), cursors.end(), [](std::string_view rest) { return rest.empty(); });
}

}  // namespace

Status decodeKeys(std::span<const std::string_view> keys, const std::vector<DataType>& types,
                  std::vector<VectorPtr>& columns) {
  columns.clear();
  std::vector<std::string_view> cursors(keys.begin(), keys.end());
  if (readKeys(cursors, types, columns)) return {};
  columns.clear();
  std::string names;
  for (const DataType& type : types) names += (names.empty() ? "" : ", ") + type.toString();
  return Status::invalid("bytes are not keys of (" + names + ")");
}

VectorPtr decodeKeyWords(std::span<const uint64_t> words, const DataType& type) {
  const bool narrow = key::isNarrow(type.physicalType());
  CHECK_MSG(narrow || key::isWide(type.physicalType()), type.toString());
  auto builder = ColumnBuilder::make(type, words.size());
  key::withFixedType(type.physicalType(), [&](auto kind) {
    for (const uint64_t word : words) {
      if (narrow && word == 0) builder->appendNull();
      else appendWord<decltype(kind)>(*builder, word);
    }
  });
  return builder->finish();
}

}  // namespace thalweg
