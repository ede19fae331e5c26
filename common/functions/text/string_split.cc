// SPLIT and STR_TO_MAP: a text taken apart into an array or a map.
#include <algorithm>
#include <unordered_map>

#include "common/functions/collections/nested_columns.h"
#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/compiled_cache.h"
#include "common/functions/text/java_regex.h"
#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

/// The parts between whole separators, each character for an empty one; an empty text has no parts. Characters are
/// UTF-16 units there, as in Flink: the halves of a pair show as `?`.
class SplitKernel final : public ScalarKernel {
 public:
  explicit SplitKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    const ColumnReader<std::string_view> text(*arguments[0]);
    const ColumnReader<std::string_view> separator(*arguments[1]);
    ListOffsets lists(result_type_, rows);
    StringBuilder parts(result_type_.child(0), rows);
    const size_t token = parts.adopt(*arguments[0]);
    for (size_t row = 0; row < rows; ++row) {
      if (text.isNull(row) || separator.isNull(row)) {
        lists.endNull(parts.size());
        continue;
      }
      split(text[row], separator[row], [&](std::string_view part) { parts.appendShared(part, text.stored(row), token); });
      lists.endRow(parts.size());
    }
    return lists.finish({parts.finish()});
  }

 private:
  template <typename Emit>
  static void split(std::string_view text, std::string_view separator, Emit&& emit) {
    if (separator.empty()) {
      for (size_t at = 0; at < text.size();) {
        const size_t bytes = characterBytes(text, at);
        for (int half = 0; bytes == 4 && half < 2; ++half) emit("?");
        if (bytes < 4) emit(text.substr(at, bytes));
        at += bytes;
      }
      return;
    }
    if (text.empty()) return;
    size_t begin = 0;
    for (size_t found = text.find(separator); found != std::string_view::npos; found = text.find(separator, begin)) {
      emit(text.substr(begin, found - begin));
      begin = found + separator.size();
    }
    emit(text.substr(begin));
  }

  DataType result_type_;
};

/// String.split of Java: by a regular expression, or quickly by one plain character.
class JavaSplitter {
 public:
  /// Parts of `text`; at most `limit` of them if it is positive, else without empty ones at the end.
  Status split(std::string_view text, std::string_view separator, size_t limit, std::vector<std::string_view>& parts) {
    parts.clear();
    if (separator.size() == 1 && std::string_view("\\.[]{}()*+?^$|").find(separator[0]) == std::string_view::npos) {
      size_t begin = 0;
      for (size_t at = text.find(separator[0]); at != std::string_view::npos && parts.size() + 1 != limit;
           at = text.find(separator[0], begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + 1;
      }
      parts.push_back(text.substr(begin));
    } else {
      RETURN_IF_ERROR(splitByRegex(text, separator, limit, parts));
    }
    if (limit == 0 && parts.size() > 1) {
      while (!parts.empty() && parts.back().empty()) parts.pop_back();
    }
    return {};
  }

 private:
  Status splitByRegex(std::string_view text, std::string_view separator, size_t limit, std::vector<std::string_view>& parts) {
    const Result<JavaRegex>& regex = cache_.get(separator, JavaRegex::compile);
    if (!regex.isOk()) return Status::runtime(regex.status().message());
    size_t begin = 0;
    std::string_view match[1];
    regex->forEachMatch(text, match, [&] {
      if (parts.size() + 1 == limit) return false;
      const auto at = static_cast<size_t>(match[0].data() - text.data());
      if (match[0].empty() && (at == 0 || at == text.size())) return true;  // no part before the text or behind it
      parts.push_back(text.substr(begin, at - begin));
      begin = at + match[0].size();
      return true;
    });
    parts.push_back(text.substr(begin));
    return {};
  }

  CompiledCache<JavaRegex> cache_;
};

/// STR_TO_MAP: entries parted by one separator, key and value by another; the last of equal keys counts.
class StrToMapKernel final : public ScalarKernel {
 public:
  explicit StrToMapKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    if (anyConstantNull(arguments)) return Vector::nulls(result_type_, rows);
    std::vector<ColumnReader<std::string_view>> readers;
    for (const VectorPtr& argument : arguments) readers.emplace_back(*argument);
    ListOffsets maps(result_type_, rows);
    StringBuilder keys(result_type_.child(0), rows);
    StringBuilder values(result_type_.child(1), rows);
    for (size_t row = 0; row < rows; ++row) {
      if (std::ranges::any_of(readers, [row](const auto& reader) { return reader.isNull(row); })) {
        maps.endNull(keys.size());
        continue;
      }
      const bool defaults = readers.size() == 1;
      RETURN_IF_ERROR(split(readers[0][row], defaults ? "," : readers[1][row], defaults ? "=" : readers[2][row]));
      for (const auto& [key, value] : entries_) {
        keys.append(key);
        if (value) values.append(*value);
        else values.appendNull();
      }
      maps.endRow(keys.size());
    }
    return maps.finish({keys.finish(), values.finish()});
  }

 private:
  Status split(std::string_view text, std::string_view pair_separator, std::string_view key_separator) {
    entries_.clear();
    if (text.empty()) return {};
    RETURN_IF_ERROR(splitter_.split(text, pair_separator, 0, pairs_));
    for (const std::string_view pair : pairs_) {
      RETURN_IF_ERROR(splitter_.split(pair, key_separator, 2, parts_));
      std::optional<std::string_view> value;
      if (parts_.size() > 1) value = parts_[1];
      const auto known = std::ranges::find(entries_, parts_[0], &Entry::first);
      if (known != entries_.end()) known->second = value;
      else entries_.emplace_back(parts_[0], value);
    }
    return {};
  }

  using Entry = std::pair<std::string_view, std::optional<std::string_view>>;

  DataType result_type_;
  JavaSplitter splitter_;
  std::vector<std::string_view> pairs_;
  std::vector<std::string_view> parts_;
  std::vector<Entry> entries_;
};

}  // namespace

void addStringSplitFunctions(ScalarList& list) {
  list.push_back({.name = "SPLIT",
                  .category = "collection",
                  .signature = "SPLIT(text, separator)",
                  .description = "An array of the parts between separators; of all characters if the separator is empty.",
                  .example = "SPLIT('a,b', ',')[2] = 'b'",
                  .min_arguments = 2,
                  .max_arguments = 2,
                  .resolve = signature({param::text("text"), param::text("separator")}, returns(DataType::array(DataType::string()))),
                  .make = makerOf<SplitKernel>(),
                  .strict = true});
  list.push_back({.name = "STR_TO_MAP",
                  .category = "string",
                  .signature = "STR_TO_MAP(text[, pair_separator, key_separator])",
                  .description = "A map of the entries in a text such as 'a=1,b=2'. The separators (`,` and `=`) are regular "
                                 "expressions.",
                  .example = "STR_TO_MAP('a=1,b=2')['b'] = '2'",
                  .min_arguments = 1,
                  .max_arguments = 3,
                  .resolve = anyOf({signature({param::text("text")}, returnsNullable(DataType::map(DataType::string(), DataType::string()))),
                                    signature({param::text("text"), param::text("pair_separator"), param::text("key_separator")},
                                              returnsNullable(DataType::map(DataType::string(), DataType::string())))}),
                  .make = makerOf<StrToMapKernel>(),
                  .strict = true,
                  .can_fail = true});
}

}  // namespace thalweg
