#include "client/api/thalweg/key_scope.h"

#include "client/api/thalweg/exception.h"
#include "common/base/hash.h"

namespace thalweg::api {

KeyScope::KeyScope(std::vector<int> columns, const std::vector<DataType>& types, KeyedStateStore& store, const std::string& operator_name)
    : encoder_(std::move(columns), types), store_(store), operator_name_(operator_name) {}

void KeyScope::setBatch(const Batch& batch) {
  batch_keys_ = &encoder_.encode(batch);
  first_ = 0;
  keys_ = nullptr;
}

void KeyScope::setStored(std::string_view key) {
  if (key.data() != single_bytes_.data()) single_bytes_ = key;
  single_.size = 1;
  single_.fixed = encoder_.isFixed();
  single_.hashes = {hashBytes(single_bytes_)};
  if (single_.fixed) {
    single_.has_words = true;
    single_.words = {loadKeyWord(single_bytes_)};
    single_.bytes.clear();
  } else {
    single_.bytes = {single_bytes_};
    single_.has_words = encoder_.hasWords();
    single_.words = {single_.has_words && single_bytes_.size() > sizeof(uint64_t) ? loadKeyWord(std::string_view(single_bytes_).substr(1)) : 0};
  }
  keys_ = &single_;
  row_ = 0;
}

std::string KeyScope::stored() const {
  const KeyBatch& at = keys();
  if (!at.fixed) return std::string(at.bytes[row_]);
  char buffer[8];
  return std::string(storeKeyWord(at.words[row_], buffer));
}

Batch KeyScope::keyColumns() const {
  const std::string key = stored();
  const std::string_view view = key;
  return decode({&view, 1});
}

Batch KeyScope::decode(std::span<const std::string_view> stored) const {
  std::vector<VectorPtr> columns;
  if (encoder_.isFixed()) {
    std::vector<uint64_t> words;
    for (const std::string_view key : stored) words.push_back(loadKeyWord(key));
    columns.push_back(decodeKeyWords(words, encoder_.keyTypes()[0]));
  } else {
    throwIfFailed(decodeKeys(stored, encoder_.keyTypes(), columns));
  }
  return Batch(stored.size(), std::move(columns));
}

KeyedTable& KeyScope::openTable(KeyedTableSpec spec) {
  spec.fixed_keys = encoder_.isFixed();
  return *valueOrThrow(store_.openTable(std::move(spec)));
}

char* KeyScope::find(KeyedTable& table) {
  char* payload = nullptr;
  const auto row = static_cast<RowIndex>(row_);
  throwIfFailed(table.findRows(0, keys(), {&row, 1}, {&payload, 1}));
  return payload;
}

char* KeyScope::upsert(KeyedTable& table) {
  char* payload = nullptr;
  const auto row = static_cast<RowIndex>(row_);
  throwIfFailed(table.upsertRows(0, keys(), {&row, 1}, {&payload, 1}, {}));
  return payload;
}

void KeyScope::erase(KeyedTable& table) { throwIfFailed(table.erase(0, keys(), row_)); }

void KeyScope::refuse() const {
  throw ValidationException("keyed state of operator '" + operator_name_ +
                            "' was used where there is no current key: read and write it in the functions that get a record or a timer, "
                            "not in open() or close()");
}

}  // namespace thalweg::api
