// How rows become bytes, a column at a time: encode() sums the lengths of all rows first, gets zeroed space for all,
// and then lets each column write its slots and parts of all rows; nested values are encoded aside before.
#include "common/columnar/row_codec.h"

#include "common/columnar/column_reader.h"
#include "common/columnar/row_block.h"
#include "common/columnar/text_bytes.h"

namespace thalweg {

using namespace row_block;

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
  void decodeText(size_t column, std::span<const std::string_view> rows, StringBuilder& builder) const;
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
      copyText(bytes + header() + end, text.data(), text.size());
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

void RowCodec::Impl::decodeText(size_t column, std::span<const std::string_view> rows, StringBuilder& builder) const {
  const size_t slot = row.field_slots[column];
  size_t long_bytes = 0;
  for (const std::string_view bytes : rows) {
    const size_t length = load<PartEnd>(bytes.data() + slot) - partBegin(bytes.data(), column);
    long_bytes += length > StringRef::kInlineMax ? length : 0;
  }
  builder.reserveLong(long_bytes);
  for (const std::string_view bytes : rows) {
    const size_t begin = partBegin(bytes.data(), column);
    const size_t end = load<PartEnd>(bytes.data() + slot);
    CHECK(begin <= end && header() + end <= bytes.size());
    if (isNullAt(bytes.data(), column)) builder.appendNull();
    else builder.append(bytes.substr(header() + begin, end - begin));
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
  if (item.physical == PhysicalType::STRING) return decodeText(column, rows, static_cast<TextBuilder&>(builder).text());
  for (const std::string_view bytes : rows) {
    size_t part_begin = partBegin(bytes.data(), column);
    decodeMember(item, bytes, {column, slot, header()}, part_begin, builder);
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
    appendMember(impl_->row.children[c], columns[c], row, 0, {c, impl_->row.field_slots[c], impl_->header()}, out);
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
