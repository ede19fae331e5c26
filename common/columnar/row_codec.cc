// How rows become bytes, a column at a time (the format is in docs/protocol/state.md):
//
// A block is `null bitmap, slots, variable parts`. A row is a block of its columns; the elements of a list are a
// block whose columns are all of one type. Fixed-width values stand in their slot, of the others the slot tells
// where their part ends. encode() sums the lengths of all rows first, gets zeroed space for all, and then lets
// each column write its slots and parts of all rows; nested values are encoded aside before.
#include "common/columnar/row_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "common/columnar/column_builders.h"
#include "common/columnar/column_reader.h"

namespace thalweg {
namespace {

static_assert(std::endian::native == std::endian::little);

using PartEnd = uint32_t;
constexpr size_t kNanosMax = 999'999;

template <typename T>
T load(const char* source) {
  T value;
  std::memcpy(&value, source, sizeof(T));
  return value;
}

template <typename T>
void store(char* target, T value) {
  std::memcpy(target, &value, sizeof(T));
}

size_t nullBytes(size_t columns) { return (columns + 7) / 8; }
bool isNullAt(const char* block, size_t i) { return (static_cast<uint8_t>(block[i / 8]) >> (i % 8)) & 1; }
void setNullAt(char* block, size_t i) { block[i / 8] = static_cast<char>(block[i / 8] | (1 << (i % 8))); }

// A type with all that is asked per value worked out.
struct Item {
  explicit Item(const DataType& item_type)
      : type(item_type), physical(item_type.physicalType()), width(fixedWidth(physical)) {
    for (const DataType& child : childTypes(type)) children.emplace_back(child);
    field_slots.reserve(children.size());
    size_t at = nullBytes(children.size());
    for (const Item& child : children) {
      field_slots.push_back(at);
      at += child.slotBytes();
    }
    field_header = at;
  }

  bool isFixed() const { return width != 0; }
  bool hasParts() const { return !isFixed() && physical != PhysicalType::NONE; }
  size_t slotBytes() const { return isFixed() ? width : (hasParts() ? sizeof(PartEnd) : 0); }

  DataType type;
  PhysicalType physical;
  size_t width;                       // 0: not fixed
  std::vector<Item> children;
  std::vector<size_t> field_slots;    // ROW: where each field's slot stands in the block
  size_t field_header = 0;            // ROW: bytes before the parts
};

// Calls body(W{}) for the word of a fixed width.
template <typename Body>
void withWord(size_t width, Body&& body) {
  switch (width) {
    case 1: return body(uint8_t{});
    case 2: return body(uint16_t{});
    case 4: return body(uint32_t{});
    case 8: return body(uint64_t{});
    case 16: return body(Wide{});
    default: CHECK(false);
  }
}

// One bit pattern for all NaN.
template <typename W>
W canonical(W word, PhysicalType type) {
  if constexpr (sizeof(W) == 8) {
    if (type == PhysicalType::FLOAT64 && std::isnan(std::bit_cast<double>(word))) {
      return std::bit_cast<uint64_t>(std::numeric_limits<double>::quiet_NaN());
    }
  } else if constexpr (sizeof(W) == 4) {
    if (type == PhysicalType::FLOAT32 && std::isnan(std::bit_cast<float>(word))) {
      return std::bit_cast<uint32_t>(std::numeric_limits<float>::quiet_NaN());
    }
  }
  return word;
}

PartEnd partEnd(size_t bytes) {
  CHECK_MSG(bytes <= std::numeric_limits<PartEnd>::max(), "a row of over 4 GiB: " + std::to_string(bytes));
  return static_cast<PartEnd>(bytes);
}

// ---- Encoding of nested values, one at a time

void appendPart(const Item& item, const Vector& vector, size_t row, std::string& out);

// Writes value `row` of `vector` as member `i` of the block that starts at `block` in `out`, with `slot` its slot
// and parts behind `header`.
void appendMember(const Item& item, const VectorPtr& vector, size_t row, size_t i, size_t block, size_t slot,
                  size_t header, std::string& out) {
  const bool is_null = vector == nullptr || vector->isNull(row);
  if (is_null) setNullAt(out.data() + block, i);
  if (item.isFixed() && !is_null) {
    const RowMapping mapping(*vector);
    withWord(item.width, [&](auto word) {
      using W = decltype(word);
      store(out.data() + block + slot, canonical(mapping.flat().data<W>()[mapping(row)], item.physical));
    });
  }
  if (!item.hasParts()) return;
  if (!is_null) appendPart(item, *vector, row, out);
  store(out.data() + block + slot, partEnd(out.size() - block - header));
}

void appendElements(const Item& item, const VectorPtr& elements, size_t begin, size_t count, std::string& out) {
  const size_t block = out.size();
  const size_t slots = nullBytes(count);
  const size_t header = slots + count * item.slotBytes();
  out.resize(block + header);
  for (size_t i = 0; i < count; ++i) {
    appendMember(item, elements, begin + i, i, block, slots + i * item.slotBytes(), header, out);
  }
}

// A MULTISET is written in the order of its elements' bytes, so that equal ones have equal bytes.
std::vector<RowIndex> elementOrder(const Item& item, const VectorPtr& elements, size_t begin, size_t count) {
  std::vector<std::pair<std::string, RowIndex>> keyed(count);
  for (size_t i = 0; i < count; ++i) {
    appendElements(item, elements, begin + i, 1, keyed[i].first);
    keyed[i].second = static_cast<RowIndex>(begin + i);
  }
  std::sort(keyed.begin(), keyed.end());
  std::vector<RowIndex> order;
  for (const auto& [bytes, row] : keyed) order.push_back(row);
  return order;
}

void appendCollection(const Item& item, const Vector& vector, size_t row, std::string& out) {
  const NestedReader reader(vector);
  const size_t begin = reader.begin(row);
  const size_t count = reader.length(row);
  const size_t at = out.size();
  out.resize(at + sizeof(PartEnd));
  store(out.data() + at, partEnd(count));
  const bool sorted = item.type.kind() == TypeKind::MULTISET && count > 1;
  const std::vector<RowIndex> order =
      sorted ? elementOrder(item.children[0], reader.child(0), begin, count) : std::vector<RowIndex>();
  for (size_t c = 0; c < item.children.size(); ++c) {
    if (sorted) appendElements(item.children[c], gather(*reader.child(c), order), 0, count, out);
    else appendElements(item.children[c], reader.child(c), begin, count, out);
  }
}

void appendFields(const Item& item, const Vector& vector, size_t row, std::string& out) {
  const RowMapping mapping(vector);
  const size_t block = out.size();
  out.resize(block + item.field_header);
  for (size_t c = 0; c < item.children.size(); ++c) {
    appendMember(item.children[c], mapping.flat().child(c), mapping(row), c, block, item.field_slots[c],
                 item.field_header, out);
  }
}

void appendPart(const Item& item, const Vector& vector, size_t row, std::string& out) {
  switch (item.physical) {
    case PhysicalType::STRING: out += ColumnReader<std::string_view>(vector)[row]; return;
    case PhysicalType::ROW: return appendFields(item, vector, row, out);
    default: return appendCollection(item, vector, row, out);
  }
}

// ---- Checking

bool validFields(const Item& item, std::string_view bytes, size_t& used);
bool validElements(const Item& item, std::string_view bytes, size_t count, size_t& used);

bool validFixed(const Item& item, const char* slot, bool is_null) {
  if (is_null) return std::all_of(slot, slot + item.width, [](char byte) { return byte == 0; });
  if (item.physical == PhysicalType::BOOL) return load<uint8_t>(slot) <= 1;
  if (item.physical == PhysicalType::TIMESTAMP_NANOS) {
    const auto value = load<TimestampValue>(slot);
    return value.nanos >= 0 && static_cast<size_t>(value.nanos) <= kNanosMax && value.padding == 0;
  }
  return true;
}

bool validPart(const Item& item, std::string_view part) {
  if (item.physical == PhysicalType::STRING) return true;
  size_t used = 0;
  if (item.physical == PhysicalType::ROW) return validFields(item, part, used) && used == part.size();
  if (part.size() < sizeof(PartEnd)) return false;
  const size_t count = load<PartEnd>(part.data());
  part.remove_prefix(sizeof(PartEnd));
  for (const Item& child : item.children) {
    if (!validElements(child, part, count, used)) return false;
    part.remove_prefix(used);
  }
  return part.empty();
}

// Whether the block of `count` members at the start of `bytes` is well formed; `used` tells its size. `item_of` and
// `slot_of` describe the members.
template <typename ItemOf, typename SlotOf>
bool validMembers(std::string_view bytes, size_t count, size_t header, ItemOf&& item_of, SlotOf&& slot_of, size_t& used) {
  if (bytes.size() < header) return false;
  const std::string_view parts = bytes.substr(header);
  size_t end = 0;
  for (size_t i = 0; i < count; ++i) {
    const Item& item = item_of(i);
    const char* slot = bytes.data() + slot_of(i);
    const bool is_null = isNullAt(bytes.data(), i);
    if (item.isFixed() && !validFixed(item, slot, is_null)) return false;
    if (item.physical == PhysicalType::NONE && !is_null) return false;
    if (!item.hasParts()) continue;
    const size_t begin = end;
    end = load<PartEnd>(slot);
    if (end < begin || end > parts.size() || (is_null && end != begin)) return false;
    if (!is_null && !validPart(item, parts.substr(begin, end - begin))) return false;
  }
  for (size_t i = count; i < nullBytes(count) * 8; ++i) {
    if (isNullAt(bytes.data(), i)) return false;
  }
  used = header + end;
  return true;
}

bool validFields(const Item& item, std::string_view bytes, size_t& used) {
  return validMembers(
      bytes, item.children.size(), item.field_header, [&](size_t i) -> const Item& { return item.children[i]; },
      [&](size_t i) { return item.field_slots[i]; }, used);
}

bool validElements(const Item& item, std::string_view bytes, size_t count, size_t& used) {
  const size_t slots = nullBytes(count);
  return validMembers(
      bytes, count, slots + count * item.slotBytes(), [&](size_t) -> const Item& { return item; },
      [&](size_t i) { return slots + i * item.slotBytes(); }, used);
}

// ---- Decoding

void decodePart(const Item& item, std::string_view part, ColumnBuilder& builder);

void decodeMember(const Item& item, std::string_view block, size_t i, size_t slot, size_t header, size_t& part_begin,
                  ColumnBuilder& builder) {
  if (isNullAt(block.data(), i)) return builder.appendNull();
  if (item.isFixed()) {
    withWord(item.width, [&](auto word) {
      using W = decltype(word);
      static_cast<FixedBuilder<W>&>(builder).append(load<W>(block.data() + slot));
    });
    return;
  }
  const size_t part_end = load<PartEnd>(block.data() + slot);
  CHECK(part_begin <= part_end && header + part_end <= block.size());
  decodePart(item, block.substr(header + part_begin, part_end - part_begin), builder);
  part_begin = part_end;
}

// Decodes the block of `count` elements at the start of `bytes`; returns its size.
size_t decodeElements(const Item& item, std::string_view bytes, size_t count, ColumnBuilder& builder) {
  const size_t slots = nullBytes(count);
  const size_t header = slots + count * item.slotBytes();
  CHECK(header <= bytes.size());
  size_t part_begin = 0;
  for (size_t i = 0; i < count; ++i) {
    decodeMember(item, bytes, i, slots + i * item.slotBytes(), header, part_begin, builder);
  }
  return header + part_begin;
}

void decodePart(const Item& item, std::string_view part, ColumnBuilder& builder) {
  if (item.physical == PhysicalType::STRING) return static_cast<TextBuilder&>(builder).text().append(part);
  if (item.physical == PhysicalType::ROW) {
    auto& row = static_cast<RowBuilder&>(builder);
    CHECK(item.field_header <= part.size());
    size_t part_begin = 0;
    for (size_t c = 0; c < item.children.size(); ++c) {
      decodeMember(item.children[c], part, c, item.field_slots[c], item.field_header, part_begin, row.child(c));
    }
    return row.endRow();
  }
  auto& list = static_cast<ListBuilder&>(builder);
  CHECK(sizeof(PartEnd) <= part.size());
  const size_t count = load<PartEnd>(part.data());
  part.remove_prefix(sizeof(PartEnd));
  for (size_t c = 0; c < item.children.size(); ++c) {
    part.remove_prefix(decodeElements(item.children[c], part, count, list.child(c)));
  }
  list.endRow();
}

}  // namespace

// ---- Rows

struct RowCodec::Impl {
  static constexpr size_t kNoSlot = std::numeric_limits<size_t>::max();

  explicit Impl(const std::vector<DataType>& types) : row(rowType(types)) {
    size_t previous = kNoSlot;
    for (size_t c = 0; c < row.children.size(); ++c) {
      previous_part_slots.push_back(previous);
      if (row.children[c].hasParts()) previous = row.field_slots[c];
    }
    last_part_slot = previous;
  }

  static Item rowType(const std::vector<DataType>& types) {
    std::vector<Field> fields;
    for (const DataType& type : types) fields.push_back({.name = "", .type = type});
    return Item(DataType::row(std::move(fields), false));
  }

  /// Rows at hand: row i of the result is row begin + i of the columns and starts at starts[i] of bytes.
  struct Target {
    size_t begin;
    size_t rows;
    char* bytes;
    std::span<const size_t> starts;
    std::span<PartEnd> part_ends;     // where the last part of each row ended
  };
  /// Nested values of one column, encoded aside.
  struct Aside {
    std::string bytes;
    std::vector<size_t> ends;
  };

  size_t header() const { return row.field_header; }
  size_t partBegin(const char* bytes, size_t column) const {
    const size_t slot = previous_part_slots[column];
    return slot == kNoSlot ? 0 : load<PartEnd>(bytes + slot);
  }
  void encodeFixed(const Vector& vector, size_t column, const Target& target) const;
  void encodeText(const Vector& vector, size_t column, const Target& target) const;
  void encodeNested(const Vector& vector, size_t column, const Aside& aside, const Target& target) const;
  void addLengths(const Vector& vector, size_t column, size_t begin, std::span<size_t> lengths, Aside& aside) const;
  void encode(std::span<const VectorPtr> columns, size_t begin, size_t rows, std::string& arena,
              std::vector<size_t>& ends) const;
  void decodeColumn(size_t column, std::span<const std::string_view> rows, ColumnBuilder& builder) const;

  Item row;
  std::vector<size_t> previous_part_slots;  // per column: the slot of the part before, or kNoSlot
  size_t last_part_slot = kNoSlot;
};

void RowCodec::Impl::addLengths(const Vector& vector, size_t column, size_t begin, std::span<size_t> lengths,
                                Aside& aside) const {
  const Item& item = row.children[column];
  if (!item.hasParts()) return;
  const RowMapping mapping(vector);
  if (mapping.isAllNull()) return;
  if (item.physical == PhysicalType::STRING) {
    const ColumnReader<std::string_view> reader(vector);
    const bool outer_nulls = mapping.outerValidity() != nullptr;
    for (size_t i = 0; i < lengths.size(); ++i) {
      if (outer_nulls && mapping.isNull(begin + i)) continue;
      lengths[i] += reader.stored(begin + i).length;
    }
    return;
  }
  for (size_t i = 0; i < lengths.size(); ++i) {
    const size_t at = aside.bytes.size();
    if (!mapping.isNull(begin + i)) appendPart(item, vector, begin + i, aside.bytes);
    aside.ends.push_back(aside.bytes.size());
    lengths[i] += aside.bytes.size() - at;
  }
}

void RowCodec::Impl::encodeFixed(const Vector& vector, size_t column, const Target& target) const {
  const Item& item = row.children[column];
  const size_t slot = row.field_slots[column];
  const RowMapping mapping(vector);
  const bool has_nulls = mapping.mayHaveNulls();
  if (mapping.isAllNull()) {
    for (size_t i = 0; i < target.rows; ++i) setNullAt(target.bytes + target.starts[i], column);
    return;
  }
  withWord(item.width, [&](auto word) {
    using W = decltype(word);
    const W* data = mapping.flat().data<W>();
    mapping.withRowAt([&](auto row_at) {
      for (size_t i = 0; i < target.rows; ++i) {
        char* bytes = target.bytes + target.starts[i];
        if (has_nulls && mapping.isNull(target.begin + i)) setNullAt(bytes, column);
        else store(bytes + slot, canonical(data[row_at(target.begin + i)], item.physical));
      }
    });
  });
}

void RowCodec::Impl::encodeText(const Vector& vector, size_t column, const Target& target) const {
  const size_t slot = row.field_slots[column];
  const ColumnReader<std::string_view> reader(vector);
  const bool has_nulls = reader.mayHaveNulls();
  for (size_t i = 0; i < target.rows; ++i) {
    char* bytes = target.bytes + target.starts[i];
    PartEnd& end = target.part_ends[i];
    if (has_nulls && reader.isNull(target.begin + i)) {
      setNullAt(bytes, column);
    } else {
      const std::string_view text = reader[target.begin + i];
      if (!text.empty()) std::memcpy(bytes + header() + end, text.data(), text.size());
      end += static_cast<PartEnd>(text.size());
    }
    store(bytes + slot, end);
  }
}

void RowCodec::Impl::encodeNested(const Vector& vector, size_t column, const Aside& aside,
                                  const Target& target) const {
  const size_t slot = row.field_slots[column];
  size_t begin = 0;
  for (size_t i = 0; i < target.rows; ++i) {
    char* bytes = target.bytes + target.starts[i];
    PartEnd& end = target.part_ends[i];
    if (vector.isNull(target.begin + i)) setNullAt(bytes, column);
    const size_t length = aside.ends.empty() ? 0 : aside.ends[i] - begin;
    if (length != 0) std::memcpy(bytes + header() + end, aside.bytes.data() + begin, length);
    begin += length;
    end += static_cast<PartEnd>(length);
    store(bytes + slot, end);
  }
}

void RowCodec::Impl::encode(std::span<const VectorPtr> columns, size_t begin, size_t rows, std::string& arena,
                            std::vector<size_t>& ends) const {
  CHECK(columns.size() == row.children.size());
  ends.assign(rows, header());
  std::vector<Aside> asides(columns.size());
  for (size_t c = 0; c < columns.size(); ++c) addLengths(*columns[c], c, begin, ends, asides[c]);
  std::vector<size_t> starts(rows);
  size_t at = arena.size();
  for (size_t i = 0; i < rows; ++i) {
    partEnd(ends[i]);
    starts[i] = at;
    at += ends[i];
    ends[i] = at;
  }
  arena.resize(at);
  std::vector<PartEnd> part_ends(last_part_slot == kNoSlot ? 0 : rows);
  const Target target{begin, rows, arena.data(), starts, part_ends};
  for (size_t c = 0; c < columns.size(); ++c) {
    const Item& item = row.children[c];
    if (!item.hasParts()) encodeFixed(*columns[c], c, target);
    else if (item.physical == PhysicalType::STRING) encodeText(*columns[c], c, target);
    else encodeNested(*columns[c], c, asides[c], target);
  }
}

void RowCodec::Impl::decodeColumn(size_t column, std::span<const std::string_view> rows, ColumnBuilder& builder) const {
  const Item& item = row.children[column];
  const size_t slot = row.field_slots[column];
  if (item.isFixed()) {
    withWord(item.width, [&](auto word) {
      using W = decltype(word);
      auto& fixed = static_cast<FixedBuilder<W>&>(builder);
      for (const std::string_view bytes : rows) {
        if (isNullAt(bytes.data(), column)) fixed.appendNull();
        else fixed.append(load<W>(bytes.data() + slot));
      }
    });
    return;
  }
  for (const std::string_view bytes : rows) {
    size_t part_begin = partBegin(bytes.data(), column);
    decodeMember(item, bytes, column, slot, header(), part_begin, builder);
  }
}

RowCodec::RowCodec(std::vector<DataType> types) : types_(std::move(types)), impl_(std::make_unique<Impl>(types_)) {}
RowCodec::~RowCodec() = default;
RowCodec::RowCodec(RowCodec&&) noexcept = default;

void RowCodec::encode(std::span<const VectorPtr> columns, size_t rows, std::string& arena,
                      std::vector<size_t>& ends) const {
  impl_->encode(columns, 0, rows, arena, ends);
}

void RowCodec::encodeRow(std::span<const VectorPtr> columns, size_t row, std::string& out) const {
  CHECK(columns.size() == types_.size());
  out.assign(impl_->header(), '\0');
  for (size_t c = 0; c < columns.size(); ++c) {
    appendMember(impl_->row.children[c], columns[c], row, c, 0, impl_->row.field_slots[c], impl_->header(), out);
  }
}

void RowCodec::decode(std::string_view row, std::span<const std::unique_ptr<ColumnBuilder>> builders) const {
  CHECK(row.size() >= impl_->header() && builders.size() == types_.size());
  for (size_t c = 0; c < builders.size(); ++c) impl_->decodeColumn(c, {&row, 1}, *builders[c]);
}

std::vector<VectorPtr> RowCodec::decodeAll(std::span<const std::string_view> rows) const {
  for (const std::string_view row : rows) CHECK(row.size() >= impl_->header());
  std::vector<VectorPtr> columns;
  for (size_t c = 0; c < types_.size(); ++c) {
    auto builder = ColumnBuilder::make(types_[c], rows.size());
    impl_->decodeColumn(c, rows, *builder);
    columns.push_back(builder->finish());
  }
  return columns;
}

bool RowCodec::validate(std::string_view row) const {
  size_t used = 0;
  return validFields(impl_->row, row, used) && used == row.size();
}

}  // namespace thalweg
