-- Bids with the person who bid and the auctions that this person sells: three streams joined on one key.
-- Reads: event_type, bid.bidder, bid.price, bid.channel, bid.url, bid.extra, person, auction
CREATE TABLE out23 (bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, bid_extra VARCHAR,
  person_id BIGINT, name VARCHAR, emailAddress VARCHAR, creditCard VARCHAR, city VARCHAR, state VARCHAR, person_extra VARCHAR,
  itemName VARCHAR, description VARCHAR, initialBid BIGINT, reserve BIGINT, auction_dateTime TIMESTAMP(3), expires TIMESTAMP(3),
  seller BIGINT, category BIGINT, auction_extra VARCHAR) WITH ('connector' = 'blackhole');
INSERT INTO out23
SELECT b.bidder, b.price, b.channel, b.url, b.extra,
  p.id, p.name, p.emailAddress, p.creditCard, p.city, p.state, p.extra,
  a.itemName, a.description, a.initialBid, a.reserve, a.`dateTime`, a.expires, a.seller, a.category, a.extra
FROM bid AS b
JOIN person AS p ON p.id = b.bidder
JOIN auction AS a ON a.seller = b.bidder;
