-- Every bid, its price converted to another currency.
-- Reads: event_type, bid.auction, bid.bidder, bid.price, bid.`dateTime`, bid.extra
CREATE TABLE out1 (auction BIGINT, bidder BIGINT, price DECIMAL(23, 3), `dateTime` TIMESTAMP(3), extra VARCHAR) WITH ('connector' = 'blackhole');
INSERT INTO out1 SELECT auction, bidder, 0.908 * price AS price, `dateTime`, extra FROM bid;
