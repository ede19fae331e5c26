-- Prices in another currency within a range, the time of day, and how often a letter occurs. The suite counts letters
-- with a user's function; here it is what built-in functions make of it.
-- Reads: event_type, bid.auction, bid.bidder, bid.price, bid.`dateTime`, bid.extra
CREATE TABLE out14 (auction BIGINT, bidder BIGINT, price DECIMAL(23, 3), bidTimeType VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR,
  c_counts BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out14
SELECT auction, bidder, 0.908 * price AS price,
  CASE
    WHEN HOUR(`dateTime`) >= 8 AND HOUR(`dateTime`) <= 18 THEN 'dayTime'
    WHEN HOUR(`dateTime`) <= 6 OR HOUR(`dateTime`) >= 20 THEN 'nightTime'
    ELSE 'otherTime'
  END AS bidTimeType,
  `dateTime`, extra,
  CAST(CHAR_LENGTH(extra) - CHAR_LENGTH(REPLACE(extra, 'c', '')) AS BIGINT) AS c_counts
FROM bid
WHERE 0.908 * price > 1000000 AND 0.908 * price < 50000000;
