// SHOW, as members of SessionParser.
#include "common/sql/parse/definition_parser.h"
#include "common/sql/parse/session_parser.h"

namespace thalweg::sql {
namespace {

struct ListKind {
  std::string_view word;
  ShowKind what;
  bool from = false;   ///< FROM or IN may follow
  bool like = false;   ///< LIKE may follow
  bool ilike = false;  ///< and ILIKE, too
};
constexpr ListKind kLists[] = {
    {"CATALOGS", ShowKind::CATALOGS, false, true, true},
    {"DATABASES", ShowKind::DATABASES, true, true, true},
    {"TABLES", ShowKind::TABLES, true, true, false},
    {"VIEWS", ShowKind::VIEWS, true, true, false},
    {"FUNCTIONS", ShowKind::FUNCTIONS, true, true, true},
    {"PROCEDURES", ShowKind::PROCEDURES, true, true, true},
    {"MODELS", ShowKind::MODELS, true, true, false},
    {"CONNECTIONS", ShowKind::CONNECTIONS, true, true, false},
    {"MODULES", ShowKind::MODULES},
    {"JARS", ShowKind::JARS},
    {"JOBS", ShowKind::JOBS},
};

}  // namespace

Result<StatementPtr> SessionParser::parseShow() {
  const std::size_t start = cursor_.mark();
  cursor_.skip();
  auto show = std::make_shared<ShowStatement>();
  RETURN_IF_ERROR(parseShown(*show));
  return finish(std::move(show), start);
}

Status SessionParser::parseShown(ShowStatement& show) {
  for (const ListKind& list : kLists) {
    if (!cursor_.accept(list.word)) continue;
    show.what = list.what;
    if (list.from) RETURN_IF_ERROR(parseShowFrom(show, false));
    return list.like ? parseShowLike(show, list.ilike) : Status::ok();
  }
  if (cursor_.acceptWords({"USER", "FUNCTIONS"})) {
    show.what = ShowKind::FUNCTIONS;
    show.user = true;
    RETURN_IF_ERROR(parseShowFrom(show, false));
    return parseShowLike(show, true);
  }
  if (cursor_.acceptWords({"FULL", "MODULES"})) {
    show.what = ShowKind::MODULES;
    show.full = true;
    return Status::ok();
  }
  if (cursor_.acceptWords({"MATERIALIZED", "TABLES"})) {
    show.what = ShowKind::MATERIALIZED_TABLES;
    RETURN_IF_ERROR(parseShowFrom(show, false));
    return parseShowLike(show, false);
  }
  if (cursor_.accept("COLUMNS")) {
    show.what = ShowKind::COLUMNS;
    RETURN_IF_ERROR(parseShowFrom(show, true));
    return parseShowLike(show, false);
  }
  if (cursor_.accept("PARTITIONS")) {
    show.what = ShowKind::PARTITIONS;
    ASSIGN_OR_RETURN(show.name, cursor_.expectQualifiedName("a table's name"));
    if (!cursor_.accept("PARTITION")) return Status::ok();
    ASSIGN_OR_RETURN(show.partition,
                     DefinitionParser(cursor_).parsePartitionSpec(DefinitionParser::PartitionValues::REQUIRED));
    return Status::ok();
  }
  if (cursor_.accept("CURRENT")) return parseShowCurrent(show);
  if (cursor_.accept("CREATE")) return parseShowCreate(show);
  return cursor_.unexpectedWord(
      "CATALOGS, DATABASES, TABLES, VIEWS, FUNCTIONS, COLUMNS, CREATE .. or the like behind SHOW",
      {"CATALOGS", "DATABASES", "TABLES", "VIEWS", "FUNCTIONS", "PROCEDURES", "MODELS", "CONNECTIONS", "MODULES",
       "JARS", "JOBS", "COLUMNS", "PARTITIONS", "CURRENT", "CREATE", "MATERIALIZED", "USER", "FULL"});
}

Status SessionParser::parseShowCurrent(ShowStatement& show) {
  show.what = ShowKind::CURRENT_CATALOG;
  if (cursor_.accept("CATALOG")) return Status::ok();
  show.what = ShowKind::CURRENT_DATABASE;
  return cursor_.accept("DATABASE") ? Status::ok()
                                    : cursor_.unexpectedWord("CATALOG or DATABASE", {"CATALOG", "DATABASE"});
}

Status SessionParser::parseShowCreate(ShowStatement& show) {
  show.what = ShowKind::CREATE;
  show.or_alter = cursor_.acceptWords({"OR", "ALTER"});
  ASSIGN_OR_RETURN(show.object, parseShownObject(show.or_alter));
  ASSIGN_OR_RETURN(show.name, cursor_.expectQualifiedName("a name"));
  return Status::ok();
}

Result<ObjectKind> SessionParser::parseShownObject(bool or_alter) {
  if (cursor_.acceptWords({"MATERIALIZED", "TABLE"})) return ObjectKind::MATERIALIZED_TABLE;
  if (or_alter) return cursor_.unexpectedWord("MATERIALIZED TABLE", {"MATERIALIZED"});
  if (cursor_.accept("TABLE")) return ObjectKind::TABLE;
  if (cursor_.accept("VIEW")) return ObjectKind::VIEW;
  if (cursor_.accept("CATALOG")) return ObjectKind::CATALOG;
  if (cursor_.accept("MODEL")) return ObjectKind::MODEL;
  if (cursor_.accept("CONNECTION")) return ObjectKind::CONNECTION;
  return cursor_.unexpectedWord("TABLE, VIEW, CATALOG, MODEL, CONNECTION or MATERIALIZED TABLE behind SHOW CREATE",
                                {"TABLE", "VIEW", "CATALOG", "MODEL", "CONNECTION", "MATERIALIZED"});
}

Status SessionParser::parseShowFrom(ShowStatement& show, bool required) {
  if (cursor_.accept("FROM")) {
    show.preposition = "FROM";
  } else if (cursor_.accept("IN")) {
    show.preposition = "IN";
  } else {
    return required ? cursor_.unexpectedWord("FROM or IN", {"FROM", "IN"}) : Status::ok();
  }
  ASSIGN_OR_RETURN(show.name, cursor_.expectQualifiedName("a name"));
  const bool catalog_only = show.what == ShowKind::DATABASES;
  if (catalog_only && !show.name->isSimple()) {
    return Status::parse("expected a catalog, which has a name of one part, but found " + show.name->toString(),
                         show.name->position);
  }
  return Status::ok();
}

Status SessionParser::parseShowLike(ShowStatement& show, bool ilike) {
  ShowLike like;
  const std::size_t ahead = cursor_.at("NOT") ? 1 : 0;
  like.ignore_case = ilike && cursor_.at("ILIKE", ahead);
  if (!like.ignore_case && !cursor_.at("LIKE", ahead)) return Status::ok();
  like.negated = ahead == 1;
  cursor_.skip(ahead + 1);
  ASSIGN_OR_RETURN(like.pattern, cursor_.expectString("a pattern in single quotes"));
  show.like = std::move(like);
  return Status::ok();
}

}  // namespace thalweg::sql
