// The whole syntax tree in one include: expressions, queries, definitions, statements.
#pragma once

#include "common/sql/ast_ddl.h"
#include "common/sql/ast_definition.h"
#include "common/sql/ast_expression.h"
#include "common/sql/ast_name.h"
#include "common/sql/ast_query.h"
#include "common/sql/ast_session.h"
#include "common/sql/ast_statement.h"
