-- The last bid of each bidder on each auction.
-- Reads: event_type, bid
CREATE TABLE out18 (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR)
  WITH ('connector' = 'blackhole');
INSERT INTO out18
SELECT auction, bidder, price, channel, url, `dateTime`, extra
FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY bidder, auction ORDER BY `dateTime` DESC) AS place FROM bid)
WHERE place <= 1;
