// Names, strings, types and interval qualifiers.
#include "common/sql/parse/utf8.h"
#include "common/sql/unparse/writer.h"
#include "common/sql/unparser.h"

namespace thalweg::sql {
namespace {

void appendUnicodeEscape(std::string& out, char32_t unit) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out += '\\';
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[(unit >> shift) & 0xF];
}

/// Appends one character within u&'..': plain, doubled, or as one or two UTF-16 units.
void appendEscaped(std::string& out, char32_t c) {
  if (c >= 0x10000) {
    appendUnicodeEscape(out, 0xD800 + ((c - 0x10000) >> 10));
    appendUnicodeEscape(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
  } else if (c < 0x20 || c >= 0x80) {
    appendUnicodeEscape(out, c);
  } else {
    out += static_cast<char>(c);
    if (c == '\'' || c == '\\') out += static_cast<char>(c);
  }
}

/// Sub-types and fields stand within `< ` and ` >`, as Flink writes them.
constexpr std::string_view kOpen = "< ";
constexpr std::string_view kClose = " >";

}  // namespace

std::string quoteIdentifier(std::string_view name) {
  std::string out = "`";
  for (char c : name) {
    out += c;
    if (c == '`') out += c;
  }
  return out + "`";
}

std::string quoteString(std::string_view text) {
  bool ascii = true;
  for (char c : text) ascii = ascii && static_cast<unsigned char>(c) < 0x80;
  std::string out = ascii ? "'" : "u&'";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decodeUtf8(text, at);
    if (ascii) {
      out += text[at];
      if (text[at] == '\'') out += '\'';
    } else {
      appendEscaped(out, point.value);
    }
    at += point.bytes == 0 ? 1 : point.bytes;
  }
  return out + "'";
}

void Writer::identifier(const Identifier& node) { out_ += quoteIdentifier(node.text); }
void Writer::string(std::string_view text) { out_ += quoteString(text); }

void Writer::name(const QualifiedName& node) {
  list(node.parts, ".", [this](const Identifier& part) { identifier(part); });
}

void Writer::identifiers(const std::vector<Identifier>& items) {
  text("(");
  list(items, ", ", [this](const Identifier& item) { identifier(item); });
  text(")");
}

void Writer::exprs(const std::vector<ExprPtr>& items) {
  list(items, ", ", [this](const ExprPtr& item) { expr(*item); });
}

void Writer::intervalQualifier(const IntervalQualifier& qualifier) {
  const auto number = [](int value) { return std::to_string(value); };
  text(timeUnitName(qualifier.start));
  const bool range = qualifier.end != qualifier.start;
  if (qualifier.precision) {
    text("(" + number(*qualifier.precision));
    if (!range && qualifier.fractional_precision) text(", " + number(*qualifier.fractional_precision));
    text(")");
  }
  if (!range) return;
  text(" TO ");
  text(timeUnitName(qualifier.end));
  if (qualifier.fractional_precision) text("(" + number(*qualifier.fractional_precision) + ")");
}

void Writer::type(const TypeSpec& node) {
  if (node.user_name) {
    name(*node.user_name);
  } else {
    text(node.name == TypeName::INT ? "INTEGER" : typeNameText(node.name));
  }
  if (node.precision) {
    text("(" + std::to_string(*node.precision));
    if (node.scale) text(", " + std::to_string(*node.scale));
    text(")");
  }
  const bool structured = node.name == TypeName::STRUCTURED;
  if (node.name == TypeName::INTERVAL) {
    text(" ");
    intervalQualifier(node.interval);
  } else if (node.name == TypeName::RAW) {
    text("(" + quoteString(node.class_name) + ", " + quoteString(node.serializer) + ")");
  } else if (!node.children.empty()) {
    text(kOpen);
    list(node.children, ", ", [this](const TypeSpec& child) { type(child); });
    text(kClose);
  } else if (node.name == TypeName::ROW && node.fields.empty()) {
    text("<>");
  } else if (node.name == TypeName::ROW || structured) {
    text(kOpen);
    if (structured) string(node.class_name);
    if (structured && !node.fields.empty()) text(", ");
    list(node.fields, ", ", [this](const TypeField& field) {
      identifier(field.name);
      text(" ");
      type(field.type);
      if (field.comment) text(" " + quoteString(*field.comment));
    });
    text(kClose);
  }
  if (node.nullable) text(*node.nullable ? " NULL" : " NOT NULL");
}

}  // namespace thalweg::sql
