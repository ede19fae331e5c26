-- What the compose file runs: numbers counted per key and second, with a checkpoint every ten seconds.
SET 'parallelism.default' = '2';
SET 'execution.checkpointing.interval' = '10 s';
SET 'execution.checkpointing.dir' = '/checkpoints';

CREATE TABLE numbers (n BIGINT, ts AS TO_TIMESTAMP_LTZ(n, 3), WATERMARK FOR ts AS ts)
  WITH ('connector' = 'datagen', 'rows-per-second' = '1000', 'fields.n.kind' = 'sequence', 'fields.n.start' = '0', 'fields.n.end' = '1000000000');
CREATE TABLE counts (w STRING, k BIGINT, c BIGINT) WITH ('connector' = 'filesystem', 'path' = '/output/counts', 'format' = 'csv');

INSERT INTO counts
  SELECT CAST(window_start AS STRING), MOD(n, 8), COUNT(*)
  FROM TABLE(TUMBLE(TABLE numbers, DESCRIPTOR(ts), INTERVAL '1' SECOND)) GROUP BY window_start, window_end, MOD(n, 8);
