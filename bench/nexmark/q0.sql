-- Every bid, passed through.
-- Reads: event_type, bid.auction, bid.bidder, bid.price, bid.`dateTime`, bid.extra
CREATE TABLE out0 (auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), extra VARCHAR) WITH ('connector' = 'blackhole');
INSERT INTO out0 SELECT auction, bidder, price, `dateTime`, extra FROM bid;
