CREATE TABLE numbers (
  id BIGINT,
  k AS MOD(id, 7),
  ts AS TO_TIMESTAMP_LTZ(id * 100, 3),
  WATERMARK FOR ts AS ts
) WITH ('connector' = 'datagen', 'fields.id.kind' = 'sequence', 'fields.id.start' = '0', 'fields.id.end' = '1999', 'rows-per-second' = '4000');
CREATE TABLE counts (k BIGINT, c BIGINT, s BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'counts');
CREATE TABLE tops (k BIGINT, id BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'tops');
CREATE TABLE hops (k BIGINT, w TIMESTAMP(3), c BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'hops');
CREATE TABLE pairs (a BIGINT, b BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'pairs');
CREATE TABLE sums (id BIGINT, s BIGINT) WITH ('connector' = 'print', 'print-identifier' = 'sums');
EXECUTE STATEMENT SET BEGIN
  INSERT INTO counts SELECT k, COUNT(*), SUM(id) FROM numbers GROUP BY k;
  INSERT INTO tops SELECT k, id FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY MOD(id * 31, 1000)) AS r FROM numbers) WHERE r <= 2;
  INSERT INTO hops SELECT k, window_start, COUNT(*) FROM TABLE(HOP(TABLE numbers, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '30' SECOND))
    GROUP BY k, window_start, window_end;
  INSERT INTO pairs SELECT a.id, b.id FROM numbers a JOIN numbers b ON a.id = b.id * 2;
  INSERT INTO sums SELECT id, SUM(id) OVER (PARTITION BY k ORDER BY ts ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM numbers;
END;
