-- Optional, for Citus: spreads the families over the workers. Families and everything in them lie together, by the
-- family; keys and sessions lie by their digest; users and their passwords are on every node.
--
-- Apply it on the coordinator, to a database that a node of the service has migrated and that none serves at the moment,
-- best while it is empty. Triggers on distributed tables are refused there: revision_triggers.sql does not go with it.

BEGIN;

SELECT create_reference_table('users');
SELECT create_reference_table('passwords');

SELECT create_distributed_table('integration_keys', 'digest', colocate_with => 'none');
SELECT create_distributed_table('sessions', 'digest', colocate_with => 'integration_keys');

SELECT create_distributed_table('families', 'id', colocate_with => 'none');
SELECT create_distributed_table('note_categories', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('notes', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('boards', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('columns', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('tasks', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('events', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('shopping_lists', 'family_id', colocate_with => 'families');
SELECT create_distributed_table('shopping_items', 'family_id', colocate_with => 'families');

-- A storage that opens the database and finds this asks for a family's revision by a statement of its own, which goes
-- to one shard; a join from the keys would go to all of them, and is refused.
CREATE TABLE _family_api_distributed ();

COMMIT;
