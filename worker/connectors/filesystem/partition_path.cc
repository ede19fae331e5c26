#include "worker/connectors/filesystem/partition_path.h"

#include <algorithm>

#include "common/types/value_text.h"

namespace thalweg::worker {
namespace {

bool mustEscape(char c) {
  constexpr std::string_view kSpecial = "\"#%'*/:=?\\{[]^\x7F";
  return static_cast<unsigned char>(c) < 0x20 || kSpecial.find(c) != std::string_view::npos;
}

}  // namespace

std::string escapePathName(std::string_view name) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : name) {
    if (!mustEscape(c)) {
      escaped += c;
      continue;
    }
    escaped += '%';
    escaped += kHexDigits[static_cast<unsigned char>(c) >> 4];
    escaped += kHexDigits[static_cast<unsigned char>(c) & 0xF];
  }
  return escaped;
}

PartitionPaths::PartitionPaths(const Schema& schema, const std::vector<std::string>& keys, std::string default_name)
    : default_name_(std::move(default_name)) {
  for (const std::string& key : keys) {
    const auto index = static_cast<size_t>(schema.indexOf(key));
    columns_.push_back({index, schema.type(index), escapePathName(key) + '='});
  }
  for (size_t i = 0; i < schema.size(); ++i) {
    if (std::find(keys.begin(), keys.end(), schema.column(i).name) == keys.end()) record_columns_.push_back(i);
  }
}

std::string PartitionPaths::pathOf(const Batch& batch, size_t row) const {
  std::string path;
  for (const PartitionColumn& column : columns_) {
    const Value value = batch.column(column.index)->valueAt(row);
    const std::string text = value.isNull() ? std::string() : rowForm(value, column.type);
    if (!path.empty()) path += '/';
    path += column.prefix;
    path += text.empty() ? escapePathName(default_name_) : escapePathName(text);
  }
  return path;
}

bool PartitionPaths::samePath(const Batch& batch, size_t row, size_t other) const {
  return std::all_of(columns_.begin(), columns_.end(), [&](const PartitionColumn& column) {
    const Vector& vector = *batch.column(column.index);
    return vector.isConstant() || vector.valueAt(row) == vector.valueAt(other);
  });
}

}  // namespace thalweg::worker
