#include "worker/connectors/filesystem/file_split.h"

#include <algorithm>
#include <cstring>

#include "common/fs/decompressed_file.h"
#include "worker/connectors/split_list.h"

namespace thalweg::worker {
namespace {

constexpr size_t kScanBytes = size_t{256} << 10;

/// Reads a file forward, a piece at a time.
class FileScanner {
 public:
  FileScanner(ReadableFile& file, int64_t offset) : file_(file), offset_(offset), buffer_(kScanBytes) {}

  /// The offset of the next `byte` at or after the scanner's place and before `end`, or -1; moves behind it.
  Result<int64_t> find(char byte, int64_t end) {
    while (offset_ < end) {
      if (offset_ >= piece_offset_ + static_cast<int64_t>(piece_bytes_) || offset_ < piece_offset_) {
        piece_offset_ = offset_;
        ASSIGN_OR_RETURN(piece_bytes_, file_.readAt(offset_, buffer_));
        if (piece_bytes_ == 0) return int64_t{-1};
      }
      const auto begin = static_cast<size_t>(offset_ - piece_offset_);
      const size_t until = std::min(piece_bytes_, static_cast<size_t>(end - piece_offset_));
      const void* found = std::memchr(buffer_.data() + begin, byte, until - begin);
      if (found != nullptr) {
        const int64_t at = piece_offset_ + (static_cast<const uint8_t*>(found) - buffer_.data());
        offset_ = at + 1;
        return at;
      }
      offset_ = piece_offset_ + static_cast<int64_t>(until);
    }
    return int64_t{-1};
  }

 private:
  ReadableFile& file_;
  int64_t offset_;
  std::vector<uint8_t> buffer_;
  int64_t piece_offset_ = 0;
  size_t piece_bytes_ = 0;
};

/// Record starts to cut the file at.
Result<std::vector<int64_t>> cutsOf(ReadableFile& file, int64_t size, const FormatTraits& traits, int64_t split_bytes) {
  std::vector<int64_t> cuts;
  FileScanner unsplittable(file, 0);
  for (int64_t wanted = split_bytes; wanted + split_bytes / 2 < size; wanted = cuts.back() + split_bytes) {
    FileScanner lines(file, wanted - 1);
    ASSIGN_OR_RETURN(const int64_t feed, lines.find('\n', size));
    if (feed < 0 || feed + 1 >= size) break;
    if (traits.unsplittable_byte != 0) {
      ASSIGN_OR_RETURN(const int64_t hidden, unsplittable.find(traits.unsplittable_byte, feed + 1));
      if (hidden >= 0) break;
    }
    cuts.push_back(feed + 1);
  }
  return cuts;
}

}  // namespace

std::string FileSplit::encode() const {
  return encodeFields({path, std::to_string(offset), std::to_string(end), std::to_string(size_bytes), std::to_string(modified_ms)});
}

Result<FileSplit> FileSplit::decode(std::string_view bytes) {
  ASSIGN_OR_RETURN(const auto fields, decodeFields(bytes, 5, "file"));
  FileSplit split{.path = fields[0]};
  ASSIGN_OR_RETURN(split.offset, decodeNumber(fields[1], "offset"));
  ASSIGN_OR_RETURN(split.end, decodeNumber(fields[2], "end"));
  ASSIGN_OR_RETURN(split.size_bytes, decodeNumber(fields[3], "size"));
  ASSIGN_OR_RETURN(split.modified_ms, decodeNumber(fields[4], "modification time"));
  if (split.offset < 0) return Status::internal("expected an offset in a file split, found " + fields[1]);
  return split;
}

Result<std::vector<FileSplit>> splitsOfFile(FileSystem& files, const FileInfo& file, const FormatTraits& traits, int parallelism, int64_t split_bytes) {
  std::vector<int64_t> cuts;
  const bool packed = compressionOf(file.path) != Compression::NONE;
  if (traits.splittable && !packed && parallelism > 1 && file.size_bytes > split_bytes) {
    ASSIGN_OR_RETURN(auto opened, files.openForReading(file.path));
    ASSIGN_OR_RETURN(cuts, cutsOf(*opened, file.size_bytes, traits, split_bytes));
  }
  std::vector<FileSplit> splits;
  int64_t begin = 0;
  for (const int64_t cut : cuts) {
    splits.push_back({file.path, begin, cut, file.size_bytes, file.modified_ms});
    begin = cut;
  }
  splits.push_back({file.path, begin, FileSplit::kToEnd, file.size_bytes, file.modified_ms});
  return splits;
}

}  // namespace thalweg::worker
