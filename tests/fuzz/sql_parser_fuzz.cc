#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/sql/parser.h"
#include "common/sql/unparser.h"

// Whatever parses must be writable as SQL again.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto statements = thalweg::sql::parseScript(text);
  const auto query = thalweg::sql::parseQuery(text);
  if (query.isOk()) {
    const std::string again = thalweg::sql::unparse(**query);
    if (!thalweg::sql::parseQuery(again).isOk()) __builtin_trap();
  }
  (void)statements.isOk();
  return 0;
}
