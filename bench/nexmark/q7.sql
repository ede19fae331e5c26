-- The highest bids of every ten seconds: the maximum of each window joined back to all bids.
-- Reads: event_type, bid.auction, bid.bidder, bid.price, bid.`dateTime`, bid.extra
CREATE TABLE out7 (auction BIGINT, price BIGINT, bidder BIGINT, `dateTime` TIMESTAMP(3), extra VARCHAR) WITH ('connector' = 'blackhole');
INSERT INTO out7
SELECT b.auction, b.price, b.bidder, b.`dateTime`, b.extra
FROM bid b
JOIN (
  SELECT MAX(price) AS top, window_end AS until
  FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
  GROUP BY window_start, window_end
) AS best
ON b.price = best.top
WHERE b.`dateTime` BETWEEN best.until - INTERVAL '10' SECOND AND best.until;
