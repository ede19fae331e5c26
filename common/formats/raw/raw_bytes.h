// The one column of the raw format as bytes: text in a charset, bytes as they are, numbers in big or little endian.
#pragma once

#include <algorithm>
#include <string>

#include "common/base/status.h"
#include "common/formats/format_options.h"
#include "common/formats/text_encoding.h"
#include "common/types/schema.h"

namespace thalweg::format {

struct RawSettings {
  Charset charset = Charset::UTF_8;
  bool little_endian = false;
  std::string line_delimiter;  ///< splits what is between two line feeds further; empty: not

  static Result<RawSettings> of(const FormatOptions& options) {
    RawSettings settings;
    const std::string charset = options.get("charset");
    settings.charset = charsetOf(charset);
    if (settings.charset == Charset::UNKNOWN) return Status::plan("option 'raw.charset' names an unknown charset, '" + charset + "'");
    settings.little_endian = options.getEnum("endianness") == "LITTLE-ENDIAN";
    settings.line_delimiter = options.get("line-delimiter");
    return settings;
  }
};

/// Bytes of a value of the type; 0: any. -1: raw cannot hold the type.
inline int rawWidth(const DataType& type) {
  switch (type.kind()) {
    case TypeKind::CHAR: case TypeKind::VARCHAR: case TypeKind::BINARY: case TypeKind::VARBINARY: return 0;
    case TypeKind::BOOLEAN: case TypeKind::TINYINT: return 1;
    case TypeKind::SMALLINT: return 2;
    case TypeKind::INTEGER: case TypeKind::FLOAT: return 4;
    case TypeKind::BIGINT: case TypeKind::DOUBLE: return 8;
    default: return -1;
  }
}

/// The column that a raw table must have, and nothing else.
inline Result<Column> rawColumn(const Schema& record) {
  if (record.size() != 1) {
    return Status::plan("the format 'raw' takes tables of one column, but there are " + std::to_string(record.size()));
  }
  if (rawWidth(record.type(0)) < 0) {
    return Status::plan("the format 'raw' does not take columns of type " + record.type(0).toString());
  }
  return record.column(0);
}

/// Reverses the bytes of a big-endian number in place (all machines of ours are little-endian).
inline void swapEndian(char* bytes, size_t size) { std::reverse(bytes, bytes + size); }

}  // namespace thalweg::format
