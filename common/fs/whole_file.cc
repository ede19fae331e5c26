#include "common/fs/whole_file.h"

namespace thalweg {

Result<std::string> readWhole(ReadableFile& file) {
  std::string text(static_cast<size_t>(file.sizeBytes()), '\0');
  size_t have = 0;
  while (have < text.size()) {
    ASSIGN_OR_RETURN(const size_t more, file.readAt(static_cast<int64_t>(have), {reinterpret_cast<uint8_t*>(text.data()) + have, text.size() - have}));
    if (more == 0) break;
    have += more;
  }
  text.resize(have);
  return text;
}

}  // namespace thalweg
