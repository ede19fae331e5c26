// The portable format, all numbers little-endian: a cookie; per container its 16 high bits and size - 1; offsets; then
// containers of up to 4096 sorted 16-bit numbers, or a bit set of 8 KiB. With the run cookie come flags that say which
// containers are lists of (start, length - 1), and offsets only from 4 containers on.
#include "common/types/roaring_bitmap.h"

#include <algorithm>
#include <bit>

namespace thalweg {

namespace {

constexpr uint32_t kCookie = 12346;
constexpr uint32_t kRunCookie = 12347;
constexpr size_t kArrayMax = 4096;
constexpr size_t kBitSetBytes = 8192;
constexpr size_t kContainersMax = 65536;
constexpr size_t kMembersMax = size_t{1} << 26;  ///< a few bytes of runs could ask for more memory than there is
constexpr size_t kOffsetsFrom = 4;  ///< containers from which files with runs have offsets

void put(std::string& out, uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

/// Little-endian numbers from the front; `ok` turns false past the end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}
  uint32_t take(size_t width) {
    const std::string_view part = takeBytes(width);
    uint32_t value = 0;
    for (size_t i = part.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(part[i]);
    return value;
  }
  std::string_view takeBytes(size_t count) {
    if (count > bytes_.size()) {
      ok = false;
      return {};
    }
    const std::string_view part = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return part;
  }
  bool ok = true;

 private:
  std::string_view bytes_;
};

struct Container {
  uint32_t high;
  size_t size;
  bool runs;
};

/// Adds a member; false if it does not follow the last one, or there are too many.
bool add(std::vector<uint32_t>& members, uint32_t value) {
  if (members.size() == kMembersMax) return false;
  if (!members.empty() && members.back() >= value) return false;
  members.push_back(value);
  return true;
}

bool readRuns(ByteReader& in, const Container& c, std::vector<uint32_t>& members) {
  const uint32_t runs = in.take(2);
  for (uint32_t i = 0; i < runs && in.ok; ++i) {
    const uint32_t start = in.take(2);
    const uint32_t last = start + in.take(2);
    if (last > 0xFFFF) return false;
    for (uint32_t low = start; low <= last; ++low) {
      if (!add(members, c.high << 16 | low)) return false;
    }
  }
  return true;
}

bool readBits(ByteReader& in, const Container& c, std::vector<uint32_t>& members) {
  const std::string_view bits = in.takeBytes(kBitSetBytes);
  const size_t before = members.size();
  for (size_t i = 0; i < bits.size(); ++i) {
    for (unsigned byte = static_cast<unsigned char>(bits[i]); byte != 0; byte &= byte - 1) {
      if (!add(members, c.high << 16 | static_cast<uint32_t>(i * 8 + static_cast<size_t>(std::countr_zero(byte))))) return false;
    }
  }
  return members.size() - before == c.size;
}

bool readArray(ByteReader& in, const Container& c, std::vector<uint32_t>& members) {
  for (size_t i = 0; i < c.size && in.ok; ++i) {
    if (!add(members, c.high << 16 | in.take(2))) return false;
  }
  return true;
}

std::vector<Container> readDirectory(ByteReader& in) {
  const uint32_t cookie = in.take(4);
  const bool has_runs = (cookie & 0xFFFF) == kRunCookie;
  if (!has_runs && cookie != kCookie) in.ok = false;
  const size_t count = has_runs ? (cookie >> 16) + 1 : in.take(4);
  if (count > kContainersMax) in.ok = false;
  if (!in.ok) return {};
  const std::string_view flags = has_runs ? in.takeBytes((count + 7) / 8) : std::string_view();
  std::vector<Container> containers;
  for (size_t i = 0; i < count && in.ok; ++i) {
    const uint32_t high = in.take(2);
    const size_t size = in.take(2) + size_t{1};
    const bool runs = has_runs && i / 8 < flags.size() && (static_cast<unsigned char>(flags[i / 8]) >> (i % 8) & 1) != 0;
    containers.push_back({high, size, runs});
  }
  if (!has_runs || count >= kOffsetsFrom) in.takeBytes(count * 4);  // offsets say nothing new
  return containers;
}

}  // namespace

std::optional<std::vector<uint32_t>> readBitmap(std::string_view bytes) {
  ByteReader in(bytes);
  std::vector<uint32_t> members;
  for (const Container& c : readDirectory(in)) {
    const bool sound = c.runs ? readRuns(in, c, members) : c.size > kArrayMax ? readBits(in, c, members) : readArray(in, c, members);
    if (!sound || !in.ok) return std::nullopt;
  }
  return in.ok ? std::optional(std::move(members)) : std::nullopt;
}

std::string writeBitmap(std::span<const uint32_t> ascending) {
  std::string directory;
  std::string bodies;
  std::vector<size_t> begins;
  for (size_t i = 0; i < ascending.size();) {
    const uint32_t high = ascending[i] >> 16;
    size_t end = i;
    while (end < ascending.size() && ascending[end] >> 16 == high) ++end;
    put(directory, high, 2);
    put(directory, static_cast<uint32_t>(end - i - 1), 2);
    begins.push_back(bodies.size());
    if (end - i <= kArrayMax) {
      for (; i < end; ++i) put(bodies, ascending[i] & 0xFFFF, 2);
    } else {
      const size_t begin = bodies.size();
      bodies.append(kBitSetBytes, '\0');
      for (; i < end; ++i) {
        char& byte = bodies[begin + (ascending[i] & 0xFFFF) / 8];
        byte = static_cast<char>(byte | 1 << (ascending[i] % 8));
      }
    }
  }
  std::string out;
  put(out, kCookie, 4);
  put(out, static_cast<uint32_t>(begins.size()), 4);
  out += directory;
  const size_t bodies_at = out.size() + begins.size() * 4;
  for (size_t begin : begins) put(out, static_cast<uint32_t>(bodies_at + begin), 4);
  return out + bodies;
}

std::string bitmapText(std::string_view bytes) {
  constexpr size_t kTextMax = 0x80000;
  std::string out = "{";
  for (const uint32_t member : readBitmap(bytes).value_or(std::vector<uint32_t>())) {
    if (out.size() > 1) out += ',';
    if (out.size() > kTextMax) {
      out += "...";
      break;
    }
    out += std::to_string(member);
  }
  return out + "}";
}

}  // namespace thalweg
