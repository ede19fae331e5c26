// FormatDecoder: bytes to columns. One per reader; the bytes of one file range go through it from start to end.
//
//   decoder->feed(buffer, begin, end, last);      // the next bytes
//   while (…) { decoder->decode(rows_max); emit(decoder->take()); }
//   // bytes from decoder->position() on belong to a record that is not complete: feed them again, with more behind
//
// Whole records only are decoded. A record may give several rows (arrays of JSON, changelog envelopes), so rows() may
// pass rows_max by the rows of one record. Long text refers to the fed buffer, which must be padded by
// kDecoderPaddingBytes readable bytes and must not change afterwards.
// A bad record fails, or with ignore-parse-errors is skipped and counted; a bad field is then NULL. The failure names
// column, expected and found; file and line are the reader's, from errorOffset().
// Threads: one owner.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/base/status.h"
#include "common/columnar/batch.h"
#include "common/plan/operator_spec.h"
#include "common/types/schema.h"

namespace thalweg {

/// Readable bytes after the end of every fed buffer.
inline constexpr size_t kDecoderPaddingBytes = 64;

/// What to decode.
struct DecoderSpec {
  std::string format;
  OptionMap options;  ///< the table's; the format's own begin with its name
  Schema record;      ///< the columns that records have, in order
  struct Wanted {
    int column = -1;
    /// Nested projection, as in SourceSpec::Output; empty: all of it.
    std::vector<std::vector<int>> used_paths = {};
  };
  std::vector<Wanted> wanted;  ///< the columns of take(), in this order
};

class FormatDecoder {
 public:
  virtual ~FormatDecoder() = default;
  /// Bytes [begin, end) of `buffer` follow what was consumed so far; `last`: nothing comes after them.
  virtual void feed(BufferPtr buffer, size_t begin, size_t end, bool last) = 0;
  /// Decodes records until rows() >= rows_max or no complete record is left.
  virtual Status decode(size_t rows_max) = 0;
  /// First byte of the fed buffer that was not consumed.
  virtual size_t position() const = 0;
  /// Rows decoded and not taken.
  virtual size_t rows() const = 0;
  /// Those rows; changelog formats set row kinds.
  virtual Batch take() = 0;
  /// Where in the fed buffer the record stands that made decode() fail.
  virtual size_t errorOffset() const = 0;
  /// Records left out so far because of ignore-parse-errors.
  virtual uint64_t skippedRecords() const = 0;
};

/// How files of a format can be read.
struct FormatTraits {
  bool strips_byte_order_mark = false;
  /// A file may be cut at any line feed…
  bool splittable = false;
  /// … unless this byte occurs in it (a quote may hide line feeds); 0: always.
  char unsplittable_byte = 0;
};

Result<std::unique_ptr<FormatDecoder>> makeFormatDecoder(const DecoderSpec& spec);
FormatTraits formatTraits(const std::string& format, const OptionMap& options);

}  // namespace thalweg
