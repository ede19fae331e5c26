#include "common/base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace thalweg {

uint64_t hashBytes(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

}  // namespace thalweg
