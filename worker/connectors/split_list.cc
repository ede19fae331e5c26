#include "worker/connectors/split_list.h"

#include <charconv>

namespace thalweg::worker {

std::string encodeFields(const std::vector<std::string>& fields) {
  std::string bytes;
  for (const std::string& field : fields) bytes += std::to_string(field.size()) + ':' + field;
  return bytes;
}

Result<std::vector<std::string>> decodeFields(std::string_view bytes) {
  std::vector<std::string> fields;
  while (!bytes.empty()) {
    size_t length = 0;
    const auto [end, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), length);
    const auto digits = static_cast<size_t>(end - bytes.data());
    if (error != std::errc() || digits == bytes.size() || *end != ':' || length > bytes.size() - digits - 1) {
      return Status::internal("expected `length:bytes` in a split, found '" + std::string(bytes.substr(0, 40)) + "'");
    }
    fields.emplace_back(bytes.substr(digits + 1, length));
    bytes.remove_prefix(digits + 1 + length);
  }
  return fields;
}

Result<std::vector<std::string>> decodeFields(std::string_view bytes, size_t count, std::string_view what) {
  ASSIGN_OR_RETURN(auto fields, decodeFields(bytes));
  if (fields.size() != count) {
    return Status::internal("expected " + std::to_string(count) + " parts in a " + std::string(what) + " split, found " +
                            std::to_string(fields.size()));
  }
  return fields;
}

Result<int64_t> decodeNumber(std::string_view field, std::string_view what) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (error != std::errc() || end != field.data() + field.size()) {
    return Status::internal("expected a number as " + std::string(what) + " of a split, found '" + std::string(field) + "'");
  }
  return number;
}

Result<SplitEnumerator::Next> SplitList::next(int, int) {
  if (splits_.empty()) return Next{.availability = Availability::FINISHED};
  Next next{.availability = Availability::SPLIT, .split = std::move(splits_.front())};
  splits_.pop_front();
  return next;
}

Status SplitList::snapshot(std::string& out) {
  out = encodeFields({splits_.begin(), splits_.end()});
  return {};
}

Status SplitList::restore(const std::string& bytes) {
  ASSIGN_OR_RETURN(auto splits, decodeFields(bytes));
  splits_.assign(splits.begin(), splits.end());
  return {};
}

}  // namespace thalweg::worker
