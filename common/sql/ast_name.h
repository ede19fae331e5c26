// Names and types as written in SQL text: identifiers, dotted names, type specifications, interval qualifiers.
//
// Nothing here is resolved: a name may denote anything, and a TypeSpec is the spelling of a type after its
// synonyms were folded (INTEGER is INT, `x ARRAY` is ARRAY<x>, TIMESTAMP WITH LOCAL TIME ZONE is TIMESTAMP_LTZ).
// Threads: plain values, immutable once a parser has returned them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/status.h"

namespace thalweg::sql {

/// One word of a name; `text` is without back-ticks and case-sensitive.
struct Identifier {
  std::string text;
  SourcePosition position;
  bool quoted = false;  ///< was written in back-ticks
};

/// `a.b.c`; never empty.
struct QualifiedName {
  std::vector<Identifier> parts;
  SourcePosition position;

  bool isSimple() const { return parts.size() == 1; }
  const std::string& last() const { return parts.back().text; }
  /// The parts' texts, outermost first.
  std::vector<std::string> texts() const;
  /// `a.b.c` without back-ticks, for messages.
  std::string toString() const;
};

/// Units of time as EXTRACT, FLOOR .. TO, TIMESTAMPADD and intervals name them.
enum class TimeUnit {
  YEAR,
  QUARTER,
  MONTH,
  WEEK,
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  MILLISECOND,
  MICROSECOND,
  NANOSECOND,
  DOW,
  DOY,
  ISODOW,
  ISOYEAR,
  EPOCH,
  DECADE,
  CENTURY,
  MILLENNIUM,
};
/// `YEAR`, upper case.
std::string_view timeUnitName(TimeUnit unit);

/// `YEAR(4) TO MONTH`, `DAY TO SECOND(3)`, `MINUTE`. `end == start` when there is no TO.
struct IntervalQualifier {
  TimeUnit start = TimeUnit::DAY;
  TimeUnit end = TimeUnit::DAY;
  std::optional<int> precision;             ///< of the leading field
  std::optional<int> fractional_precision;  ///< of seconds
  SourcePosition position;

  /// Whether values count months, as opposed to milliseconds.
  bool isYearMonth() const { return start == TimeUnit::YEAR || start == TimeUnit::QUARTER || start == TimeUnit::MONTH; }
};

enum class TypeName {
  CHAR,
  VARCHAR,
  STRING,  ///< VARCHAR(2147483647)
  BOOLEAN,
  BINARY,
  VARBINARY,
  BYTES,  ///< VARBINARY(2147483647)
  DECIMAL,
  TINYINT,
  SMALLINT,
  INT,
  BIGINT,
  FLOAT,
  DOUBLE,
  DATE,
  TIME,
  TIMESTAMP,
  TIMESTAMP_LTZ,
  INTERVAL,    ///< see TypeSpec::interval
  ARRAY,       ///< children: element
  MULTISET,    ///< children: element
  MAP,         ///< children: key, value
  ROW,         ///< fields
  STRUCTURED,  ///< class_name, fields
  RAW,         ///< class_name, serializer
  VARIANT,
  BITMAP,
  NULL_TYPE,  ///< NULL
  DESCRIPTOR,
  NAMED,  ///< any other name, see TypeSpec::user_name; almost always a binder's error
};
/// `DECIMAL`, as Flink prints it; empty for NAMED.
std::string_view typeNameText(TypeName name);

struct TypeField;

struct TypeSpec {
  TypeName name = TypeName::NULL_TYPE;
  SourcePosition position;
  std::optional<int>
      precision;  ///< of DECIMAL, TIME, TIMESTAMP[_LTZ]; the length of CHAR … VARBINARY; absent if not written
  std::optional<int> scale;      ///< of DECIMAL
  std::optional<bool> nullable;  ///< false for NOT NULL, true for a written NULL, absent if not written
  std::vector<TypeSpec> children;
  std::vector<TypeField> fields;
  IntervalQualifier interval;
  std::string class_name;
  std::string serializer;
  std::optional<QualifiedName> user_name;
};
using TypeSpecPtr = std::shared_ptr<const TypeSpec>;

struct TypeField {
  Identifier name;
  TypeSpec type;
  std::optional<std::string> comment;
};

}  // namespace thalweg::sql
