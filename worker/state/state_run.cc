// The bytes of a run, version 1 (words: byte_stream.h).
//
//   run     := "TWRN" byte version | byte flags (1: fixed keys) | 00 00 | block* | footer | tail
//   block   := 4 bytes, the low half of XXH3-64 of what follows | entry*
//   entry   := key | varint 0 if erased, else value bytes + 1 | value
//   key     := 8 big-endian bytes if fixed, else text
//   footer  := varint segments | segment* | (varint block bytes | 4 bytes first hash, high half)* | text filter
//   segment := number namespace | varint blocks | varint entries
//   tail    := 8 bytes where the footer begins | 8 bytes XXH3-64 of the footer and the first 8 bytes of the file
// Numbers of fixed width are little-endian. A block ends with the entry that takes it to 2 KiB. The filter is RunFilter's
// lines, of eight words of 64 bits each.
#include "worker/state/state_run.h"

#include <algorithm>
#include <cstring>

#include "common/base/byte_stream.h"
#include "common/base/hash.h"
#include "worker/state/run_bytes.h"

namespace thalweg::worker {

namespace {

constexpr size_t kVerifyBytes = size_t{1} << 20;
constexpr size_t kExtentBytesMax = size_t{64} << 10;   // read at once for neighbouring keys

}  // namespace

bool takeEntry(std::string_view& rest, bool fixed_keys, RunEntry& entry) {
  ByteReader reader(rest);
  entry.key = fixed_keys ? reader.bytes(sizeof(uint64_t)) : reader.text();
  const uint64_t coded = reader.varint();
  if (coded == 0) entry.value.reset();
  else entry.value = reader.bytes(coded - 1);
  if (!reader.ok()) return false;
  rest.remove_prefix(rest.size() - reader.remaining());
  return true;
}

/// Where the entry of a fixed key stands in a block: its value, coded; end() if it is not there.
const char* seekFixed(std::string_view block, std::string_view key) {
  constexpr size_t kKeyBytes = sizeof(uint64_t);
  uint64_t wanted;
  std::memcpy(&wanted, key.data(), kKeyBytes);
  const char* const end = block.data() + block.size();
  for (const char* at = block.data(); static_cast<size_t>(end - at) > kKeyBytes;) {
    uint64_t word;
    std::memcpy(&word, at, kKeyBytes);
    if (word == wanted) return at;
    const auto coded = static_cast<uint8_t>(at[kKeyBytes]);
    size_t value = coded > 0 ? coded - 1u : 0;
    at += kKeyBytes + 1;
    if (coded >= 0x80) {                                // a longer varint
      uint64_t whole = coded & 0x7f;
      unsigned shift = 7;
      for (bool more = true; more && at < end && shift < 63; shift += 7, ++at) {
        whole |= static_cast<uint64_t>(static_cast<uint8_t>(*at) & 0x7f) << shift;
        more = (static_cast<uint8_t>(*at) & 0x80) != 0;
      }
      value = whole - 1;
    }
    if (value > static_cast<size_t>(end - at)) return end;
    at += value;
  }
  return end;
}

StateRun::~StateRun() {
  file_.reset();
  if (owns_file_) (void)files_.remove(path_);
}

Status StateRun::damaged(std::string_view what) const {
  return Status::invalid("state on disk: '" + path_ + "' is damaged: " + std::string(what));
}

uint64_t StateRun::entries() const {
  uint64_t total = 0;
  for (const RunSegment& segment : segments_) total += segment.entries;
  return total;
}

size_t StateRun::memoryBytes() const {
  return (filter_ ? filter_->memoryBytes() : 0) + first_hashes_.capacity() * sizeof(uint32_t) + offsets_.capacity() * sizeof(uint64_t);
}

Status StateRun::readBlocks(ReadableFile& file, uint32_t begin, uint32_t end, std::string& bytes) const {
  const uint64_t size = offsets_[end] - offsets_[begin];
  bytes.resize(size);
  ASSIGN_OR_RETURN(const size_t got, file.readAt(static_cast<int64_t>(offsets_[begin]), {reinterpret_cast<uint8_t*>(bytes.data()), size}));
  if (got != size) return damaged("it is cut short");
  for (uint32_t block = begin; block < end; ++block) {
    const std::string_view content = blockIn(bytes, begin, block);
    uint32_t sum;
    std::memcpy(&sum, content.data() - sizeof(sum), sizeof(sum));
    if (static_cast<uint32_t>(hashBytes(content)) != sum) return damaged("the checksum of block " + std::to_string(block) + " does not fit");
  }
  return {};
}

/// Without its checksum.
std::string_view StateRun::blockIn(const std::string& bytes, uint32_t begin, uint32_t block) const {
  const uint64_t at = offsets_[block] - offsets_[begin];
  return std::string_view(bytes).substr(at + sizeof(uint32_t), offsets_[block + 1] - offsets_[block] - sizeof(uint32_t));
}

/// The first block at or after `from` that may hold the hash: the last one that begins before it. Keys come in order, so
/// the search gallops.
uint32_t StateRun::blockOf(const RunSegment& segment, uint64_t hash, uint32_t from) const {
  const auto high = static_cast<uint32_t>(hash >> 32);
  uint32_t low = from;                                  // begins before the hash, or is where to start anyway
  for (uint32_t step = 1;; step *= 2) {
    const uint32_t next = low + step;
    if (next >= segment.end_block || first_hashes_[next] >= high) {
      const auto begin = first_hashes_.begin() + low + 1;
      const auto end = first_hashes_.begin() + std::min(next, segment.end_block);
      return begin < end ? static_cast<uint32_t>(std::lower_bound(begin, end, high) - first_hashes_.begin()) - 1 : low;
    }
    low = next;
  }
}

Status StateRun::find(const RunSegment& segment, std::span<const RunKey> keys, const Visitor& visit) const {
  constexpr size_t kAhead = 8;
  std::vector<Wanted> wanted;
  uint32_t block = segment.first_block;
  for (size_t i = 0; i < keys.size(); ++i) {
    if (i + kAhead < keys.size()) filter_->prefetch(RunFilter::mixed(keys[i + kAhead].hash, segment.ns));
    if (!filter_->mayHold(RunFilter::mixed(keys[i].hash, segment.ns))) continue;
    block = blockOf(segment, keys[i].hash, block);
    wanted.push_back({static_cast<uint32_t>(i), block});
  }
  std::string bytes;
  for (size_t i = 0; i < wanted.size();) {
    // Neighbouring keys are read at once, with the blocks between them if those are few.
    uint32_t begin = wanted[i].block;
    uint32_t end = begin + 1;
    size_t last = i + 1;
    for (; last < wanted.size() && wanted[last].block <= end + 1 && offsets_[wanted[last].block + 1] - offsets_[begin] <= kExtentBytesMax; ++last) {
      end = std::max(end, wanted[last].block + 1);
    }
    RETURN_IF_ERROR(readBlocks(*file_, begin, end, bytes));
    for (; i < last; ++i) {
      const RunKey& key = keys[wanted[i].key];
      uint32_t at = wanted[i].block;
      RunEntry entry;
      bool found = false;
      // Keys of one high half may stand in the next blocks, too.
      while (true) {
        std::string_view rest = blockIn(bytes, begin, at);
        if (fixed_keys_) {
          const char* const place = seekFixed(rest, key.key);
          rest.remove_prefix(static_cast<size_t>(place - rest.data()));
        }
        while (!rest.empty() && !found) {
          if (!takeEntry(rest, fixed_keys_, entry)) return damaged("an entry ends early");
          found = entry.key == key.key;
        }
        ++at;
        if (found || at >= segment.end_block || first_hashes_[at] > static_cast<uint32_t>(key.hash >> 32)) break;
        if (at < end) continue;
        begin = at;
        end = at + 1;
        RETURN_IF_ERROR(readBlocks(*file_, begin, end, bytes));
      }
      if (found) RETURN_IF_ERROR(visit(key, entry.value));
      if (i + 1 < last && (wanted[i + 1].block < begin || wanted[i + 1].block >= end)) {
        ++i;                                            // the extent was left: read the others anew
        break;
      }
    }
  }
  return {};
}

RunReader::RunReader(std::shared_ptr<const StateRun> run, const RunSegment& segment, uint64_t from)
    : run_(std::move(run)),
      next_block_(segment.first_block == segment.end_block ? segment.first_block : run_->blockOf(segment, from, segment.first_block)),
      end_block_(segment.end_block),
      at_block_(next_block_) {}

Status RunReader::fill() {
  first_ = at_block_ = next_block_;
  while (next_block_ < end_block_ &&
         (next_block_ == first_ || run_->offsets_[next_block_ + 1] - run_->offsets_[first_] <= kReadBytes)) {
    ++next_block_;
  }
  return run_->readBlocks(*run_->file_, first_, next_block_, bytes_);
}

Result<const RunEntry*> RunReader::next() {
  while (block_.empty()) {
    if (at_block_ == next_block_) {
      if (next_block_ == end_block_) return nullptr;
      RETURN_IF_ERROR(fill());
    }
    block_ = run_->blockIn(bytes_, first_, at_block_++);
  }
  if (!takeEntry(block_, run_->fixed_keys_, entry_)) return run_->damaged("an entry ends early");
  entry_.hash = hashBytes(entry_.key);
  return &entry_;
}

Result<std::shared_ptr<const StateRun>> StateRun::open(FileSystem& files, std::string path, bool owns_file, std::shared_ptr<const void> owner) {
  std::shared_ptr<StateRun> run(new StateRun(files, std::move(path), owns_file, std::move(owner)));
  ASSIGN_OR_RETURN(run->file_, files.openForReading(run->path_));
  run->size_bytes_ = static_cast<uint64_t>(run->file_->sizeBytes());
  if (run->size_bytes_ < kRunHeadBytes + kRunTailBytes) return run->damaged("it is cut short");
  const auto read = [&](uint64_t offset, uint64_t size) -> Result<std::string> {
    std::string bytes(size, '\0');
    ASSIGN_OR_RETURN(const size_t got, run->file_->readAt(static_cast<int64_t>(offset), {reinterpret_cast<uint8_t*>(bytes.data()), size}));
    if (got != size) return run->damaged("it is cut short");
    return bytes;
  };
  ASSIGN_OR_RETURN(const std::string head, read(0, kRunHeadBytes));
  if (head.substr(0, kRunMagic.size()) != kRunMagic) return run->damaged("it does not begin with " + std::string(kRunMagic));
  if (head[4] != kRunVersion) return Status::invalid("'" + run->path_ + "' has format version " + std::to_string(head[4]) + ", and this release reads version 1");
  run->fixed_keys_ = (head[5] & 1) != 0;
  ASSIGN_OR_RETURN(const std::string tail, read(run->size_bytes_ - kRunTailBytes, kRunTailBytes));
  uint64_t begin;
  uint64_t sum;
  std::memcpy(&begin, tail.data(), sizeof(begin));
  std::memcpy(&sum, tail.data() + sizeof(begin), sizeof(sum));
  if (begin < kRunHeadBytes || begin > run->size_bytes_ - kRunTailBytes) return run->damaged("its end names no place in it");
  ASSIGN_OR_RETURN(const std::string footer, read(begin, run->size_bytes_ - kRunTailBytes - begin));
  if (hashBytes(footer + head) != sum) return run->damaged("the checksum of its end does not fit");
  ByteReader reader(footer);
  uint64_t blocks = 0;
  for (uint64_t left = reader.varint(); left > 0 && reader.ok(); --left) {
    RunSegment segment;
    segment.ns = reader.number();
    segment.first_block = static_cast<uint32_t>(blocks);
    blocks += reader.varint();
    segment.end_block = static_cast<uint32_t>(blocks);
    segment.entries = reader.varint();
    run->segments_.push_back(segment);
  }
  uint64_t offset = kRunHeadBytes;
  for (uint64_t block = 0; block < blocks && reader.ok(); ++block) {
    run->offsets_.push_back(offset);
    offset += reader.varint();
    uint32_t hash = 0;
    if (const std::string_view bytes = reader.bytes(sizeof(hash)); bytes.size() == sizeof(hash)) std::memcpy(&hash, bytes.data(), sizeof(hash));
    run->first_hashes_.push_back(hash);
  }
  run->offsets_.push_back(offset);
  run->filter_ = RunFilter::of(reader.text());
  if (!reader.ok() || !reader.atEnd() || offset != begin || !run->filter_) return run->damaged("its end does not fit its length");
  return std::shared_ptr<const StateRun>(run);
}

Status StateRun::verify() const {
  std::string bytes;
  const auto blocks = static_cast<uint32_t>(first_hashes_.size());
  for (uint32_t begin = 0; begin < blocks;) {
    uint32_t end = begin + 1;
    while (end < blocks && offsets_[end + 1] - offsets_[begin] <= kVerifyBytes) ++end;
    RETURN_IF_ERROR(readBlocks(*file_, begin, end, bytes));
    begin = end;
  }
  return {};
}

void StateRun::noteStored(const std::string& path) const {
  const MutexLock lock(mutex_);
  stored_path_ = path;
}

Status StateRun::storeAs(FileSystem& files, const std::string& path, bool durable) const {
  const MutexLock lock(mutex_);
  if (!stored_path_.empty() && files.link(stored_path_, path).isOk()) return {};
  if (&files == &files_) {
    if (durable && !synced_) {
      ASSIGN_OR_RETURN(const auto file, files_.reopen(path_, static_cast<int64_t>(size_bytes_)));
      RETURN_IF_ERROR(file->sync());
      RETURN_IF_ERROR(file->close());
      synced_ = true;
    }
    if (files.link(path_, path).isOk()) return {};
  }
  RETURN_IF_ERROR(copyTo(files, path, durable));
  if (durable) stored_path_ = path;
  return {};
}

Status StateRun::copyTo(FileSystem& files, const std::string& path, bool durable) const {
  ASSIGN_OR_RETURN(const auto target, files.create(path));
  std::string bytes(kVerifyBytes, '\0');
  for (uint64_t done = 0; done < size_bytes_;) {
    ASSIGN_OR_RETURN(const size_t got, file_->readAt(static_cast<int64_t>(done), {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}));
    if (got == 0) return damaged("it is cut short");
    RETURN_IF_ERROR(target->append({bytes.data(), got}));
    done += got;
  }
  if (durable) RETURN_IF_ERROR(target->sync());
  return target->close();
}

}  // namespace thalweg::worker
