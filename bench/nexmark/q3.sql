-- Who sells in three states in category 10: a join of two unbounded streams whose state stays small.
-- Reads: event_type, person.id, person.name, person.city, person.state, auction.id, auction.seller, auction.category
CREATE TABLE out3 (name VARCHAR, city VARCHAR, state VARCHAR, id BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO out3
SELECT p.name, p.city, p.state, a.id
FROM auction AS a JOIN person AS p ON a.seller = p.id
WHERE a.category = 10 AND p.state IN ('OR', 'ID', 'CA');
