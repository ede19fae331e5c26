// Every format, read from top to bottom. A new one is an entry here and a file in common/formats.
#include "common/plan/catalog/connector_descriptor.h"

namespace thalweg {
namespace {

bool isTrue(const OptionMap& options, const char* key) {
  auto found = options.find(key);
  return found != options.end() && (found->second == "true" || found->second == "TRUE" || found->second == "True");
}

Status checkCsv(const OptionMap& options, const Schema&, bool) {
  if (isTrue(options, "disable-quote-character") && options.contains("quote-character")) {
    return Status::plan("options 'csv.quote-character' and 'csv.disable-quote-character' exclude each other");
  }
  return Status::ok();
}

Status checkJson(const OptionMap& options, const Schema&, bool) {
  if (isTrue(options, "fail-on-missing-field") && isTrue(options, "ignore-parse-errors")) {
    return Status::plan("options 'json.fail-on-missing-field' and 'json.ignore-parse-errors' exclude each other");
  }
  return Status::ok();
}

Status checkDebezium(const OptionMap& options, const Schema&, bool writing) {
  if (writing && isTrue(options, "schema-include")) {
    return Status::plan("format 'debezium-json' cannot write schemas: 'debezium-json.schema-include' is for reading");
  }
  return Status::ok();
}

Status checkRaw(const OptionMap&, const Schema& data, bool) {
  if (data.size() != 1) {
    return Status::plan("format 'raw' has exactly one column, but the table has " + std::to_string(data.size()) + ": " +
                        schemaText(data));
  }
  const DataType& type = data.type(0);
  bool fits = type.isString() || type.isBinary() || type.kind() == TypeKind::BOOLEAN || type.isInteger() ||
              type.isApproximateNumeric();
  if (!fits) return Status::plan("format 'raw' cannot hold " + type.toString() + "; it takes text, bytes, BOOLEAN and plain numbers");
  return Status::ok();
}

FormatDescriptor csv() {
  FormatDescriptor f;
  f.name = "csv";
  f.check = checkCsv;
  f.options = {
      {"field-delimiter", OptionType::CHARACTER, false, ",", "Between fields."},
      {"disable-quote-character", OptionType::BOOLEAN, false, "false", "Quotes are plain characters."},
      {"quote-character", OptionType::CHARACTER, false, "\"", "Encloses fields that hold delimiters."},
      {"allow-comments", OptionType::BOOLEAN, false, "false", "Lines that begin with # are skipped."},
      {"ignore-parse-errors", OptionType::BOOLEAN, false, "false", "Bad lines are skipped and counted, bad fields are NULL."},
      {"array-element-delimiter", OptionType::STRING, false, ";", "Between elements of arrays and fields of rows."},
      {"escape-character", OptionType::CHARACTER, false, "", "Takes the meaning from the next character."},
      {"null-literal", OptionType::STRING, false, "", "Text that stands for NULL."},
      {"write-bigdecimal-in-scientific-notation", OptionType::BOOLEAN, false, "true", "DECIMAL as 1E+5."},
      {"trim-spaces", OptionType::BOOLEAN, false, "false", "Drops blanks around fields."},
      {"ignore-trailing-unmappable", OptionType::BOOLEAN, false, "false", "Drops fields beyond the last column."},
      {"allow-trailing-comma", OptionType::BOOLEAN, false, "true", "A delimiter at the line's end is no field."},
      {"fail-on-missing-columns", OptionType::BOOLEAN, false, "false", "Short lines are errors, not NULLs."},
      {"empty-string-as-null", OptionType::BOOLEAN, false, "false", "Empty fields are NULL."},
  };
  return f;
}

/// The options that the JSON formats share.
std::vector<OptionSpec> jsonOptions() {
  return {
      {"ignore-parse-errors", OptionType::BOOLEAN, false, "false", "Bad records are skipped and counted, bad fields are NULL."},
      {"timestamp-format.standard", OptionType::ENUM, false, "SQL", "Form of timestamps.", "SQL|ISO-8601"},
      {"map-null-key.mode", OptionType::ENUM, false, "FAIL", "What to do with NULL keys of maps.", "FAIL|DROP|LITERAL"},
      {"map-null-key.literal", OptionType::STRING, false, "null", "The key that LITERAL writes."},
      {"encode.decimal-as-plain-number", OptionType::BOOLEAN, false, "false", "DECIMAL without an exponent."},
      {"encode.ignore-null-fields", OptionType::BOOLEAN, false, "false", "Leaves NULL fields out."},
  };
}

FormatDescriptor json() {
  FormatDescriptor f;
  f.name = "json";
  f.check = checkJson;
  f.nested_projection = true;
  f.options = jsonOptions();
  f.options.push_back({"fail-on-missing-field", OptionType::BOOLEAN, false, "false", "A missing field is an error, not NULL."});
  f.options.push_back({"decode.json-parser.enabled", OptionType::BOOLEAN, false, "true", "Accepted; there is one parser."});
  return f;
}

FormatDescriptor raw() {
  FormatDescriptor f;
  f.name = "raw";
  f.check = checkRaw;
  f.options = {
      {"charset", OptionType::STRING, false, "UTF-8", "Encoding of text."},
      {"endianness", OptionType::ENUM, false, "big-endian", "Byte order of numbers.", "big-endian|little-endian"},
      {"line-delimiter", OptionType::STRING, false, "", "Splits a message into rows."},
  };
  return f;
}

FormatDescriptor changelogJson(std::string_view name) {
  FormatDescriptor f;
  f.name = name;
  f.options = jsonOptions();
  f.read_mode = f.write_mode = ChangelogMode::all();
  return f;
}

FormatDescriptor debeziumJson() {
  FormatDescriptor f = changelogJson("debezium-json");
  f.check = checkDebezium;
  f.options.push_back({"schema-include", OptionType::BOOLEAN, false, "false", "Records carry their schema."});
  return f;
}

FormatDescriptor canalJson() {
  FormatDescriptor f = changelogJson("canal-json");
  f.options.push_back({"database.include", OptionType::STRING, false, "", "Pattern of the databases to read."});
  f.options.push_back({"table.include", OptionType::STRING, false, "", "Pattern of the tables to read."});
  return f;
}

FormatDescriptor known(std::string_view name) {
  FormatDescriptor f;
  f.name = name;
  f.built = false;
  return f;
}

std::vector<FormatDescriptor> makeList() {
  std::vector<FormatDescriptor> list = {csv(),       json(), raw(), debeziumJson(), canalJson(), changelogJson("maxwell-json"),
                                        changelogJson("ogg-json")};
  for (std::string_view name :
       {"avro", "avro-confluent", "debezium-avro-confluent", "protobuf", "parquet", "orc"}) {
    list.push_back(known(name));
  }
  return list;
}

}  // namespace

std::span<const FormatDescriptor> formats() {
  static const std::vector<FormatDescriptor> list = makeList();
  return list;
}

}  // namespace thalweg
