// The words of the SQL dialect, and comparing words whatever their case.
//
// Everything here takes ASCII letters as letters only, as keywords have no others. Threads: no state.
#pragma once

#include <string>
#include <string_view>

namespace thalweg::sql {

char upperAscii(char c);
std::string upperAscii(std::string_view text);
/// Whether `text` is `upper_word` in any case.
bool equalsWord(std::string_view text, std::string_view upper_word);

/// Whether the word is no name unless in back-ticks.
bool isReservedWord(std::string_view word);
/// Whether the word has a meaning anywhere in the grammar.
bool isKeyword(std::string_view word);
/// Whether the word is reserved and yet the name of a function when `(` follows.
bool isReservedFunction(std::string_view word);
/// Whether the word alone is a call, as CURRENT_DATE is.
bool isBareFunction(std::string_view word);

}  // namespace thalweg::sql
