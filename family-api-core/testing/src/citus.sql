-- The functions of Citus that distribute tables. They only record their calls, so all tables stay on one server.
CREATE SCHEMA recorded;

CREATE TABLE recorded.calls (number BIGINT, table_name TEXT, column_name TEXT, colocated_with TEXT, shard_count INTEGER);

CREATE FUNCTION create_reference_table(table_name regclass) RETURNS void LANGUAGE sql AS
    'INSERT INTO recorded.calls SELECT (SELECT count(*) FROM recorded.calls), $1';

CREATE FUNCTION create_distributed_table(
    table_name regclass, distribution_column TEXT, colocate_with TEXT, shard_count INTEGER DEFAULT NULL
) RETURNS void LANGUAGE sql AS
    'INSERT INTO recorded.calls SELECT (SELECT count(*) FROM recorded.calls), $1, $2, $3, $4';
