// FileSplit: a range of a file that begins and ends at record starts, and how a file is cut into such ranges.
//
// Small files are one split. Larger ones are cut, if there are several readers and the format allows it, at line feeds
// near multiples of kSplitBytes, but for compressed ones, whose offsets are those of what was compressed; behind a byte that may hide line feeds (a quote of csv) nothing is cut any more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/formats/format_decoder.h"
#include "common/fs/file_system.h"

namespace thalweg::worker {

struct FileSplit {
  static constexpr int64_t kSplitBytes = int64_t{64} << 20;

  std::string path;
  int64_t offset = 0;        ///< next byte to read
  int64_t end = 0;           ///< of the range; kToEnd: wherever the file ends when it is read
  int64_t size_bytes = 0;    ///< of the file, when it was found
  int64_t modified_ms = 0;

  static constexpr int64_t kToEnd = -1;

  std::string encode() const;
  static Result<FileSplit> decode(std::string_view bytes);
};

Result<std::vector<FileSplit>> splitsOfFile(FileSystem& files, const FileInfo& file, const FormatTraits& traits, int parallelism,
                                            int64_t split_bytes = FileSplit::kSplitBytes);

}  // namespace thalweg::worker
