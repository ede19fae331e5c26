"""EXPLAIN STATE says what operators keep and what bounds it; hints and settings change the bounds."""
import unittest

from program import ProgramCase

TABLES = """
  CREATE TABLE clicks (who STRING, n INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '5');
  CREATE TABLE people (who STRING, town STRING, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen', 'number-of-rows' = '5');
"""


class ExplainStateTest(ProgramCase):
    def explain(self, query, *words):
        code, out, errors = self.run_sql(TABLES + f"EXPLAIN STATE {query};", *words)
        self.assertEqual(code, 0, errors)
        self.assertIn("== State ==", out)
        return out

    def test_growth_without_bound_is_said_loudly(self):
        out = self.explain("SELECT who, COUNT(*), COUNT(DISTINCT n) FROM clicks GROUP BY who")
        self.assertIn("keeps 2 aggregates per group (who)", out)
        self.assertIn("GROWS WITHOUT BOUND with the number of groups", out)
        self.assertIn("1 operator keeps state; 1 GROWS WITHOUT BOUND.", out)

    def test_a_time_to_live_bounds_it(self):
        query = "SELECT who, COUNT(*) FROM clicks GROUP BY who"
        self.assertIn("time to live: 2 h after the last change", self.explain(query, "-D", "table.exec.state.ttl=2 h"))
        hinted = query.replace("SELECT", "SELECT /*+ STATE_TTL('clicks' = '3 h') */")
        out = self.explain(hinted, "-D", "table.exec.state.ttl=2 h")
        self.assertIn("time to live: 3 h after the last change", out)
        self.assertIn("all of it is bounded", out)

    def test_the_sides_of_a_join_have_hints_of_their_own(self):
        out = self.explain("SELECT /*+ STATE_TTL('c' = '1 d', 'p' = '12 h') */ c.who, town FROM clicks c JOIN people p ON c.who = p.who")
        self.assertIn("keeps the left rows per join key (who)\n    bound: time to live: 1 d after the last change", out)
        self.assertIn("keeps the right rows per join key (who)\n    bound: time to live: 12 h after the last change", out)
        out = self.explain("SELECT /*+ STATE_TTL('p' = '12 h') */ c.who, town FROM clicks c JOIN people p ON c.who = p.who")
        self.assertIn("GROWS WITHOUT BOUND with the number of left rows", out)
        self.assertIn("time to live: 12 h", out)

    def test_windows_intervals_and_ranks_are_bounded_by_what_they_are(self):
        out = self.explain("SELECT who, window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE clicks, DESCRIPTOR(ts), INTERVAL '1' HOUR)) "
                           "GROUP BY who, window_start, window_end")
        self.assertIn("bound: windows: freed when they close", out)
        out = self.explain("SELECT a.n FROM clicks a, people b WHERE a.who = b.who AND a.ts BETWEEN b.ts - INTERVAL '5' MINUTE AND b.ts")
        self.assertIn("once the watermark has left their interval", out)
        out = self.explain("SELECT who, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY who ORDER BY n DESC) AS r FROM clicks) WHERE r <= 3")
        self.assertIn("keeps the first 3 rows per partition (who)", out)

    def test_what_keeps_nothing_says_so(self):
        self.assertIn("No operator keeps state", self.explain("SELECT n + 1 FROM clicks WHERE n > 3"))
        self.assertIn("A batch job keeps nothing", self.explain("SELECT who, COUNT(*) FROM clicks GROUP BY who", "-D", "execution.runtime-mode=BATCH"))


if __name__ == "__main__":
    unittest.main()
