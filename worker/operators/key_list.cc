#include "worker/operators/key_list.h"

#include "common/base/hash.h"

namespace thalweg::worker {

void KeyList::clear() {
  keys_.size = 0;
  keys_.words.clear();
  keys_.bytes.clear();
  keys_.hashes.clear();
}

void KeyList::add(std::string_view stored) {
  ++keys_.size;
  if (keys_.fixed) keys_.words.push_back(loadKeyWord(stored));
  else keys_.bytes.push_back(stored);
  keys_.hashes.push_back(hashBytes(stored));
}

std::string storedKey(const KeyBatch& keys, size_t row) {
  if (!keys.fixed) return std::string(keys.bytes[row]);
  char buffer[8];
  return std::string(storeKeyWord(keys.words[row], buffer));
}

}  // namespace thalweg::worker
