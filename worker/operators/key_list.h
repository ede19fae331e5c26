// KeyList: keys that were kept outside of a batch (by timers, in lists of things to do), put together again as a
// KeyBatch to look them up.
//
// A key's stored form is its encoded bytes; of keys that are single words, the 8 big-endian bytes.
#pragma once

#include <string>

#include "common/columnar/key_codec.h"

namespace thalweg::worker {

class KeyList {
 public:
  explicit KeyList(bool fixed) {
    keys_.fixed = fixed;
    keys_.has_words = fixed;
  }

  void clear();
  /// `stored` is borrowed until clear().
  void add(std::string_view stored);
  size_t size() const { return keys_.size; }
  const KeyBatch& batch() const { return keys_; }

 private:
  KeyBatch keys_;
};

/// The stored form of key `row`.
std::string storedKey(const KeyBatch& keys, size_t row);

}  // namespace thalweg::worker
