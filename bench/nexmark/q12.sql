-- Bids per bidder and ten seconds of the wall clock. What comes out depends on the clock; q12e is the twin on event time.
-- Reads: event_type, bid.bidder
CREATE TABLE out12 (bidder BIGINT, bid_count BIGINT, starttime TIMESTAMP(3), endtime TIMESTAMP(3)) WITH ('connector' = 'blackhole');
CREATE VIEW clocked_bid AS SELECT *, PROCTIME() AS p_time FROM bid;
INSERT INTO out12
SELECT bidder, COUNT(*), window_start, window_end
FROM TABLE(TUMBLE(TABLE clocked_bid, DESCRIPTOR(p_time), INTERVAL '10' SECOND))
GROUP BY bidder, window_start, window_end;
