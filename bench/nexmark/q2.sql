-- Bids on some auctions only.
-- Reads: event_type, bid.auction, bid.price
CREATE TABLE out2 (auction BIGINT, price BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out2 SELECT auction, price FROM bid WHERE MOD(auction, 123) = 0;
