// Reads types: `DECIMAL(10, 2)`, `ROW<a INT NOT NULL 'comment'>`, `INT ARRAY`, and the qualifiers of intervals.
// Threads: as the cursor. Lifetime: the cursor outlives it.
#pragma once

#include "common/sql/parse/token_cursor.h"

namespace thalweg::sql {

class TypeParser {
 public:
  explicit TypeParser(TokenCursor& cursor) : cursor_(cursor) {}

  /// A type without NOT NULL, as in CAST.
  Result<TypeSpec> parse();
  /// A type and perhaps NOT NULL or NULL, as of a column.
  Result<TypeSpec> parseNullable();

  /// `DAY(3) TO SECOND(6)`; singular or plural.
  Result<IntervalQualifier> parseIntervalQualifier();
  /// The unit that the next word names, if any; takes it.
  std::optional<TimeUnit> acceptIntervalUnit();

 private:
  Result<TypeSpec> parseBase();
  Result<bool> parseScalar(TypeSpec& type);
  Result<bool> parseConstructed(TypeSpec& type);
  Status parseCharacter(TypeSpec& type, TypeName fixed, TypeName varying);
  Status parseTime(TypeSpec& type);
  Status parseTimestamp(TypeSpec& type);
  Status parseDecimal(TypeSpec& type);
  Status parsePrecision(TypeSpec& type);
  Status parseChildren(TypeSpec& type, std::size_t count);
  Status parseRow(TypeSpec& type);
  Status parseStructured(TypeSpec& type);
  Status parseFields(TypeSpec& type, std::string_view close);
  Status parseRaw(TypeSpec& type);

  TokenCursor& cursor_;
};

}  // namespace thalweg::sql
