-- Average of each seller's winning prices, the last eleven of them, in order of the winning bids' times. The suite's
-- text is not valid SQL; this is what it means. The cast says that the time is a column like any other behind the join.
-- Reads: event_type, auction.id, auction.seller, auction.`dateTime`, auction.expires, bid.auction, bid.price, bid.`dateTime`
SET 'thalweg.exec.over.bounded-by-any-column' = 'true';
CREATE TABLE out6 (seller BIGINT, avg_price BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out6
SELECT seller, AVG(price) OVER (PARTITION BY seller ORDER BY bid_time ROWS BETWEEN 10 PRECEDING AND CURRENT ROW)
FROM (
  SELECT seller, price, bid_time
  FROM (
    SELECT a.id, a.seller, b.price, CAST(b.`dateTime` AS TIMESTAMP(6)) AS bid_time, ROW_NUMBER() OVER (PARTITION BY a.id, a.seller ORDER BY b.price DESC) AS place
    FROM auction a JOIN bid b ON a.id = b.auction AND b.`dateTime` BETWEEN a.`dateTime` AND a.expires
  )
  WHERE place <= 1
);
