-- The functions of Citus that distribute tables. They only record their calls, so all tables stay on one server.
CREATE SCHEMA recorded;

CREATE TABLE recorded.calls (number BIGINT, table_name TEXT, column_name TEXT, colocated_with TEXT, shard_count INTEGER);

CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS
    'INSERT INTO recorded.calls SELECT (SELECT count(*) FROM recorded.calls), $1';

CREATE FUNCTION create_distributed_table(
    table_name regclass, distribution_column TEXT, colocate_with TEXT, shard_count INTEGER DEFAULT NULL
) RETURNS void LANGUAGE sql AS
    'INSERT INTO recorded.calls SELECT (SELECT count(*) FROM recorded.calls), $1, $2, $3, $4';

-- What Citus has to find the server of a row. The family `one` is on the server 1, passwords are on the server 2, and
-- everything else is on the server 0.
CREATE VIEW pg_dist_placement AS SELECT * FROM (VALUES (10, 0), (11, 1), (12, 2)) AS placement (shardid, groupid);

CREATE FUNCTION get_shard_id_for_distribution_column(table_name regclass, distribution_value ANYELEMENT)
RETURNS INTEGER LANGUAGE sql AS
    'SELECT CASE WHEN table_name = ''passwords''::regclass THEN 12 WHEN distribution_value::text = ''one'' THEN 11 ELSE 10 END';
