-- Optional, for Citus: distributes the families over the workers. Families and all their records are stored together,
-- by family. Keys and sessions are distributed by digest, passwords by user. Users, grants and calendar feeds are on
-- every server.
--
-- Apply it on the coordinator. A node of the service must have migrated the database, and no node may be running. The
-- database should be empty. Citus rejects triggers on distributed tables, so revision_triggers.sql cannot be used with
-- it.

BEGIN;

-- Here, all users are in this database. So foreign keys can replace the trigger that deletes the keys, grants and feeds
-- of a deleted user. The service itself counts a change of a user's time zone for the feeds.
DROP TRIGGER IF EXISTS credentials_of_deleted_user ON users;
DROP FUNCTION IF EXISTS family_api_delete_credentials();
DROP TRIGGER IF EXISTS calendar_feeds_in_another_zone ON users;
DROP FUNCTION IF EXISTS family_api_change_feeds();
ALTER TABLE integration_keys DROP CONSTRAINT IF EXISTS integration_keys_user_id_fkey;
ALTER TABLE integration_keys ADD CONSTRAINT integration_keys_user_id_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE grants DROP CONSTRAINT IF EXISTS grants_user_id_fkey;
ALTER TABLE grants ADD CONSTRAINT grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE calendar_feeds DROP CONSTRAINT IF EXISTS calendar_feeds_user_id_fkey;
ALTER TABLE calendar_feeds ADD CONSTRAINT calendar_feeds_user_id_fkey
    FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE;

SELECT create_reference_table('users');

-- A unique index must contain the distribution column. The service generates random ids of keys, and an import looks up
-- whether an id exists.
DROP INDEX integration_keys_by_id;
CREATE INDEX integration_keys_by_id ON integration_keys (id);

-- A grant is found by its id, its code, its refresh tokens or its access token. Only a reference table can have a unique
-- index on each of them. Grants change rarely: mostly once a minute when their last use is recorded.
SELECT create_reference_table('grants');
SELECT create_reference_table('signing_keys');

-- A feed is found by its digest, and changed by its id.
SELECT create_reference_table('calendar_feeds');
SELECT create_reference_table('calendar_ids');

-- Listing and revoking a user's keys queries every shard of the keys. So they have few shards.
SELECT create_distributed_table('integration_keys', 'digest', colocate_with => 'none', shard_count => 4);
SELECT create_distributed_table('sessions', 'digest', colocate_with => 'integration_keys');

-- A statement that locks rows of a reference table locks the whole table on all servers. So a transaction locks a user
-- by a row of this table. It deletes the row again, so the table is empty after each transaction.
CREATE TABLE _family_api_user_locks (user_id TEXT COLLATE "C" NOT NULL PRIMARY KEY);
SELECT create_distributed_table('passwords', 'user_id', colocate_with => 'none');
SELECT create_distributed_table('_family_api_user_locks', 'user_id', colocate_with => 'passwords');

SELECT create_distributed_table('families', 'id', colocate_with => 'none');
SELECT create_distributed_table('note_categories', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('notes', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('boards', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('columns', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('tasks', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('events', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('shopping_lists', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('shopping_items', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('deleted_records', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('idempotency_keys', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('changes', 'family_id', colocate_with => 'families');

-- If a storage finds this table when it opens the database, it uses statements that read one shard each, and no locks of
-- reference tables. A storage can be connected to a worker, so the table is on every server.
-- Citus moves only tables with a primary key.
CREATE TABLE _family_api_distributed (unused BOOLEAN NOT NULL PRIMARY KEY);
SELECT create_reference_table('_family_api_distributed');
SELECT create_reference_table('_family_api_migrations');

-- This table is only on the coordinator, where a storage can migrate and load.
CREATE TABLE _family_api_coordinator ();

COMMIT;
