#include "worker/state/run_filter.h"

#include <algorithm>
#include <cstring>

namespace thalweg::worker {

RunFilter::RunFilter(size_t keys) : lines_(std::max<size_t>(1, (keys * kBitsPerKey + 511) / 512)) {}

std::unique_ptr<RunFilter> RunFilter::of(std::string_view bytes) {
  auto filter = std::make_unique<RunFilter>(0);
  if (bytes.empty() || bytes.size() % sizeof(Line) != 0) return nullptr;
  filter->lines_.resize(bytes.size() / sizeof(Line));
  std::memcpy(filter->lines_.data(), bytes.data(), bytes.size());
  return filter;
}

}  // namespace thalweg::worker
