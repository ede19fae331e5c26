#include "common/formats/format_list.h"
#include "common/formats/text_encoding.h"

namespace thalweg::format {

std::string quoted(std::string_view text) {
  constexpr size_t kShownBytes = 60;
  std::string shown = "'";
  if (text.size() > kShownBytes) {
    const std::string_view head = text.substr(0, kShownBytes);
    shown.append(head.substr(0, wholeCharacters(head))).append("…");
  } else {
    shown += text;
  }
  shown += '\'';
  return shown;
}

Status badField(const Column& column, std::string_view found) {
  return Status::runtime("column '" + column.name + "': expected " + column.type.asNullable().toString() + ", found " + quoted(found));
}

}  // namespace thalweg::format
