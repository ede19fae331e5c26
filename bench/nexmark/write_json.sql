-- All columns of the bids as lines of json, for what decodes them.
CREATE TABLE bids_file (auction BIGINT, bidder BIGINT, price BIGINT, channel VARCHAR, url VARCHAR, `dateTime` TIMESTAMP(3), extra VARCHAR)
  WITH ('connector' = 'filesystem', 'path' = '${folder}/bids', 'format' = 'json');
INSERT INTO bids_file SELECT auction, bidder, price, channel, url, `dateTime`, extra FROM bid;
