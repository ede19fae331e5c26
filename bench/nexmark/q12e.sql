-- Bids per bidder and ten seconds: the suite's q12 on event time.
-- Reads: event_type, bid.bidder, bid.`dateTime`
CREATE TABLE out12 (bidder BIGINT, bids BIGINT, starttime TIMESTAMP(3), endtime TIMESTAMP(3)) WITH ('connector' = 'blackhole');
INSERT INTO out12
SELECT bidder, COUNT(*) AS bids, window_start, window_end
FROM TABLE(TUMBLE(TABLE bid, DESCRIPTOR(`dateTime`), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end;
