#include "common/plan/binder/view_expansion.h"

#include "common/plan/expressions/ast_rewrite.h"

namespace thalweg {

class ViewRewriter : public AstRewriter {
 public:
  explicit ViewRewriter(const ViewExpansion& notes) : notes_(notes) {}

 protected:
  sql::ExprPtr column(const sql::ColumnRef& ref) override {
    auto found = notes_.columns_.find(&ref);
    if (found == notes_.columns_.end() || found->second.alias.empty()) return nullptr;
    auto copy = std::make_shared<sql::ColumnRef>(ref);
    std::vector<sql::Identifier> parts = qualified(found->second, ref.position);
    parts.insert(parts.end(), ref.name.parts.begin() + static_cast<ptrdiff_t>(found->second.parts), ref.name.parts.end());
    copy->name.parts = std::move(parts);
    return copy;
  }

  std::optional<std::vector<sql::SelectItem>> star(const sql::Star& star) override {
    auto found = notes_.stars_.find(&star);
    if (found == notes_.stars_.end()) return std::nullopt;
    std::vector<sql::SelectItem> items;
    for (const auto& noted : found->second) {
      auto ref = std::make_shared<sql::ColumnRef>();
      ref->name.parts = qualified(noted, star.position);
      ref->name.position = ref->position = star.position;
      items.push_back({std::move(ref), std::nullopt, star.position});
    }
    return items;
  }

  sql::TableRefPtr table(const sql::NamedTable& table) override {
    auto found = notes_.tables_.find(&table);
    if (found == notes_.tables_.end()) return nullptr;
    auto copy = std::make_shared<sql::NamedTable>(table);
    const ObjectPath& path = found->second;
    SourcePosition at = table.name.position;
    if (!copy->alias) copy->alias = table.name.parts.back();
    copy->name.parts = {{path.catalog, at, true}, {path.database, at, true}, {path.object, at, true}};
    return copy;
  }

 private:
  static std::vector<sql::Identifier> qualified(const ViewExpansion::NotedColumn& column, SourcePosition at) {
    std::vector<sql::Identifier> parts;
    if (!column.alias.empty()) parts.push_back({column.alias, at, true});
    parts.push_back({column.column, at, true});
    return parts;
  }

  const ViewExpansion& notes_;
};

sql::QueryPtr ViewExpansion::expand(const sql::QueryPtr& query) const { return ViewRewriter(*this).rewrite(query); }

}  // namespace thalweg
