// How rows become key bytes, a column at a time:
//
// 1. measure(): every column tells the bytes of each of its rows. Columns of fixed width without nulls tell one
//    number; nested columns are encoded aside, since their length is known only then.
// 2. If all columns told one number, row i stands at i * stride; else the lengths are summed to a cursor per row.
// 3. Each column writes its part of all rows, moving the cursors on.
#include "common/columnar/key_writer.h"

#include <algorithm>
#include <bit>

#include "common/columnar/key_bits.h"
#include "common/columnar/text_bytes.h"

namespace thalweg {
namespace {

using key::Bytes;

size_t zeroBytes(std::string_view text) {
  if (!hasZeroByte(text)) return 0;
  return static_cast<size_t>(std::count(text.begin(), text.end(), '\0'));
}

// The same of a string of a column; the inline ones, whose unused bytes are zero, without a branch on the length.
size_t zeroBytes(const StringRef& ref, const uint8_t* const* bases) {
  if (!ref.isInline()) return zeroBytes(ref.view(bases));
  uint64_t words[2];
  std::memcpy(words, &ref, sizeof(words));
  const auto zeros_in = [](uint64_t word) {
    constexpr uint64_t kLows = 0x7f7f7f7f7f7f7f7f;
    return static_cast<size_t>(std::popcount(~(((word & kLows) + kLows) | word | kLows)));
  };
  constexpr uint64_t kLengthBytes = 0xffffffff;
  return zeros_in(words[0] | kLengthBytes) + zeros_in(words[1]) - (StringRef::kInlineMax - ref.length);
}

bool needsPrefix(std::string_view text) {
  return text.empty() || static_cast<uint8_t>(text[0]) <= static_cast<uint8_t>(key::kRawTextPrefix);
}

// Text between markers: 0x00 becomes 0x00 0xFF, the end is 0x00 0x00.
void writeEscaped(char* target, std::string_view text, bool has_zeros) {
  if (!has_zeros) {
    copyText(target, text.data(), text.size());
    target += text.size();
  } else {
    for (const char c : text) {
      *target++ = c;
      if (c == 0) *target++ = static_cast<char>(0xff);
    }
  }
  target[0] = 0;
  target[1] = 0;
}

void writeRaw(char* target, std::string_view text) {
  if (needsPrefix(text)) *target++ = key::kRawTextPrefix;
  copyText(target, text.data(), text.size());
}

void invert(char* begin, const char* end) {
  for (; begin != end; ++begin) *begin = static_cast<char>(~*begin);
}

// ---- Nested values, one at a time

void appendMapEntries(const NestedReader& reader, size_t row, std::string& out) {
  std::vector<std::pair<std::string, std::string>> entries(reader.length(row));
  for (size_t i = 0; i < entries.size(); ++i) {
    appendKeyValue(*reader.child(0), reader.begin(row) + i, entries[i].first);
    appendKeyValue(*reader.child(1), reader.begin(row) + i, entries[i].second);
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [entry_key, value] : entries) {
    out += key::kElement;
    out += entry_key;
    out += value;
  }
  out += key::kEnd;
}

}  // namespace

void appendKeyValue(const Vector& vector, size_t row, std::string& out) {
  const RowMapping mapping(vector);
  if (mapping.isNull(row)) {
    out += key::kNull;
    return;
  }
  out += key::kValue;
  const PhysicalType type = vector.physicalType();
  const bool fixed = key::withFixedType(type, [&](auto kind) {
    using T = decltype(kind);
    char bytes[Bytes<T>::kWidth];
    Bytes<T>::write(bytes, ColumnReader<T>(vector)[row], 0);
    out.append(bytes, sizeof(bytes));
  });
  if (fixed) return;
  if (type == PhysicalType::STRING) {
    const std::string_view text = ColumnReader<std::string_view>(vector)[row];
    const size_t at = out.size();
    const size_t zeros = zeroBytes(text);
    out.resize(at + text.size() + zeros + 2);
    writeEscaped(out.data() + at, text, zeros != 0);
    return;
  }
  const NestedReader reader(vector);
  if (type == PhysicalType::LIST) {
    for (size_t i = 0; i < reader.length(row); ++i) {
      out += key::kElement;
      appendKeyValue(*reader.child(0), reader.begin(row) + i, out);
    }
    out += key::kEnd;
  } else if (type == PhysicalType::MAP) {
    appendMapEntries(reader, row, out);
  } else {
    for (const VectorPtr& child : mapping.flat().children()) {
      if (child == nullptr) out += key::kNull;
      else appendKeyValue(*child, reader.position(row), out);
    }
  }
}

void KeyWriter::measureText(const Vector& vector, const KeyColumn& column, size_t rows, Plan& plan) {
  const ColumnReader<std::string_view> reader(vector);
  const uint8_t* const* bases = reader.mapping().flat().stringBases();
  const bool has_nulls = reader.mayHaveNulls();
  for (size_t i = 0; i < rows; ++i) {
    const StringRef& text = reader.stored(i);
    if (has_nulls && reader.isNull(i)) {
      cursors_[i] += 1;
    } else if (column.raw_text) {
      cursors_[i] += text.length + needsPrefix(text.view(bases));
    } else {
      const size_t zeros = zeroBytes(text, bases);
      plan.has_zeros |= zeros != 0;
      cursors_[i] += 1 + text.length + zeros + 2;
    }
  }
}

void KeyWriter::measure(const Vector& vector, const KeyColumn& column, size_t rows, Plan& plan) {
  plan.stride = 0;
  plan.has_zeros = false;
  plan.nested.clear();
  plan.nested_ends.clear();
  const RowMapping mapping(vector);
  if (mapping.isAllNull()) {
    plan.stride = 1;
    return;
  }
  const PhysicalType type = vector.physicalType();
  size_t width = 0;
  if (key::withFixedType(type, [&](auto kind) { width = Bytes<decltype(kind)>::kWidth; })) {
    if (!mapping.mayHaveNulls()) plan.stride = 1 + width;
    else for (size_t i = 0; i < rows; ++i) cursors_[i] += mapping.isNull(i) ? 1 : 1 + width;
  } else if (type == PhysicalType::STRING) {
    measureText(vector, column, rows, plan);
  } else {
    for (size_t i = 0; i < rows; ++i) {
      const size_t begin = plan.nested.size();
      appendKeyValue(vector, i, plan.nested);
      plan.nested_ends.push_back(plan.nested.size());
      cursors_[i] += plan.nested.size() - begin;
    }
  }
}

// Writes all rows of one column; claim(i, n) hands out the next n bytes of row i.
template <typename Claim>
void KeyWriter::writeColumn(const Vector& vector, const KeyColumn& column, size_t rows, const Plan& plan,
                            Claim&& claim) {
  const RowMapping mapping(vector);
  const char null_marker = column.nulls_last ? key::kNullLast : key::kNull;
  const uint64_t flip = column.descending ? ~uint64_t{0} : 0;
  if (mapping.isAllNull()) {
    for (size_t i = 0; i < rows; ++i) *claim(i, 1) = null_marker;
    return;
  }
  const bool fixed = key::withFixedType(vector.physicalType(), [&](auto kind) {
    using T = decltype(kind);
    const auto* data = mapping.flat().data<typename ColumnReader<T>::Stored>();
    const bool has_nulls = mapping.mayHaveNulls();
    mapping.withRowAt([&](auto row_at) {
      for (size_t i = 0; i < rows; ++i) {
        if (has_nulls && mapping.isNull(i)) {
          *claim(i, 1) = null_marker;
          continue;
        }
        char* target = claim(i, 1 + Bytes<T>::kWidth);
        target[0] = key::kValue;
        Bytes<T>::write(target + 1, static_cast<T>(data[row_at(i)]), flip);
      }
    });
  });
  if (fixed) return;
  if (vector.physicalType() == PhysicalType::STRING) {
    const ColumnReader<std::string_view> reader(vector);
    for (size_t i = 0; i < rows; ++i) {
      if (reader.isNull(i)) {
        *claim(i, 1) = null_marker;
        continue;
      }
      const std::string_view text = reader[i];
      if (column.raw_text) {
        writeRaw(claim(i, text.size() + needsPrefix(text)), text);
        continue;
      }
      const size_t zeros = plan.has_zeros ? zeroBytes(text) : 0;
      const size_t length = 1 + text.size() + zeros + 2;
      char* target = claim(i, length);
      target[0] = key::kValue;
      writeEscaped(target + 1, text, zeros != 0);
      if (column.descending) invert(target + 1, target + length);
    }
    return;
  }
  size_t begin = 0;
  for (size_t i = 0; i < rows; ++i) {
    const size_t length = plan.nested_ends[i] - begin;
    char* target = claim(i, length);
    std::memcpy(target, plan.nested.data() + begin, length);
    begin = plan.nested_ends[i];
    if (target[0] == key::kNull) target[0] = null_marker;
    else if (column.descending) invert(target + 1, target + length);
  }
}

void KeyWriter::write(std::span<const Vector* const> vectors, size_t rows, std::vector<char>& arena,
                      std::vector<std::string_view>& out) {
  CHECK(vectors.size() == columns_.size());
  plans_.resize(columns_.size());
  cursors_.assign(rows, 0);
  size_t stride = 0;
  bool strided = true;
  for (size_t c = 0; c < columns_.size(); ++c) {
    measure(*vectors[c], columns_[c], rows, plans_[c]);
    plans_[c].offset = stride;
    stride += plans_[c].stride;
    strided = strided && plans_[c].stride != 0;
  }
  size_t total = rows * stride;
  if (!strided) {
    total = 0;
    for (size_t i = 0; i < rows; ++i) {
      const size_t length = cursors_[i] + stride;
      cursors_[i] = total;
      total += length;
    }
  }
  if (arena.size() < total) arena.resize(total);
  char* bytes = arena.data();
  out.resize(rows);
  for (size_t i = 0; i < rows; ++i) {
    const size_t begin = strided ? i * stride : cursors_[i];
    const size_t end = strided ? begin + stride : (i + 1 < rows ? cursors_[i + 1] : total);
    out[i] = {bytes + begin, end - begin};
  }
  for (size_t c = 0; c < columns_.size(); ++c) {
    const Plan& plan = plans_[c];
    if (strided) {
      writeColumn(*vectors[c], columns_[c], rows, plan,
                  [=, offset = plan.offset](size_t i, size_t) { return bytes + i * stride + offset; });
    } else {
      writeColumn(*vectors[c], columns_[c], rows, plan, [&](size_t i, size_t length) {
        char* target = bytes + cursors_[i];
        cursors_[i] += length;
        return target;
      });
    }
  }
}

}  // namespace thalweg
