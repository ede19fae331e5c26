-- The auctions with most bids of the last ten seconds, every two seconds.
-- Reads: event_type, bid.auction, bid.`dateTime`
CREATE TABLE out5 (auction BIGINT, num BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out5
SELECT counted.auction, counted.num
FROM (
  SELECT auction, COUNT(*) AS num, window_start, window_end
  FROM TABLE(HOP(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
  GROUP BY auction, window_start, window_end
) AS counted
JOIN (
  SELECT MAX(num) AS top, window_start, window_end
  FROM (
    SELECT COUNT(*) AS num, window_start, window_end
    FROM TABLE(HOP(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '2' SECOND, INTERVAL '10' SECOND))
    GROUP BY auction, window_start, window_end
  )
  GROUP BY window_start, window_end
) AS best
ON counted.window_start = best.window_start AND counted.window_end = best.window_end AND counted.num >= best.top;
