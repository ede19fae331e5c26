-- q2 with the time of the bid, by which latency is measured.
-- Reads: event_type, bid.auction, bid.price, bid.`dateTime`
CREATE TABLE out2_timed (auction BIGINT, price BIGINT, `dateTime` TIMESTAMP(3)) WITH ('connector' = 'blackhole');
INSERT INTO out2_timed SELECT auction, price, `dateTime` FROM bid WHERE MOD(auction, 123) = 0;
