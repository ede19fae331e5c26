// Writes syntax trees as SQL text in Flink's normal form: names in back-ticks, keywords in upper case, one
// clause a line, no needless parentheses. What it writes parses to the same tree.
//
// A function's name is written bare and in upper case if it has one part, else in back-ticks: a binder that
// expands a view qualifies the names of catalog functions. Threads: no state.
#pragma once

#include <string>
#include <string_view>

#include "common/sql/ast.h"

namespace thalweg::sql {

std::string unparse(const Expr& expr);
std::string unparse(const Query& query);
std::string unparse(const TypeSpec& type);
std::string unparse(const Statement& statement);
std::string unparse(const QualifiedName& name);

/// `name` in back-ticks, those within doubled.
std::string quoteIdentifier(std::string_view name);
/// `text` as a string literal; as U&'..' if it has characters outside ASCII.
std::string quoteString(std::string_view text);

}  // namespace thalweg::sql
