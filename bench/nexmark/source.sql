-- The source alone, two numbers of each bid: what generating costs at least.
-- Reads: bid.auction, bid.price
CREATE TABLE out_source (auction BIGINT, price BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out_source SELECT bid.auction, bid.price FROM datagen;
