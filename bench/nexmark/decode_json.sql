-- All columns of a bid from a JSON file, which the first job writes; only the second is measured.
CREATE TABLE bids_file (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR)
  WITH ('connector' = 'filesystem', 'path' = '${folder}/bids', 'format' = 'json');
INSERT INTO bids_file SELECT auction, bidder, price, channel, url, `dateTime`, extra FROM bid;
CREATE TABLE out_decode (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR)
  WITH ('connector' = 'blackhole');
INSERT INTO out_decode SELECT * FROM bids_file;
