#include "worker/connectors/nexmark/nexmark_texts.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

namespace thalweg::worker {
namespace {

/// 12 random bits to a letter: 26 of 338 values are the special one.
const std::array<char, 4096>& letterTable() {
  static const auto table = [] {
    std::array<char, 4096> letters{};
    for (size_t i = 0; i < letters.size(); ++i) {
      const size_t value = i % 338;
      letters[i] = value < 26 ? '\0' : static_cast<char>('a' + value % 26);
    }
    return letters;
  }();
  return table;
}

uint32_t reversedBits(uint32_t value) {
  uint32_t result = 0;
  for (int i = 0; i < 32; ++i) result |= ((value >> i) & 1u) << (31 - i);
  return result;
}

std::string baseUrl(uint64_t seed) {
  std::string url = "https://www.nexmark.com/";
  for (uint64_t part = 0; part < 3; ++part) {
    appendRandomText(mixBits(seed + part), 5, '_', url);
    url += '/';
  }
  return url + "item.htm?query=1";
}

}  // namespace

void appendRandomText(uint64_t seed, int64_t length_max, char special, std::string& out) {
  const auto& letters = letterTable();
  const size_t begin = out.size();
  const uint64_t length = 3 + boundedBy(mixBits(seed), static_cast<uint64_t>(length_max - 3));
  out.resize(begin + length);
  char* target = out.data() + begin;
  for (uint64_t i = 0; i < length; i += 5) {
    uint64_t bits = mixBits(seed + 1 + i);
    for (uint64_t k = i; k < std::min(i + 5, length); ++k, bits >>= 12) {
      const char letter = letters[bits & 4095];
      target[k] = letter == '\0' ? special : letter;
    }
  }
  if (special != ' ') return;
  size_t first = out.find_first_not_of(' ', begin);
  if (first == std::string::npos) first = out.size();
  out.erase(begin, first - begin);
  while (out.size() > begin && out.back() == ' ') out.pop_back();
}

StringRef NexmarkTexts::extraAt(size_t offset, size_t length) const {
  const std::string_view text(reinterpret_cast<const char*>(extra_buffer_->data()) + offset, length);
  if (length <= StringRef::kInlineMax) return StringRef::inlined(text);
  return StringRef::referring(text, 0, static_cast<uint32_t>(offset));
}

NexmarkTexts::NexmarkTexts(uint64_t seed) {
  static constexpr const char* kHot[kHotChannels] = {"Google", "Facebook", "Baidu", "Apple"};
  std::vector<std::string> urls;
  for (size_t i = 0; i < kHotChannels; ++i) {
    channels_.push_back(StringRef::inlined(kHot[i]));
    urls.push_back(baseUrl(mixBits(seed ^ (i + 1))));
  }
  for (size_t i = 0; i < kChannels; ++i) {
    channels_.push_back(StringRef::inlined("channel-" + std::to_string(i)));
    const uint64_t random = mixBits(seed ^ (1000 + i));
    std::string url = baseUrl(random);
    if (boundedBy(random, 10) > 0) {
      // abs() of a 32-bit integer, as Java computes it: the lowest value stays negative.
      const auto reversed = static_cast<int32_t>(reversedBits(static_cast<uint32_t>(i)));
      const int64_t id = reversed == INT32_MIN ? reversed : std::abs(reversed);
      url += "&channel_id=" + std::to_string(id);
    }
    urls.push_back(std::move(url));
  }
  size_t bytes = 0;
  for (const std::string& url : urls) bytes += url.size();
  auto buffer = Buffer::allocate(bytes);
  size_t at = 0;
  for (const std::string& url : urls) {
    std::memcpy(buffer->mutableData() + at, url.data(), url.size());
    urls_.push_back(StringRef::referring(url, 0, static_cast<uint32_t>(at)));
    at += url.size();
  }
  url_buffer_ = buffer;

  auto extra = Buffer::allocate(kExtraBytes + 1024);
  for (size_t i = 0; i < kExtraBytes + 1024; i += 6) {
    auto draw = static_cast<int32_t>(mixBits(seed ^ (0x5EED00000000ULL + i)));
    for (size_t k = 0; k < 6 && i + k < kExtraBytes + 1024; ++k) {
      extra->mutableAs<char>()[i + k] = static_cast<char>('a' + draw % 26);
      draw /= 26;
    }
  }
  extra_buffer_ = extra;
}

std::shared_ptr<const NexmarkTexts> NexmarkTexts::forSeed(uint64_t seed) {
  static std::mutex mutex;
  static auto* known = new std::map<uint64_t, std::shared_ptr<const NexmarkTexts>>();
  const std::lock_guard lock(mutex);
  auto& texts = (*known)[seed];
  if (!texts) {
    const MemoryPool::Scope shared(MemoryPool::process());   // they outlive the task that asks first
    texts.reset(new NexmarkTexts(seed));
  }
  return texts;
}

}  // namespace thalweg::worker
