-- Bids per bidder and session: a session ends after ten seconds without a bid.
-- Reads: event_type, bid.bidder, bid.`dateTime`
CREATE TABLE out11 (bidder BIGINT, bid_count BIGINT, starttime TIMESTAMP(3), endtime TIMESTAMP(3)) WITH ('connector' = 'blackhole');
INSERT INTO out11
SELECT bidder, COUNT(*), SESSION_START(`dateTime`, INTERVAL '10' SECOND), SESSION_END(`dateTime`, INTERVAL '10' SECOND)
FROM bid
GROUP BY bidder, SESSION(`dateTime`, INTERVAL '10' SECOND);
