#include "common/types/schema.h"

namespace thalweg {

std::string schemaText(const Schema& schema) {
  std::string text = "(";
  for (size_t i = 0; i < schema.size(); ++i) {
    const Column& column = schema.column(i);
    if (i > 0) text += ", ";
    text += column.name + " " + column.type.toString();
    if (column.time == TimeAttribute::ROWTIME) text += " *ROWTIME*";
    if (column.time == TimeAttribute::PROCTIME) text += " *PROCTIME*";
  }
  return text + ")";
}

}  // namespace thalweg
