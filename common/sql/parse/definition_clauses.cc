// Options, comments, distribution, partitions and LIKE, as members of DefinitionParser.
#include <limits>

#include "common/sql/parse/definition_parser.h"
#include "common/sql/parse/expression_parser.h"
#include "common/sql/parse/keywords.h"

namespace thalweg::sql {

Result<OptionList> DefinitionParser::parseOptions() {
  OptionList options;
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  if (cursor_.acceptSymbol(")")) return options;
  do {
    const std::size_t start = cursor_.mark();
    Option option;
    ASSIGN_OR_RETURN(option.key, cursor_.expectString("an option's key in single quotes"));
    RETURN_IF_ERROR(cursor_.expectSymbol("="));
    ASSIGN_OR_RETURN(option.value, cursor_.expectString("the value of option '" + option.key + "' in single quotes"));
    option.position = cursor_.since(start);
    options.push_back(std::move(option));
  } while (cursor_.acceptSymbol(","));
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return options;
}

Result<OptionList> DefinitionParser::parseOptionalWith() {
  if (!cursor_.accept("WITH")) return OptionList{};
  return parseOptions();
}

Result<std::vector<std::string>> DefinitionParser::parseKeys() {
  std::vector<std::string> keys;
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  if (cursor_.acceptSymbol(")")) return keys;
  do {
    ASSIGN_OR_RETURN(std::string key, cursor_.expectString("an option's key in single quotes"));
    keys.push_back(std::move(key));
  } while (cursor_.acceptSymbol(","));
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return keys;
}

Result<std::optional<std::string>> DefinitionParser::parseOptionalComment() {
  std::optional<std::string> comment;
  if (cursor_.accept("COMMENT")) {
    ASSIGN_OR_RETURN(comment, cursor_.expectString("a comment in single quotes"));
  }
  return comment;
}

Status DefinitionParser::parseTableClauses(TableDefinition& definition) {
  ASSIGN_OR_RETURN(definition.comment, parseOptionalComment());
  if (cursor_.accept("DISTRIBUTED")) {
    ASSIGN_OR_RETURN(definition.distribution, parseDistribution());
  }
  if (cursor_.acceptWords({"PARTITIONED", "BY"})) {
    ASSIGN_OR_RETURN(definition.partitioned_by, cursor_.expectIdentifierList("a column name"));
  }
  return Status::ok();
}

Result<Distribution> DefinitionParser::parseDistribution() {
  const std::size_t start = cursor_.mark();
  Distribution distribution;
  if (cursor_.accept("BY")) {
    if (cursor_.atAny({"HASH", "RANGE"})) {
      distribution.kind = upperAscii(cursor_.peek().text);
      cursor_.skip();
    } else if (!cursor_.atSymbol("(")) {
      return cursor_.unexpectedWord("HASH, RANGE or columns in parentheses", {"HASH", "RANGE"});
    }
    ASSIGN_OR_RETURN(distribution.columns, cursor_.expectIdentifierList("a column name"));
  } else if (!cursor_.at("INTO")) {
    return cursor_.unexpectedWord("BY (..) or INTO n BUCKETS", {"BY", "INTO"});
  }
  if (cursor_.accept("INTO")) {
    ASSIGN_OR_RETURN(distribution.buckets,
                     cursor_.expectInteger("a number of buckets", std::numeric_limits<int>::max()));
    RETURN_IF_ERROR(cursor_.expect("BUCKETS"));
  }
  distribution.position = cursor_.since(start);
  return distribution;
}

Result<PartitionSpec> DefinitionParser::parsePartitionSpec(PartitionValues values) {
  PartitionSpec spec;
  RETURN_IF_ERROR(cursor_.expectSymbol("("));
  do {
    PartitionItem item;
    ASSIGN_OR_RETURN(item.key, cursor_.expectIdentifier("a partition column"));
    if (values == PartitionValues::REQUIRED && !cursor_.atSymbol("=")) {
      return cursor_.unexpected("'=' and a value for partition column " + item.key.text);
    }
    if (cursor_.acceptSymbol("=")) {
      ASSIGN_OR_RETURN(item.value, ExpressionParser(cursor_).parseOperand());
      if (item.value->kind != ExprKind::LITERAL) {
        return Status::parse("expected a literal as a partition's value", item.value->position);
      }
    }
    spec.push_back(std::move(item));
  } while (cursor_.acceptSymbol(","));
  RETURN_IF_ERROR(cursor_.expectSymbol(")"));
  return spec;
}

Result<LikeClause> DefinitionParser::parseLike() {
  const std::size_t start = cursor_.mark();
  LikeClause like;
  ASSIGN_OR_RETURN(like.source, cursor_.expectQualifiedName("a table's name behind LIKE"));
  if (cursor_.acceptSymbol("(")) {
    do {
      ASSIGN_OR_RETURN(LikeOption option, parseLikeOption());
      like.options.push_back(option);
    } while (!cursor_.acceptSymbol(")"));
  }
  like.position = cursor_.since(start);
  return like;
}

Result<LikeOption> DefinitionParser::parseLikeOption() {
  LikeOption option;
  if (cursor_.accept("INCLUDING")) {
    option.strategy = MergingStrategy::INCLUDING;
  } else if (cursor_.accept("EXCLUDING")) {
    option.strategy = MergingStrategy::EXCLUDING;
  } else if (cursor_.accept("OVERWRITING")) {
    option.strategy = MergingStrategy::OVERWRITING;
  } else {
    return cursor_.unexpectedWord("INCLUDING, EXCLUDING, OVERWRITING or ')'",
                                  {"INCLUDING", "EXCLUDING", "OVERWRITING"});
  }
  struct Word {
    std::string_view word;
    LikeFeature feature;
  };
  static constexpr Word kWords[] = {{"ALL", LikeFeature::ALL},
                                    {"CONSTRAINTS", LikeFeature::CONSTRAINTS},
                                    {"DISTRIBUTION", LikeFeature::DISTRIBUTION},
                                    {"GENERATED", LikeFeature::GENERATED},
                                    {"METADATA", LikeFeature::METADATA},
                                    {"OPTIONS", LikeFeature::OPTIONS},
                                    {"PARTITIONS", LikeFeature::PARTITIONS},
                                    {"WATERMARKS", LikeFeature::WATERMARKS}};
  for (const Word& word : kWords) {
    if (!cursor_.accept(word.word)) continue;
    option.feature = word.feature;
    return option;
  }
  return cursor_.unexpectedWord(
      "ALL, CONSTRAINTS, DISTRIBUTION, GENERATED, METADATA, OPTIONS, PARTITIONS or WATERMARKS",
      {"ALL", "CONSTRAINTS", "DISTRIBUTION", "GENERATED", "METADATA", "OPTIONS", "PARTITIONS", "WATERMARKS"});
}

}  // namespace thalweg::sql
