#include "common/columnar/row_block.h"

#include <algorithm>

#include "common/columnar/column_reader.h"

namespace thalweg::row_block {
namespace {

constexpr int32_t kNanosMax = 999'999;

}  // namespace

Item::Item(const DataType& item_type)
    : type(item_type), physical(item_type.physicalType()), width(fixedWidth(physical)) {
  for (const DataType& child : childTypes(type)) children.emplace_back(child);
  size_t at = nullBytes(children.size());
  for (const Item& child : children) {
    field_slots.push_back(at);
    at += child.slotBytes();
  }
  field_header = at;
}

// ---- Encoding of nested values, one at a time

void appendMember(const Item& item, const VectorPtr& vector, size_t row, size_t block, const Place& place,
                  std::string& out) {
  const bool is_null = vector == nullptr || vector->isNull(row);
  if (is_null) setNullAt(out.data() + block, place.index);
  if (item.isFixed() && !is_null) {
    const RowMapping mapping(*vector);
    withWord(item.width, [&](auto word) {
      using W = decltype(word);
      store(out.data() + block + place.slot, canonical(mapping.flat().data<W>()[mapping(row)], item.physical));
    });
  }
  if (!item.hasParts()) return;
  if (!is_null) appendPart(item, *vector, row, out);
  store(out.data() + block + place.slot, partEnd(out.size() - block - place.header));
}

namespace {

void appendElements(const Item& item, const VectorPtr& elements, size_t begin, size_t count, std::string& out) {
  const size_t block = out.size();
  const size_t slots = nullBytes(count);
  const size_t header = slots + count * item.slotBytes();
  out.resize(block + header);
  for (size_t i = 0; i < count; ++i) {
    appendMember(item, elements, begin + i, block, {i, slots + i * item.slotBytes(), header}, out);
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
    appendMember(item.children[c], mapping.flat().child(c), mapping(row), block,
                 {c, item.field_slots[c], item.field_header}, out);
  }
}

}  // namespace

void appendPart(const Item& item, const Vector& vector, size_t row, std::string& out) {
  switch (item.physical) {
    case PhysicalType::STRING: out += ColumnReader<std::string_view>(vector)[row]; return;
    case PhysicalType::ROW: return appendFields(item, vector, row, out);
    default: return appendCollection(item, vector, row, out);
  }
}

// ---- Checking

namespace {

bool validElements(const Item& item, std::string_view bytes, size_t count, size_t& used);

bool validFixed(const Item& item, const char* slot, bool is_null) {
  if (is_null) return std::all_of(slot, slot + item.width, [](char byte) { return byte == 0; });
  if (item.physical == PhysicalType::BOOL) return load<uint8_t>(slot) <= 1;
  if (item.physical == PhysicalType::TIMESTAMP_NANOS) {
    const auto value = load<TimestampValue>(slot);
    return value.nanos >= 0 && value.nanos <= kNanosMax && value.padding == 0;
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

}  // namespace

bool validFields(const Item& item, std::string_view bytes, size_t& used) {
  return validMembers(
      bytes, item.children.size(), item.field_header, [&](size_t i) -> const Item& { return item.children[i]; },
      [&](size_t i) { return item.field_slots[i]; }, used);
}

namespace {

bool validElements(const Item& item, std::string_view bytes, size_t count, size_t& used) {
  const size_t slots = nullBytes(count);
  return validMembers(
      bytes, count, slots + count * item.slotBytes(), [&](size_t) -> const Item& { return item; },
      [&](size_t i) { return slots + i * item.slotBytes(); }, used);
}

}  // namespace

// ---- Decoding

namespace {

void decodePart(const Item& item, std::string_view part, ColumnBuilder& builder);

}  // namespace

void decodeMember(const Item& item, std::string_view block, const Place& place, size_t& part_begin,
                  ColumnBuilder& builder) {
  if (isNullAt(block.data(), place.index)) return builder.appendNull();
  if (item.isFixed()) {
    withWord(item.width, [&](auto word) {
      using W = decltype(word);
      static_cast<FixedBuilder<W>&>(builder).append(load<W>(block.data() + place.slot));
    });
    return;
  }
  const size_t part_end = load<PartEnd>(block.data() + place.slot);
  CHECK(part_begin <= part_end && place.header + part_end <= block.size());
  decodePart(item, block.substr(place.header + part_begin, part_end - part_begin), builder);
  part_begin = part_end;
}

namespace {

// Decodes the block of `count` elements at the start of `bytes`; returns its size.
size_t decodeElements(const Item& item, std::string_view bytes, size_t count, ColumnBuilder& builder) {
  const size_t slots = nullBytes(count);
  const size_t header = slots + count * item.slotBytes();
  CHECK(header <= bytes.size());
  size_t part_begin = 0;
  for (size_t i = 0; i < count; ++i) {
    decodeMember(item, bytes, {i, slots + i * item.slotBytes(), header}, part_begin, builder);
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
      decodeMember(item.children[c], part, {c, item.field_slots[c], item.field_header}, part_begin, row.child(c));
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

}  // namespace thalweg::row_block
