-- Every bid with a text from a table of 10,000 lines, looked up as of now.
-- Reads: event_type, bid.auction, bid.bidder, bid.price, bid.`dateTime`
CREATE TABLE side_input (key BIGINT, `value` VARCHAR) WITH ('connector' = 'filesystem', 'path' = '${folder}/side_input.csv', 'format' = 'csv');
CREATE TABLE out13 (auction BIGINT, bidder BIGINT, price BIGINT, `dateTime` TIMESTAMP(3), `value` VARCHAR) WITH ('connector' = 'blackhole');
INSERT INTO out13
SELECT b.auction, b.bidder, b.price, b.`dateTime`, s.`value`
FROM (SELECT *, PROCTIME() AS p_time FROM bid) AS b
JOIN side_input FOR SYSTEM_TIME AS OF b.p_time AS s ON MOD(b.auction, 10000) = s.key;
