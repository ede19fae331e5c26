-- Average winning price per category: join with a range of times, maximum per auction, average of the changing maxima.
-- Reads: event_type, auction.id, auction.category, auction.`dateTime`, auction.expires, bid.auction, bid.price, bid.`dateTime`
CREATE TABLE out4 (id BIGINT, final BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out4
SELECT w.category, AVG(w.final)
FROM (
  SELECT a.category, MAX(b.price) AS final
  FROM auction a JOIN bid b ON a.id = b.auction AND b.`dateTime` BETWEEN a.`dateTime` AND a.expires
  GROUP BY a.id, a.category
) AS w
GROUP BY w.category;
