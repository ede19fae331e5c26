-- The tables of TPC-H over CSV files of thalweg-tpch-data; ${folder} is where they are.
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE region (
  r_regionkey BIGINT NOT NULL, r_name STRING NOT NULL, r_comment STRING
) WITH ('connector' = 'filesystem', 'path' = '${folder}/region.csv', 'format' = 'csv');
CREATE TABLE nation (
  n_nationkey BIGINT NOT NULL, n_name STRING NOT NULL, n_regionkey BIGINT NOT NULL, n_comment STRING
) WITH ('connector' = 'filesystem', 'path' = '${folder}/nation.csv', 'format' = 'csv');
CREATE TABLE supplier (
  s_suppkey BIGINT NOT NULL, s_name STRING NOT NULL, s_address STRING NOT NULL,
  s_nationkey BIGINT NOT NULL, s_phone STRING NOT NULL, s_acctbal DECIMAL(15, 2) NOT NULL,
  s_comment STRING NOT NULL
) WITH ('connector' = 'filesystem', 'path' = '${folder}/supplier.csv', 'format' = 'csv');
CREATE TABLE customer (
  c_custkey BIGINT NOT NULL, c_name STRING NOT NULL, c_address STRING NOT NULL,
  c_nationkey BIGINT NOT NULL, c_phone STRING NOT NULL, c_acctbal DECIMAL(15, 2) NOT NULL,
  c_mktsegment STRING NOT NULL, c_comment STRING NOT NULL
) WITH ('connector' = 'filesystem', 'path' = '${folder}/customer.csv', 'format' = 'csv');
CREATE TABLE part (
  p_partkey BIGINT NOT NULL, p_name STRING NOT NULL, p_mfgr STRING NOT NULL, p_brand STRING NOT NULL,
  p_type STRING NOT NULL, p_size INT NOT NULL, p_container STRING NOT NULL,
  p_retailprice DECIMAL(15, 2) NOT NULL, p_comment STRING NOT NULL
) WITH ('connector' = 'filesystem', 'path' = '${folder}/part.csv', 'format' = 'csv');
CREATE TABLE partsupp (
  ps_partkey BIGINT NOT NULL, ps_suppkey BIGINT NOT NULL, ps_availqty INT NOT NULL,
  ps_supplycost DECIMAL(15, 2) NOT NULL, ps_comment STRING NOT NULL
) WITH ('connector' = 'filesystem', 'path' = '${folder}/partsupp.csv', 'format' = 'csv');
CREATE TABLE orders (
  o_orderkey BIGINT NOT NULL, o_custkey BIGINT NOT NULL, o_orderstatus STRING NOT NULL,
  o_totalprice DECIMAL(15, 2) NOT NULL, o_orderdate DATE NOT NULL, o_orderpriority STRING NOT NULL,
  o_clerk STRING NOT NULL, o_shippriority INT NOT NULL, o_comment STRING NOT NULL
) WITH ('connector' = 'filesystem', 'path' = '${folder}/orders.csv', 'format' = 'csv');
CREATE TABLE lineitem (
  l_orderkey BIGINT NOT NULL, l_partkey BIGINT NOT NULL, l_suppkey BIGINT NOT NULL,
  l_linenumber INT NOT NULL, l_quantity DECIMAL(15, 2) NOT NULL,
  l_extendedprice DECIMAL(15, 2) NOT NULL, l_discount DECIMAL(15, 2) NOT NULL,
  l_tax DECIMAL(15, 2) NOT NULL, l_returnflag STRING NOT NULL, l_linestatus STRING NOT NULL,
  l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL, l_receiptdate DATE NOT NULL,
  l_shipinstruct STRING NOT NULL, l_shipmode STRING NOT NULL, l_comment STRING NOT NULL
) WITH ('connector' = 'filesystem', 'path' = '${folder}/lineitem.csv', 'format' = 'csv');
