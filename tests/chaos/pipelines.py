"""The pipelines that the chaos harness disturbs. Each is SQL over generated numbers whose every column follows from the row's
number, so that an undisturbed run is the oracle of any other.

`id` counts up; its parity decides which of two readers makes the row. Keys keep the parity: the rows of a key come from one
reader, in order, at parallelism 1 and 2.
"""
import dataclasses
import os

ROWS = 4000


@dataclasses.dataclass(frozen=True)
class Pipeline:
    name: str
    columns: str                      # of the sink
    query: str
    changes: bool = False             # the sink gets updates: one message a line (debezium-json)
    messages: bool = True             # the messages are those of an undisturbed run; else only the table is
    key: tuple = ()                   # columns; the messages of a key are in order and each is there once
    is_program: bool = False          # timers_job.cc; else SQL
    settings: tuple = ()              # of its own: (key, value)
    parallelism_max: int = 3          # 1: what it writes depends on the order of all rows
    failpoint: str = ""               # slows it down where nothing else does


def numbers(name, rows, step=1, rate=None):
    """A table of rows 0, step, 2 * step …; `rate` rows a second."""
    limit = f", 'rows-per-second' = '{rate}'" if rate else ""
    return f"""CREATE TABLE {name} (
  n BIGINT,
  id AS n * {step},
  k AS CAST(MOD(n, 2) + 2 * MOD(n / 2 * 7919, 25) AS INT),
  s AS CAST(MOD(n, 2) + 2 * MOD((n / 2) * (n / 2), 29) AS INT),
  v AS MOD(n * {step} * 31, 1000),
  ts AS TO_TIMESTAMP_LTZ(n * {step} * 10, 3),
  WATERMARK FOR ts AS ts - INTERVAL '0.1' SECOND
) WITH ('connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '{rows - 1}'{limit});
"""


def late_numbers(rows, rate=None):
    """Every seventh row comes five seconds too late: a watermark behind every row says so, whatever the timing is."""
    limit = f", 'rows-per-second' = '{rate}'" if rate else ""
    return f"""CREATE TABLE late_numbers (
  n BIGINT,
  k AS CAST(MOD(n, 50) AS INT),
  v AS MOD(n * 31, 1000),
  ts AS TO_TIMESTAMP_LTZ(n * 10 - CASE WHEN MOD(n, 7) = 3 THEN 5000 ELSE 0 END, 3),
  WATERMARK FOR ts AS ts - INTERVAL '0.1' SECOND
) WITH ('connector' = 'datagen', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '{rows - 1}'{limit});
"""


INPUT_FILES = 8
INPUT_ROWS = 5000                     # of each


def write_input(folder):
    """Files for the pipeline that reads some, each long enough to be left in the middle."""
    os.makedirs(folder)
    for number in range(INPUT_FILES):
        with open(os.path.join(folder, f"part-{number}.csv"), "w", encoding="utf-8") as out:
            out.writelines(f"{number * INPUT_ROWS + row},{row * 31 % 1000}\n" for row in range(INPUT_ROWS))


def input_table(folder):
    return f"CREATE TABLE lines (id BIGINT, v BIGINT) WITH ('connector' = 'filesystem', 'path' = '{folder}', 'format' = 'csv');\n"


def windowed(function):
    return f"SELECT k, window_start, COUNT(*), SUM(v) FROM TABLE({function}) GROUP BY k, window_start, window_end"


PIPELINES = [
    Pipeline("filter", "id BIGINT, w BIGINT", "SELECT id, v * 2 FROM numbers WHERE MOD(id, 3) <> 0"),
    Pipeline("count", "k INT, c BIGINT, s BIGINT", "SELECT k, COUNT(*), SUM(v) FROM numbers GROUP BY k", changes=True, key=("k",)),
    Pipeline("lists", "k INT, c BIGINT, list STRING", "SELECT k, COUNT(*), LISTAGG(CAST(id AS STRING)) FROM numbers GROUP BY k", changes=True,
             key=("k",)),
    Pipeline("bank", "account INT, balance BIGINT",
             "SELECT account, SUM(amount) FROM (SELECT k AS account, -v AS amount FROM numbers "
             "UNION ALL SELECT s AS account, v AS amount FROM numbers) GROUP BY account", changes=True, messages=False),
    Pipeline("tumbling", "k INT, w TIMESTAMP(3), c BIGINT, s BIGINT", windowed("TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '2' SECOND)"),
             key=("k",)),
    Pipeline("sliding", "k INT, w TIMESTAMP(3), c BIGINT, s BIGINT",
             windowed("HOP(TABLE numbers, DESCRIPTOR(ts), INTERVAL '0.7' SECOND, INTERVAL '2.1' SECOND)"), key=("k",)),
    Pipeline("session", "k INT, w TIMESTAMP(3), e TIMESTAMP(3), c BIGINT, s BIGINT",
             "SELECT s, window_start, window_end, COUNT(*), SUM(v) FROM TABLE(SESSION(TABLE numbers PARTITION BY s, DESCRIPTOR(ts), "
             "INTERVAL '0.3' SECOND)) GROUP BY s, window_start, window_end", key=("k",)),
    Pipeline("join", "id BIGINT, v BIGINT, other BIGINT", "SELECT a.id, a.v, b.v FROM numbers a LEFT JOIN others b ON a.id = b.id", changes=True,
             messages=False),
    Pipeline("interval_join", "a BIGINT, b BIGINT",
             "SELECT a.id, b.id FROM numbers a, others b WHERE a.k = b.k AND a.ts BETWEEN b.ts - INTERVAL '1' SECOND AND b.ts + INTERVAL '1' SECOND"),
    Pipeline("top", "k INT, id BIGINT, v BIGINT",
             "SELECT k, id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY v DESC, id) AS r FROM numbers) WHERE r <= 3", changes=True),
    Pipeline("latest", "k INT, id BIGINT, v BIGINT",
             "SELECT k, id, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts DESC) AS r FROM numbers) WHERE r = 1", changes=True),
    Pipeline("first", "k INT, id BIGINT",
             "SELECT k, id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k, id / 500 ORDER BY ts) AS r FROM numbers) WHERE r = 1"),
    Pipeline("over", "k INT, id BIGINT, s BIGINT",
             "SELECT k, id, SUM(v) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 5 PRECEDING AND CURRENT ROW) FROM numbers", key=("k",)),
    Pipeline("union", "name STRING, id BIGINT", "SELECT 'a', id FROM numbers UNION ALL SELECT 'b', id FROM others"),
    Pipeline("files", "id BIGINT, w BIGINT", "SELECT id, v * 2 FROM lines WHERE MOD(id, 5) <> 0", failpoint="source.poll=sleep(0..12)"),
    Pipeline("mini_batch", "k INT, c BIGINT, s BIGINT", "SELECT k, COUNT(*), SUM(v) FROM numbers GROUP BY k", changes=True, messages=False,
             settings=(("table.exec.mini-batch.enabled", "true"), ("table.exec.mini-batch.allow-latency", "30 ms"), ("table.exec.mini-batch.size", "200"))),
    Pipeline("coming_and_going", "g BIGINT, c BIGINT",
             "SELECT g, COUNT(*) FROM (SELECT k, LAST_VALUE(v) AS g FROM numbers GROUP BY k) GROUP BY g", changes=True, messages=False),
    Pipeline("late", "k INT, w TIMESTAMP(3), c BIGINT, s BIGINT", windowed("TUMBLE(TABLE late_numbers, DESCRIPTOR(ts), INTERVAL '2' SECOND)"),
             key=("k",), settings=(("pipeline.auto-watermark-interval", "0 ms"),), parallelism_max=1),
    Pipeline("timers", "", "", key=("k",), is_program=True),
    Pipeline("diamond", "k INT, w TIMESTAMP(3), c BIGINT, m BIGINT",
             "SELECT a.k, a.window_start, a.c, b.m FROM "
             "(SELECT k, window_start, window_end, COUNT(*) AS c FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '2' SECOND)) "
             "GROUP BY k, window_start, window_end) a JOIN "
             "(SELECT k, window_start, window_end, MAX(v) AS m FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '2' SECOND)) "
             "GROUP BY k, window_start, window_end) b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end"),
]


def script(pipeline, sink_folder, settings, input_folder, rate=None, part_bytes=3000):
    """The SQL of one run. `rate` numbers a second."""
    text = "".join(f"SET '{key}' = '{value}';\n" for key, value in {**settings, **dict(pipeline.settings)}.items())
    text += numbers("numbers", ROWS, 1, rate) + numbers("others", ROWS // 5, 5, rate // 5 if rate else None)
    text += late_numbers(ROWS, rate) + input_table(input_folder)
    encoding = "debezium-json" if pipeline.changes else "json"
    text += (f"CREATE TABLE sink ({pipeline.columns}) WITH ('connector' = 'filesystem', 'path' = '{sink_folder}', 'format' = '{encoding}', "
             f"'sink.rolling-policy.file-size' = '{part_bytes} b');\n")
    return text + f"INSERT INTO sink {pipeline.query};\n"
