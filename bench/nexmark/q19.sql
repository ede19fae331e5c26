-- The ten highest bids of each auction, with their place.
-- Reads: event_type, bid
CREATE TABLE out19 (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR,
  place BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out19
SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY auction ORDER BY price DESC) AS place FROM bid) WHERE place <= 10;
