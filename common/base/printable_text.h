// printableText: bytes of whatever origin, user code's for instance, as text that messages and terminals can take.
//
// UTF-8 stays as it is; bytes that are none, and control characters but line feed and tab, become `?`. Threads: pure.
#pragma once

#include <string>
#include <string_view>

namespace thalweg {

std::string printableText(std::string_view bytes);

}  // namespace thalweg
