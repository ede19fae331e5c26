-- Bids on auctions of category 10, with the auction: a join that keeps all bids.
-- Reads: event_type, bid, auction
CREATE TABLE out20 (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, bid_dateTime TIMESTAMP(3), bid_extra VARCHAR,
  itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT, auction_dateTime TIMESTAMP(3), expires TIMESTAMP(3),
  seller BIGINT, category BIGINT, auction_extra VARCHAR) WITH ('connector' = 'blackhole');
INSERT INTO out20
SELECT b.auction, b.bidder, b.price, b.channel, b.url, b.`dateTime`, b.extra,
  a.itemName, a.description, a.initialBid, a.reserve, a.`dateTime`, a.expires, a.seller, a.category, a.extra
FROM bid AS b JOIN auction AS a ON b.auction = a.id
WHERE a.category = 10;
