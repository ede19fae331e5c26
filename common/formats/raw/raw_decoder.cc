// raw to a column: each line is a value.
#include "common/formats/column_parts.h"
#include "common/formats/format_list.h"
#include "common/formats/line_decoder.h"
#include "common/formats/raw/raw_bytes.h"

namespace thalweg::format {
namespace {

/// Base: lines, perhaps split once more, and whether the column is wanted at all.
class RawDecoder : public LineDecoder {
 public:
  RawDecoder(Column column, RawSettings settings, bool wanted)
      : LineDecoder(column.type.isString() && settings.charset == Charset::UTF_8, false),
        column_(std::move(column)),
        settings_(std::move(settings)),
        wanted_(wanted) {}

  size_t rows() const final { return rows_; }
  Batch take() final {
    std::vector<VectorPtr> columns;
    if (wanted_) columns.push_back(finish(rows_));
    return Batch(std::exchange(rows_, 0), std::move(columns));
  }

 protected:
  Status readLine(std::string_view line) final {
    if (settings_.line_delimiter.empty()) return readValue(line);
    for (;;) {
      const size_t end = line.find(settings_.line_delimiter);
      RETURN_IF_ERROR(readValue(line.substr(0, end)));
      if (end == std::string_view::npos) return {};
      line.remove_prefix(end + settings_.line_delimiter.size());
    }
  }
  /// Puts `bytes` into row `row`, for which there is room.
  virtual Status store(size_t row, std::string_view bytes) = 0;
  virtual void reserveRows(size_t rows) = 0;
  virtual VectorPtr finish(size_t rows) = 0;
  const Column& column() const { return column_; }
  const RawSettings& settings() const { return settings_; }

 private:
  Status readValue(std::string_view bytes) {
    if (wanted_) {
      reserveRows(rows_ + 1);
      RETURN_IF_ERROR(store(rows_, bytes));
    }
    ++rows_;
    return {};
  }

  Column column_;
  RawSettings settings_;
  bool wanted_;
  size_t rows_ = 0;
};

class RawTextDecoder final : public RawDecoder {
 public:
  using RawDecoder::RawDecoder;

 protected:
  void prepare(const BufferPtr& buffer, size_t rows_max) override {
    if (buffer != buffer_) values_.useBuffer(buffer);
    buffer_ = buffer;
    reserveRows(rows_max);
  }
  void reserveRows(size_t rows) override { values_.reserve(rows); }
  Status store(size_t row, std::string_view bytes) override {
    if (column().type.isBinary() || settings().charset == Charset::UTF_8) values_.setShared(row, bytes);
    else values_.setCopied(row, decodeCharset(bytes, settings().charset));
    return {};
  }
  VectorPtr finish(size_t rows) override {
    Vector::Flat parts = values_.finish(rows);
    parts.type = column().type;
    return Vector::flat(std::move(parts));
  }

 private:
  TextValues values_;
  BufferPtr buffer_;
};

class RawNumberDecoder final : public RawDecoder {
 public:
  RawNumberDecoder(Column column, RawSettings settings, bool wanted)
      : RawDecoder(column, std::move(settings), wanted), width_(static_cast<size_t>(rawWidth(column.type))) {}

 protected:
  void prepare(const BufferPtr&, size_t rows_max) override { reserveRows(rows_max); }
  void reserveRows(size_t rows) override { values_.reserve(rows * width_); }
  Status store(size_t row, std::string_view bytes) override {
    if (bytes.size() != width_) {
      return Status::runtime("column '" + column().name + "': expected the " + std::to_string(width_) + " bytes of a " +
                             column().type.asNullable().toString() + ", found " + std::to_string(bytes.size()) + " bytes");
    }
    char* target = values_.data() + row * width_;
    std::memcpy(target, bytes.data(), width_);
    if (!settings().little_endian) swapEndian(target, width_);
    if (column().type.kind() == TypeKind::BOOLEAN) *target = *target != 0;
    return {};
  }
  VectorPtr finish(size_t rows) override {
    return Vector::flat({.type = column().type, .size = rows, .data = values_.finish(rows * width_)});
  }

 private:
  size_t width_;
  Values<char> values_;
};

}  // namespace

Result<std::unique_ptr<FormatDecoder>> makeRawDecoder(const DecoderSpec& spec) {
  ASSIGN_OR_RETURN(Column column, rawColumn(spec.record));
  ASSIGN_OR_RETURN(RawSettings settings, RawSettings::of(FormatOptions("raw", spec.options)));
  const bool wanted = !spec.wanted.empty();
  if (rawWidth(column.type) == 0) {
    return std::unique_ptr<FormatDecoder>(std::make_unique<RawTextDecoder>(std::move(column), std::move(settings), wanted));
  }
  return std::unique_ptr<FormatDecoder>(std::make_unique<RawNumberDecoder>(std::move(column), std::move(settings), wanted));
}

}  // namespace thalweg::format
