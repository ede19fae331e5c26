// Writes the nodes of the syntax tree as text; see unparser.h for the form. Names and strings are in quoting.cc,
// expressions in expression_writer.cc and call_writer.cc, queries in query_writer.cc and table_writer.cc,
// statements in definition_writer.cc and statement_writer.cc.
// Threads: one at a time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/sql/ast.h"

namespace thalweg::sql {

/// SPARE: where the meaning needs them. ALL: around every operator, which shows how a tree nests (for tests).
enum class Parentheses { SPARE, ALL };

/// `TABLE `, `MATERIALIZED TABLE `: the word of a kind of object and a blank.
std::string_view objectWord(ObjectKind object);

class Writer {
 public:
  explicit Writer(Parentheses parentheses = Parentheses::SPARE) : parentheses_(parentheses) {}

  void expr(const Expr& node) { operand(node, 0); }
  void query(const Query& node);
  void type(const TypeSpec& node);
  void statement(const Statement& node);
  void name(const QualifiedName& node);
  std::string take() { return std::move(out_); }

 private:
  // expressions
  /// In parentheses if it binds less tightly than `power`.
  void operand(const Expr& node, int power);
  void node(const Expr& node);
  void literal(const Literal& node);
  void interval(const IntervalLiteral& node);
  void operatorCall(const OperatorCall& node);
  void infix(const OperatorCall& node);
  void period(const OperatorCall& node);
  void between(const Between& node);
  void inList(const InList& node);
  void inQuery(const InQuery& node);
  void quantified(const Quantified& node);
  void caseOf(const Case& node);
  void cast(const Cast& node);
  void collection(const CollectionConstructor& node);
  void collectionQuery(const CollectionQuery& node);
  void fieldAccess(const FieldAccess& node);
  void star(const Star& node);
  void tableArgument(const TableArgument& node);

  // calls
  void call(const FunctionCall& node);
  void functionName(const QualifiedName& node);
  bool specialCall(const FunctionCall& node, std::string_view function);
  void jsonCall(const FunctionCall& node, std::string_view function);
  void jsonPairs(const FunctionCall& node);
  void jsonReaction(const JsonReaction& reaction, std::string_view event);
  void jsonNulls(const JsonClauses& clauses, bool space);
  void jsonWrapper(const JsonClauses& clauses);
  void arguments(const FunctionCall& node);
  void trailingClauses(const FunctionCall& node);
  void orderItems(const std::vector<OrderItem>& items);
  void windowSpec(const WindowSpec& spec);
  void frame(const WindowFrame& frame);
  void bound(const FrameBound& bound);

  // queries
  void body(const QueryBody& node);
  void select(const SelectBody& node);
  void selectItems(const std::vector<SelectItem>& items, std::string_view separator);
  void values(const ValuesBody& node);
  void setOperation(const SetOperation& node);
  void setOperand(const QueryBody& operand, const SetOperation& parent, bool right);
  void groupItem(const GroupItem& item);
  void subquery(const Query& node);
  void hints(const std::vector<Hint>& hints);
  void with(const Query& node);

  // tables
  void table(const TableRef& node);
  void aliases(const TableRef& node);
  void join(const Join& node);
  void namedTable(const NamedTable& node);
  void derived(const DerivedTable& node);
  void tableFunction(const TableFunctionCall& node);
  void unnest(const Unnest& node);
  void match(const MatchRecognize& node);
  void matchClauses(const MatchRecognize& node);
  void pattern(const Pattern& node, bool inside);
  void sample(const TableSample& sample);

  // definitions
  void tableDefinition(const TableDefinition& definition);
  void elements(const TableElements& elements);
  void column(const ColumnDefinition& column);
  void constraint(const TableConstraint& constraint);
  void watermark(const WatermarkDefinition& watermark);
  void distribution(const Distribution& distribution);
  void options(const OptionList& options);
  void withOptions(const OptionList& options);
  void keys(const std::vector<std::string>& keys);
  void comment(const std::optional<std::string>& comment);
  void partition(const PartitionSpec& spec);
  void like(const LikeClause& like);
  void columnBlock(std::string_view word, const std::vector<ColumnDefinition>& columns);

  // statements
  void insert(const InsertStatement& node);
  void statementSet(const StatementSet& node);
  void update(const UpdateStatement& node);
  void deleteFrom(const DeleteStatement& node);
  void explain(const ExplainStatement& node);
  void compilePlan(const CompilePlanStatement& node);
  void createTable(const CreateTableStatement& node);
  void createMaterializedTable(const CreateMaterializedTableStatement& node);
  void createView(const CreateViewStatement& node);
  void createDatabase(const CreateDatabaseStatement& node);
  void createCatalog(const CreateCatalogStatement& node);
  void createFunction(const CreateFunctionStatement& node);
  void createModel(const CreateModelStatement& node);
  void createConnection(const CreateConnectionStatement& node);
  void alterStatement(const AlterStatement& node);
  void alterAction(const AlterAction& action);
  bool alterTablePart(const AlterAction& action);
  void drop(const DropStatement& node);
  void show(const ShowStatement& node);
  void describe(const DescribeStatement& node);
  void use(const UseStatement& node);
  void session(const Statement& node);
  void analyze(const AnalyzeStatement& node);

  // text
  void text(std::string_view text) { out_ += text; }
  void identifier(const Identifier& node);
  void string(std::string_view text);
  void intervalQualifier(const IntervalQualifier& qualifier);
  void identifiers(const std::vector<Identifier>& items);  ///< in parentheses
  void exprs(const std::vector<ExprPtr>& items);           ///< parted by commas
  template <typename Items, typename Write>
  void list(const Items& items, std::string_view separator, Write write) {
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += separator;
      first = false;
      write(item);
    }
  }

  std::string out_;
  Parentheses parentheses_;
  bool joins_on_one_line_ = false;  ///< within parentheses around a join
};

}  // namespace thalweg::sql
