#include "common/plan/catalog/catalog.h"

#include "common/sql/unparser.h"

namespace thalweg {

std::string ObjectPath::toString() const {
  return sql::quoteIdentifier(catalog) + "." + sql::quoteIdentifier(database) + "." + sql::quoteIdentifier(object);
}

}  // namespace thalweg
