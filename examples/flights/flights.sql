-- US flights of early 2001 as a stream in event time. Run it in this folder:
--   thalweg sql -f flights.sql
-- and as a batch job, which gives the same final tables:
--   thalweg sql -D execution.runtime-mode=batch -f flights.sql

SET 'sql-client.execution.result-mode' = 'table';

CREATE TABLE flights (
  `date` STRING,
  delay INT,
  distance INT,
  origin STRING,
  destination STRING,
  departure AS TO_TIMESTAMP(`date`, 'yyyy/MM/dd HH:mm'),
  WATERMARK FOR departure AS departure - INTERVAL '10' MINUTE
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/flights.json',
  'format' = 'json'
);

CREATE TABLE airports (
  iata STRING,
  name STRING,
  city STRING,
  state STRING,
  country STRING,
  latitude DOUBLE,
  longitude DOUBLE
) WITH (
  'connector' = 'filesystem',
  'path' = 'data/airports.csv',
  'format' = 'csv'
);

CREATE TABLE hourly (
  window_start TIMESTAMP(3),
  origin STRING,
  airport STRING,
  city STRING,
  flights BIGINT,
  mean_delay DOUBLE,
  worst_delay INT,
  late_share DOUBLE
) WITH (
  'connector' = 'filesystem',
  'path' = 'output/hourly',
  'format' = 'csv'
);

-- Every hour and origin: how many flights, how late on average, how late at worst, and the share of those that left
-- more than 15 minutes late.
INSERT INTO hourly
SELECT
  h.window_start,
  h.origin,
  a.name,
  a.city,
  h.flights,
  h.mean_delay,
  h.worst_delay,
  h.late_share
FROM (
  SELECT
    window_start,
    window_end,
    origin,
    COUNT(*) AS flights,
    ROUND(AVG(CAST(delay AS DOUBLE)), 2) AS mean_delay,
    MAX(delay) AS worst_delay,
    ROUND(AVG(CASE WHEN delay > 15 THEN 1E0 ELSE 0E0 END), 4) AS late_share
  FROM TABLE(TUMBLE(TABLE flights, DESCRIPTOR(departure), INTERVAL '1' HOUR))
  GROUP BY window_start, window_end, origin
) AS h
JOIN airports AS a ON h.origin = a.iata;

-- The five worst routes so far, among those flown at least twenty times.
SELECT place, origin, destination, flights, mean_delay
FROM (
  SELECT
    *,
    ROW_NUMBER() OVER (ORDER BY mean_delay DESC, origin, destination) AS place
  FROM (
    SELECT
      origin,
      destination,
      COUNT(*) AS flights,
      ROUND(AVG(CAST(delay AS DOUBLE)), 2) AS mean_delay
    FROM flights
    GROUP BY origin, destination
    HAVING COUNT(*) >= 20
  )
)
WHERE place <= 5;
