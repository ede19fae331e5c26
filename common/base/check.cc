#include "common/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace thalweg {

void checkFailed(const char* file, int line, const char* condition, const std::string& detail) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s%s%s\n", file, line, condition, detail.empty() ? "" : " (",
               detail.c_str(), detail.empty() ? "" : ")");
  std::fflush(stderr);
  std::abort();
}

}  // namespace thalweg
