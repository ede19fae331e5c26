-- The same events from a file of csv lines, one column a field; behind tables.sql, which makes them.
CREATE TABLE events (
  event_type INT,
  p_id BIGINT, p_name VARCHAR, p_emailAddress VARCHAR, p_creditCard VARCHAR, p_city VARCHAR, p_state VARCHAR,
  p_extra VARCHAR,
  a_id BIGINT, a_itemName VARCHAR, a_description VARCHAR, a_initialBid BIGINT, a_reserve BIGINT,
  a_expires TIMESTAMP(3), a_seller BIGINT, a_category BIGINT, a_extra VARCHAR,
  b_auction BIGINT, b_bidder BIGINT, b_price BIGINT, b_channel VARCHAR, b_url VARCHAR, b_extra VARCHAR,
  `dateTime` TIMESTAMP(3),
  WATERMARK FOR `dateTime` AS `dateTime` - INTERVAL '4' SECOND
) WITH ('connector' = 'filesystem', 'path' = '${folder}/events', 'format' = 'csv', 'csv.null-literal' = '\N');
SET 'parallelism.default' = '1';
INSERT INTO events SELECT event_type,
  person.id, person.name, person.emailAddress, person.creditCard, person.city, person.state, person.extra,
  auction.id, auction.itemName, auction.description, auction.initialBid, auction.reserve, auction.expires,
  auction.seller, auction.category, auction.extra,
  bid.auction, bid.bidder, bid.price, bid.channel, bid.url, bid.extra,
  `dateTime` FROM datagen;
SET 'parallelism.default' = '${parallelism}';
DROP VIEW person;
DROP VIEW auction;
DROP VIEW bid;
CREATE VIEW person AS SELECT
  p_id AS id, p_name AS name, p_emailAddress AS emailAddress, p_creditCard AS creditCard, p_city AS city,
  p_state AS state, `dateTime`, p_extra AS extra
FROM events WHERE event_type = 0;
CREATE VIEW auction AS SELECT
  a_id AS id, a_itemName AS itemName, a_description AS description, a_initialBid AS initialBid, a_reserve AS reserve,
  `dateTime`, a_expires AS expires, a_seller AS seller, a_category AS category, a_extra AS extra
FROM events WHERE event_type = 1;
CREATE VIEW bid AS SELECT
  b_auction AS auction, b_bidder AS bidder, b_price AS price, b_channel AS channel, b_url AS url, `dateTime`,
  b_extra AS extra
FROM events WHERE event_type = 2;
