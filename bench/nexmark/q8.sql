-- People who came and opened an auction within the same ten seconds.
-- Reads: event_type, person.id, person.name, person.`dateTime`, auction.seller, auction.`dateTime`
CREATE TABLE out8 (id BIGINT, name VARCHAR, stime TIMESTAMP(3)) WITH ('connector' = 'blackhole');
INSERT INTO out8
SELECT newcomer.id, newcomer.name, newcomer.window_start
FROM (
  SELECT id, name, window_start, window_end
  FROM TABLE(TUMBLE(TABLE person, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
  GROUP BY id, name, window_start, window_end
) AS newcomer
JOIN (
  SELECT seller, window_start, window_end
  FROM TABLE(TUMBLE(TABLE auction, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
  GROUP BY seller, window_start, window_end
) AS opened
ON newcomer.id = opened.seller AND newcomer.window_start = opened.window_start AND newcomer.window_end = opened.window_end;
