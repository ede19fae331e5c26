// NexmarkTexts: the texts that all events share — channels with their urls, and the long random text of `extra`.
// Made once per process and seed; immutable.
#pragma once

#include <memory>
#include <vector>

#include "common/columnar/string_ref.h"
#include "common/columnar/vector.h"

namespace thalweg::worker {

class NexmarkTexts {
 public:
  static constexpr size_t kHotChannels = 4;
  static constexpr size_t kChannels = 10000;
  static constexpr size_t kExtraBytes = size_t{1} << 20;

  static std::shared_ptr<const NexmarkTexts> forSeed(uint64_t seed);

  const StringRef& hotChannel(size_t i) const { return channels_[i]; }
  const StringRef& channel(size_t i) const { return channels_[kHotChannels + i]; }
  const StringRef& hotUrl(size_t i) const { return urls_[i]; }
  const StringRef& url(size_t i) const { return urls_[kHotChannels + i]; }
  const BufferPtr& urlBuffer() const { return url_buffer_; }
  const BufferPtr& extraBuffer() const { return extra_buffer_; }
  /// `length` bytes of the long text from `offset` on, as a view into extraBuffer().
  StringRef extraAt(size_t offset, size_t length) const;

 private:
  explicit NexmarkTexts(uint64_t seed);
  std::vector<StringRef> channels_, urls_;
  BufferPtr url_buffer_, extra_buffer_;
};

/// A well-mixed hash of a 64-bit number: the stream's source of randomness.
inline uint64_t mixBits(uint64_t x) {
  x += 0x9E3779B97F4A7C15ULL;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}
/// Uniform in [0, bound).
inline uint64_t boundedBy(uint64_t random, uint64_t bound) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(random) * bound) >> 64);
}
/// Letters a to z, one in 13 the special one; 3 to max-1 of them, blanks at the ends cut.
void appendRandomText(uint64_t seed, int64_t length_max, char special, std::string& out);

}  // namespace thalweg::worker
