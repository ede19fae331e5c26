// CellWriter: the values of one column as text, for csv and json; dispatch on the type happens once per batch.
//
// bind() takes the column of a batch, append() then writes its rows one by one. Forms are Flink's: doubles as Java
// prints them, timestamps in the SQL or ISO form with as many digits as they need, bytes as base64.
// Lifetime: the bound vector must outlive the calls of append(). Threads: one owner.
#pragma once

#include <memory>
#include <string>

#include "common/base/status.h"
#include "common/columnar/vector.h"

namespace thalweg::format {

enum class DecimalForm : uint8_t {
  SCIENTIFIC,      ///< without zeros at the end, as BigDecimal.toString: 1E+2, 1.5, 1E-8
  PLAIN_STRIPPED,  ///< the same without exponents: 100, 1.5
  PLAIN,           ///< all digits of the type's scale: 100.00
};

struct CellForm {
  char timestamp_separator = ' ';  ///< 'T' in the ISO form
  DecimalForm decimals = DecimalForm::SCIENTIFIC;
};

class CellWriter {
 public:
  enum class Quoting : uint8_t {
    NUMBER,  ///< never quoted
    TEXT,    ///< quoted in csv where its text needs it, and always in json
  };

  static Result<std::unique_ptr<CellWriter>> make(const DataType& type, const CellForm& form);
  virtual ~CellWriter() = default;

  virtual void bind(const Vector& column) = 0;
  virtual bool isNull(size_t row) const = 0;
  /// Appends a value that is not NULL.
  virtual void append(size_t row, std::string& out) const = 0;
  virtual Quoting quoting() const = 0;
};

/// A column of scalars or nested values in a json document.
class JsonValueWriter {
 public:
  struct Options {
    CellForm form;
    bool ignore_null_fields = false;
    enum class NullKey : uint8_t { FAIL, DROP, LITERAL } null_key = NullKey::FAIL;
    std::string null_key_literal = "null";
  };

  static Result<std::unique_ptr<JsonValueWriter>> make(const DataType& type, const Options& options);
  virtual ~JsonValueWriter() = default;
  virtual void bind(const Vector& column) = 0;
  virtual bool isNull(size_t row) const = 0;
  /// Appends the value, `null` for NULL. Fails for NULL keys of maps, unless told otherwise.
  virtual Status append(size_t row, std::string& out) const = 0;
};

}  // namespace thalweg::format
