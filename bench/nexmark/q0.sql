-- Every bid, passed through.
CREATE TABLE out0 (auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), extra VARCHAR) WITH ('connector' = 'blackhole');
INSERT INTO out0 SELECT auction, bidder, price, `dateTime`, extra FROM bid;
