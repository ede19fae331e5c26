// UPPER, LOWER, INITCAP. ASCII text, the common case, is mapped byte by byte into the result's own buffer.
#include <cstring>

#include "common/functions/kernel_adapters.h"
#include "common/functions/list.h"
#include "common/functions/signatures.h"
#include "common/functions/text/unicode.h"

namespace thalweg {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080;

constexpr uint64_t everyByte(unsigned byte) { return byte * uint64_t{0x0101010101010101}; }

/// The high bit of every byte of `word` (all ASCII) that lies in [kFirst, kLast].
template <char kFirst, char kLast>
uint64_t lettersIn(uint64_t word) {
  return (word + everyByte(0x80 - kFirst)) & ~(word + everyByte(0x7f - kLast)) & kHighBits;
}

struct Upper {
  static uint64_t asciiWord(uint64_t word) { return word ^ (lettersIn<'a', 'z'>(word) >> 2); }
  static char ascii(char c) { return static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c); }
  static void append(std::string& out, std::string_view text) { appendUpper(out, text); }
};
struct Lower {
  static uint64_t asciiWord(uint64_t word) { return word ^ (lettersIn<'A', 'Z'>(word) >> 2); }
  static char ascii(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); }
  static void append(std::string& out, std::string_view text) { appendLower(out, text); }
};

template <typename Case>
class CaseKernel final : public ScalarKernel {
 public:
  explicit CaseKernel(DataType result_type) : result_type_(std::move(result_type)) {}

  Result<VectorPtr> evaluate(EvalContext&, std::span<const VectorPtr> arguments, size_t rows) override {
    const ColumnReader<std::string_view> text(*arguments[0]);
    if (text.mapping().isAllNull()) return Vector::nulls(result_type_, rows);
    if (text.isConstant() && rows > 1) {
      const VectorPtr one = arguments[0]->slice(0, 1);
      return Vector::constant(mapRows(ColumnReader<std::string_view>(*one), 1), rows);
    }
    return mapRows(text, rows);
  }

 private:
  VectorPtr mapRows(const ColumnReader<std::string_view>& text, size_t rows) {
    StringBuilder out(result_type_, rows);
    const bool has_nulls = text.mayHaveNulls();
    for (size_t row = 0; row < rows; ++row) {
      if (has_nulls && text.isNull(row)) out.appendNull();
      else if (!appendShort(out, text.stored(row))) append(out, text[row]);
    }
    return out.finish();
  }

  /// Short ASCII text: the words of its reference, whose unused bytes are zero, at once.
  static bool appendShort(StringBuilder& out, const StringRef& ref) {
    uint64_t words[2];
    static_assert(sizeof(words) == sizeof(StringRef));
    std::memcpy(words, &ref, sizeof(words));
    constexpr uint64_t kLengthBytes = 0xffffffff;
    if (!ref.isInline() || (((words[0] & ~kLengthBytes) | words[1]) & kHighBits) != 0) return false;
    words[0] = (words[0] & kLengthBytes) | (Case::asciiWord(words[0] & ~kLengthBytes) & ~kLengthBytes);
    words[1] = Case::asciiWord(words[1]);
    StringRef mapped;
    std::memcpy(&mapped, words, sizeof(words));
    out.append(mapped.view(nullptr));
    return true;
  }

  void append(StringBuilder& out, std::string_view text) {
    if (!isAsciiText(text)) {
      scratch_.clear();
      Case::append(scratch_, text);
      out.append(scratch_);
    } else if (text.size() <= StringRef::kInlineMax) {
      char bytes[StringRef::kInlineMax];
      for (size_t i = 0; i < text.size(); ++i) bytes[i] = Case::ascii(text[i]);
      out.append({bytes, text.size()});
    } else {
      char* bytes = out.reserve(text.size());
      for (size_t i = 0; i < text.size(); ++i) bytes[i] = Case::ascii(text[i]);
      out.commit(text.size());
    }
  }

  DataType result_type_;
  std::string scratch_;
};

bool isAsciiAlphanumeric(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Words are runs of ASCII letters and digits; everything else parts them and stays as it is.
void initialCapitals(std::string_view text, std::string& out) {
  bool inside = false;
  for (const char c : text) {
    out.push_back(inside ? Lower::ascii(c) : Upper::ascii(c));
    inside = isAsciiAlphanumeric(c);
  }
}

template <typename Case>
KernelMaker caseMaker() {
  return [](const FunctionCall& call) -> Result<std::unique_ptr<ScalarKernel>> {
    return std::make_unique<CaseKernel<Case>>(call.result_type);
  };
}

}  // namespace

void addStringCaseFunctions(ScalarList& list) {
  list.push_back({.name = "UPPER",
                  .category = "string",
                  .signature = "UPPER(text)",
                  .description = "The text in capital letters.",
                  .example = "UPPER('straße') = 'STRASSE'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returnsArgument(0)),
                  .make = caseMaker<Upper>(),
                  .strict = true});
  list.push_back({.name = "LOWER",
                  .category = "string",
                  .signature = "LOWER(text)",
                  .description = "The text in small letters.",
                  .example = "LOWER('ABC') = 'abc'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returnsArgument(0)),
                  .make = caseMaker<Lower>(),
                  .strict = true});
  list.push_back({.name = "INITCAP",
                  .category = "string",
                  .signature = "INITCAP(text)",
                  .description = "The text with every word's first letter as a capital and the others small. Words "
                                 "consist of ASCII letters and digits.",
                  .example = "INITCAP('hello WORLD') = 'Hello World'",
                  .min_arguments = 1,
                  .max_arguments = 1,
                  .resolve = signature({param::text("text")}, returnsArgument(0)),
                  .make = kernelMaker<std::string(std::string_view)>(initialCapitals),
                  .strict = true});
}

}  // namespace thalweg
