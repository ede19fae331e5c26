"""EXPLAIN tells what was pushed into a scan, and says of each operator what it does in the words of columns."""
import re
import unittest

from program import ProgramCase

TABLES = """
  CREATE TABLE visits (page STRING, hits INT, name STRING METADATA FROM 'file.name', d STRING, h INT, later AS h + 1) PARTITIONED BY (d, h)
    WITH ('connector' = 'filesystem', 'path' = 'visits', 'format' = 'csv');
  CREATE TABLE plain (page STRING, d STRING) PARTITIONED BY (d) WITH ('connector' = 'filesystem', 'path' = 'visits', 'format' = 'csv');
  CREATE TABLE timed (page STRING, ts TIMESTAMP(3), d STRING, WATERMARK FOR ts AS ts) PARTITIONED BY (d)
    WITH ('connector' = 'filesystem', 'path' = 'visits', 'format' = 'csv');
  CREATE TABLE a (k INT, v STRING, n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'datagen');
  CREATE TABLE b (k INT, w STRING, n BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'datagen');
"""


class ExplainTest(ProgramCase):
    def plan(self, query, *words):
        code, out, errors = self.run_sql(TABLES + f"EXPLAIN {query};", *words)
        self.assertEqual(code, 0, errors)
        plan = out[out.index("== Optimized Execution Plan =="):]
        self.assertNotRegex(plan, r"(?<!\w)\$\d", "an operator is told by column numbers")
        return plan

    def test_conditions_on_partitions_go_into_the_scan(self):
        plan = self.plan("SELECT page FROM visits WHERE d = 'mo' AND hits > 3 AND h IN (7, 8)")
        self.assertRegex(plan, r"TableSourceScan\(table=\[[^\]]*visits`\], partitions=\[\(\(d = 'mo'\) AND .*h.*\)\], fields=\[page, hits, d, h\]\)")
        self.assertIn("where=[(hits > 3)]", plan)
        for condition in ("d IS NULL", "later > 7", "name = 'a.csv'", "d = 'mo' OR h = 7", "TRY_CAST(d AS INT) = 3"):
            plan = self.plan(f"SELECT page FROM visits WHERE {condition}")
            self.assertIn("partitions=[", plan, condition)
            self.assertNotIn("where=", plan, condition)

    def test_what_paths_do_not_decide_stays_above(self):
        for condition in ("hits = h", "d = page", "RAND() > 0.5 AND RAND(h) > 0.5", "UPPER(page) = 'X' OR d = 'mo'"):
            plan = self.plan(f"SELECT page FROM visits WHERE {condition}")
            self.assertNotIn("partitions=[", plan, condition)
            self.assertIn("where=", plan, condition)

    def test_a_condition_that_can_fail_is_asked_above_too(self):
        for condition, text in {"CAST(d AS INT) = 3": "(CAST(d AS INT) = 3)", "name LIKE '%.csv'": "LIKE(name, '%.csv')"}.items():
            plan = self.plan(f"SELECT page FROM visits WHERE {condition}")
            self.assertIn(f"partitions=[{text}]", plan)
            self.assertIn(f"where=[{text}]", plan)

    def test_watermarks_hold_conditions_back_unless_in_batch_mode(self):
        query = "SELECT page FROM timed WHERE d = 'mo'"
        self.assertNotIn("partitions=[", self.plan(query))
        self.assertIn("partitions=[(d = 'mo')]", self.plan(query, "-D", "execution.runtime-mode=BATCH"))

    def test_a_limit_and_a_condition_go_in_together(self):
        self.assertIn("partitions=[(d = 'mo')], limit=[4]", self.plan("SELECT page FROM plain WHERE d = 'mo' LIMIT 4"))

    def test_each_operator_says_what_it_does(self):
        for query, parts in {
            "SELECT a.v, b.w FROM a JOIN b ON a.k = b.k AND a.n > b.n": [
                r"Join\(joinType=\[InnerJoin\], where=\[\(k = k0\) AND \(n > n0\)\]", r"leftInputSpec=\[NoUniqueKey\]", r"Exchange\(distribution=\[hash\[k\]\]\)"],
            "SELECT a.v FROM a LEFT JOIN (SELECT k, COUNT(*) c FROM b GROUP BY k) c ON a.k = c.k": [
                r"joinType=\[LeftOuterJoin\]", r"rightInputSpec=\[JoinKeyContainsUniqueKey\]", r"upsertKey=\[k\]"],
            "SELECT a.v FROM a, b WHERE a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' MINUTE AND b.ts": [
                r"IntervalJoin\(joinType=\[InnerJoin\], windowBounds=\[isRowTime=true, leftLowerBound=-60000, leftUpperBound=0, leftTime=ts, rightTime=ts\]"],
            "SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY v ORDER BY n DESC) AS r FROM a) WHERE r <= 3": [
                r"Rank\(strategy=\[AppendFastStrategy\], rankType=\[ROW_NUMBER\], rankRange=\[rankStart=1, rankEnd=3\], partitionBy=\[v\], orderBy=\[n DESC\]"],
            "SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS r FROM a) WHERE r = 1": [
                r"Deduplicate\(keep=\[LastRow\], key=\[k\], order=\[ROWTIME\]\)"],
            "SELECT k FROM a ORDER BY ts": [r"TemporalSort\(orderBy=\[ts ASC\]\)"],
            "SELECT k FROM a ORDER BY n DESC LIMIT 5 OFFSET 2": [r"rankRange=\[rankStart=3, rankEnd=7\]", r"orderBy=\[n DESC\]"],
            "SELECT k FROM a LIMIT 5": [r"Limit\(fetch=\[5\]\)", r"changelogMode=\[I\]"],
            "SELECT k, SUM(n) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM a": [
                r"OverAggregate\(partitionBy=\[k\], orderBy=\[ts ASC\], window=\[ROWS BETWEEN 2 PRECEDING AND CURRENT ROW\], select=\[SUM\(n\)"],
            "SELECT k, window_start, COUNT(*) FROM TABLE(HOP(TABLE a, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE)) GROUP BY k, window_start, window_end": [
                r"WindowAggregate\(groupBy=\[k\], window=\[HOP\(time=\[ts\], size=\[5 min\], slide=\[1 min\]\)\], select=\[k, COUNT\(\*\)"],
        }.items():
            plan = self.plan(query)
            for part in parts:
                self.assertRegex(plan, part, query)
            self.assertEqual(len(re.findall("changelogMode=", plan)), len(re.findall(r"^ *(?:\+- )?(?!Exchange)\w+\(", plan, re.MULTILINE)), plan)

    def test_a_batch_sort_says_by_what_and_how_many(self):
        plan = self.plan("SELECT v, k FROM (VALUES (1, 'x')) AS t(k, v) ORDER BY v DESC, k LIMIT 3 OFFSET 1", "-D", "execution.runtime-mode=BATCH")
        self.assertIn("Sort(orderBy=[v DESC, k ASC], offset=[1], fetch=[3])", plan)


if __name__ == "__main__":
    unittest.main()
