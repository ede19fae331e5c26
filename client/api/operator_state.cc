#include "client/api/thalweg/operator_state.h"

#include <map>

namespace thalweg::api {
namespace {

struct Stored {
  bool is_union = false;
  std::vector<std::string> elements;
};

void writeStored(std::string& out, const std::string& name, bool is_union, const std::vector<std::string>& elements) {
  writeText(out, name);
  FieldTraits<bool>::write(is_union, out);
  FieldTraits<std::vector<std::string>>::write(elements, out);
}

void readStored(ByteReader& in, std::string& name, Stored& stored) {
  name = in.text();
  FieldTraits<bool>::read(in, stored.is_union);
  FieldTraits<std::vector<std::string>>::read(in, stored.elements);
}

}  // namespace

OperatorStateStore::Entry& OperatorStateStore::entry(const std::string& name, bool is_union) {
  for (const auto& entry : entries_) {
    if (entry->name != name) continue;
    if (entry->is_union != is_union) {
      throw ValidationException("operator state '" + name + "' is used as list state and as union-list state: choose one");
    }
    return *entry;
  }
  entries_.push_back(std::make_unique<Entry>());
  entries_.back()->name = name;
  entries_.back()->is_union = is_union;
  return *entries_.back();
}

void OperatorStateStore::write(std::string& out) const {
  for (const auto& entry : entries_) writeStored(out, entry->name, entry->is_union, entry->current ? entry->current() : entry->elements);
}

void OperatorStateStore::read(std::string_view bytes) {
  restored_ = true;
  ByteReader in(bytes);
  while (!in.isAtEnd()) {
    auto entry = std::make_unique<Entry>();
    Stored stored;
    readStored(in, entry->name, stored);
    entry->is_union = stored.is_union;
    entry->elements = std::move(stored.elements);
    entries_.push_back(std::move(entry));
  }
}

std::string OperatorStateStore::redistribute(const std::vector<std::string_view>& parts, int subtask, int parallelism) {
  std::map<std::string, Stored> all;
  for (const std::string_view part : parts) {
    ByteReader in(part);
    while (!in.isAtEnd()) {
      std::string name;
      Stored stored;
      readStored(in, name, stored);
      Stored& whole = all[name];
      whole.is_union = stored.is_union;
      for (std::string& element : stored.elements) whole.elements.push_back(std::move(element));
    }
  }
  std::string out;
  for (auto& [name, whole] : all) {
    std::vector<std::string> mine;
    for (size_t i = 0; i < whole.elements.size(); ++i) {
      if (whole.is_union || static_cast<int>(i % static_cast<size_t>(parallelism)) == subtask) mine.push_back(std::move(whole.elements[i]));
    }
    writeStored(out, name, whole.is_union, mine);
  }
  return out;
}

}  // namespace thalweg::api
