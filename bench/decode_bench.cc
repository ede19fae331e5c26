#include "bench/decode_bench.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <vector>

#include "bench/nexmark_job.h"
#include "bench/resource_use.h"
#include "bench/scratch_folder.h"
#include "common/formats/format_decoder.h"

namespace thalweg::bench {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;
constexpr size_t kBatchRows = 8192;

/// Whole lines, as a reader feeds them.
struct Piece {
  BufferPtr buffer;
  size_t bytes = 0;
};

std::vector<Piece> piecesOf(const std::string& text) {
  std::vector<Piece> pieces;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(begin + kPieceBytes, text.size());
    while (end < text.size() && text[end - 1] != '\n') --end;
    MutableBufferPtr buffer = Buffer::allocate(end - begin + kDecoderPaddingBytes);
    std::memcpy(buffer->mutableData(), text.data() + begin, end - begin);
    std::memset(buffer->mutableData() + (end - begin), 0, kDecoderPaddingBytes);
    pieces.push_back({std::move(buffer), end - begin});
    begin = end;
  }
  return pieces;
}

DecoderSpec specOf(const std::string& format) {
  DecoderSpec spec;
  spec.format = format;
  spec.record = Schema({{"auction", DataType::bigint()}, {"bidder", DataType::bigint()}, {"price", DataType::bigint()}, {"channel", DataType::string()},
                        {"url", DataType::string()}, {"dateTime", DataType::timestamp(3)}, {"extra", DataType::string()}});
  for (size_t i = 0; i < spec.record.size(); ++i) spec.wanted.push_back({.column = static_cast<int>(i)});
  return spec;
}

Result<size_t> decodeAll(const std::string& format, const std::vector<Piece>& pieces) {
  ASSIGN_OR_RETURN(const auto decoder, makeFormatDecoder(specOf(format)));
  size_t rows = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    decoder->feed(pieces[i].buffer, 0, pieces[i].bytes, i + 1 == pieces.size());
    for (;;) {
      RETURN_IF_ERROR(decoder->decode(kBatchRows));
      if (decoder->rows() == 0) break;
      rows += decoder->take().rows();
    }
    if (decoder->position() != pieces[i].bytes) return Status::internal("the decoder left a part of whole lines");
  }
  return rows;
}

}  // namespace

Result<std::string> runDecodeAlone(const DecodeOptions& options) {
  const ScratchFolder folder;
  NexmarkOptions job;
  job.folder = options.folder;
  job.events = options.events;
  job.settings = {"parallelism.default=1"};
  job.keep_files_in = folder.path();
  RETURN_IF_ERROR(runNexmarkQuery(job, "write_" + options.format).status());
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
    if (!entry.is_regular_file() || entry.path().filename().string()[0] == '.') continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    text.append(std::istreambuf_iterator<char>(stream), {});
  }
  const std::vector<Piece> pieces = piecesOf(text);
  double cheapest = 0;
  size_t rows = 0;
  for (int i = 0; i < options.rounds; ++i) {
    const ResourceUse start = ResourceUse::now();
    ASSIGN_OR_RETURN(rows, decodeAll(options.format, pieces));
    const double seconds = ResourceUse::now().since(start).cpu_seconds;
    cheapest = i == 0 ? seconds : std::min(cheapest, seconds);
  }
  std::ostringstream line;
  line << std::fixed << "{\"bench\": \"decode_alone\", \"format\": \"" << options.format << "\", \"rows\": " << rows << ", \"bytes\": " << text.size()
       << std::setprecision(3) << ", \"cpu_seconds\": " << cheapest << std::setprecision(0) << ", \"rows_per_cpu_second\": "
       << static_cast<double>(rows) / cheapest << ", \"mb_per_cpu_second\": " << static_cast<double>(text.size()) / cheapest / 1e6 << "}";
  return line.str();
}

}  // namespace thalweg::bench
