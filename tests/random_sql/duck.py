"""The same queries in DuckDB, where it is installed."""
from tables import duck_statements

try:
    import duckdb
except ImportError:
    duckdb = None


class Duck:
    def __init__(self, tables):
        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 1")
        for table in tables:
            for statement in duck_statements(table):
                self.connection.execute(statement)

    def rows(self, text):
        """The rows, or the error as text: DuckDB refuses what overflows, for example."""
        try:
            return self.connection.execute(text).fetchall(), None
        except duckdb.Error as error:
            return None, str(error)
