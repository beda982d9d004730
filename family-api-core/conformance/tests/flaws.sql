/* Flaws of a database. The cases that are named above a flaw must fail by a check for it: `mutation.rs` tests this. */

-- the_health_check_of_a_running_storage_succeeds
DROP TABLE families;

-- an_update_refuses_a_child_before_its_parent
INSERT INTO families (id, name, created_at, updated_at)
    VALUES ('north', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');

-- boards_are_sorted_by_order_then_creation_time_then_id
CREATE TRIGGER flaw AFTER INSERT ON boards BEGIN
    UPDATE boards SET "order" = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- columns_are_sorted_by_order_then_id_and_can_be_empty
-- every_field_of_a_board_and_its_columns_is_returned
-- a_new_task_is_appended_to_the_first_visible_column
-- the_position_of_a_new_board_or_column_is_at_most_1000000
CREATE TRIGGER flaw AFTER INSERT ON columns BEGIN
    UPDATE columns SET "order" = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- restorable_records_are_listed_in_pages_newest_first
-- a_purged_record_cannot_be_restored_or_deleted_again
-- a_deleted_record_can_be_restored_for_30_days
CREATE TRIGGER flaw AFTER INSERT ON deleted_records BEGIN
    UPDATE deleted_records SET deleted_at = '2126-01-01T00:00:00.000Z' WHERE family_id = NEW.family_id AND kind =
        NEW.kind AND id = NEW.id;
END;

-- an_update_creates_a_deleted_record_again
CREATE TRIGGER flaw BEFORE DELETE ON deleted_records BEGIN SELECT RAISE(IGNORE); END;

-- a_restored_record_is_no_longer_listed
CREATE TRIGGER flaw AFTER DELETE ON deleted_records BEGIN
    INSERT INTO deleted_records (family_id, kind, id, record, deleted_at)
        VALUES (OLD.family_id, OLD.kind, OLD.id, OLD.record, OLD.deleted_at);
END;

-- a_purge_deletes_only_records_deleted_by_the_given_time
-- a_family_keeps_the_records_that_were_deleted_last
-- deleted_records_of_a_family_have_a_maximum_size
-- deletions_of_one_kind_keep_deleted_records_of_others
-- a_restoration_keeps_the_deleted_record_of_another_kind_with_this_id
CREATE TRIGGER flaw AFTER DELETE ON deleted_records BEGIN DELETE FROM deleted_records; END;

-- each_write_is_logged_once_with_the_present_record
-- changes_of_another_family_are_not_listed
CREATE TRIGGER flaw BEFORE INSERT ON changes BEGIN SELECT RAISE(IGNORE); END;

-- a_split_event_is_two_changes_of_one_write
-- a_move_logs_the_tasks_that_it_shifts
-- deleted_checked_items_are_changes_of_one_write
CREATE TRIGGER flaw BEFORE INSERT ON changes WHEN NEW.ordinal > 0 BEGIN SELECT RAISE(IGNORE); END;

-- the_limit_takes_whole_writes
-- changes_that_are_too_large_are_listed_one_write_at_a_time
-- only_changes_of_the_given_kinds_are_listed
-- concurrent_writes_form_one_chain
CREATE TRIGGER flaw AFTER INSERT ON changes BEGIN
    UPDATE changes SET kind = 'note'
        WHERE family_id = NEW.family_id AND revision = NEW.revision AND ordinal = NEW.ordinal;
END;

-- changes_of_private_records_are_not_listed_for_others
-- several_changes_of_a_record_are_one_for_each_member
CREATE TRIGGER flaw AFTER INSERT ON changes BEGIN
    UPDATE changes SET seen_before = '*'
        WHERE family_id = NEW.family_id AND revision = NEW.revision AND ordinal = NEW.ordinal;
END;

-- a_record_that_was_created_and_deleted_is_deleted
-- a_task_that_was_visible_for_a_while_is_deleted
-- a_record_that_a_batch_has_too_early_is_deleted_later
CREATE TRIGGER flaw AFTER INSERT ON changes BEGIN
    UPDATE changes SET seen_before = NULL
        WHERE family_id = NEW.family_id AND revision = NEW.revision AND ordinal = NEW.ordinal;
END;

-- a_task_that_a_member_sees_no_more_is_deleted_for_them
-- an_item_that_a_member_sees_no_more_is_deleted_for_them
CREATE TRIGGER flaw AFTER INSERT ON changes BEGIN
    UPDATE changes SET seen_before = seen_after
        WHERE family_id = NEW.family_id AND revision = NEW.revision AND ordinal = NEW.ordinal;
END;

-- an_unknown_revision_is_expired
-- a_new_time_zone_expires_earlier_revisions
-- a_load_expires_earlier_revisions
-- an_update_expires_the_earlier_revisions_of_its_families
CREATE TRIGGER flaw AFTER UPDATE OF revision ON families BEGIN
    INSERT INTO changes VALUES (NEW.id, NEW.revision, 0, OLD.revision, 'note', 'x', NULL, NULL,
        '2026-11-20T12:00:00.000Z');
END;

-- a_purge_deletes_only_changes_of_the_given_time
-- each_family_keeps_its_last_changes
CREATE TRIGGER flaw AFTER DELETE ON changes BEGIN DELETE FROM changes; END;

-- a_purge_deletes_all_changes_of_a_write
CREATE TRIGGER flaw BEFORE DELETE ON changes WHEN OLD.ordinal > 0 BEGIN SELECT RAISE(IGNORE); END;

-- an_event_has_the_id_but_no_name_of_an_assignee_who_left
-- every_field_of_an_event_is_returned
-- an_overlapping_event_equals_the_listed_event
-- a_created_record_has_the_given_fields_and_its_author
CREATE TRIGGER flaw AFTER INSERT ON events BEGIN
    UPDATE events SET assignee_id = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- an_event_overlaps_a_range_from_its_start_to_its_end
-- an_event_that_recurs_is_listed
-- overlapping_events_are_sorted_by_start_then_id
CREATE TRIGGER flaw AFTER INSERT ON events BEGIN
    UPDATE events SET recurrence = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_new_event_has_the_time_zone_of_the_caller_or_its_own
-- an_event_without_a_zone_gets_that_of_the_first_member
-- an_event_in_an_unknown_zone_is_listed
-- an_update_without_a_zone_keeps_the_zone_of_the_event
CREATE TRIGGER flaw AFTER INSERT ON events BEGIN
    UPDATE events SET time_zone = 'UTC' WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- one_occurrence_is_changed_skipped_and_restored
CREATE TRIGGER flaw AFTER UPDATE ON events BEGIN
    UPDATE events SET overrides = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- from_selects_events_that_start_at_or_after_it
-- from_and_to_select_events_that_match_both
-- all_day_events_begin_in_the_time_zone_of_the_caller
CREATE TRIGGER flaw AFTER INSERT ON events BEGIN
    UPDATE events SET start_date = end_date WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- events_of_another_family_are_not_visible
-- events_are_sorted_by_start_then_id
-- to_selects_events_that_end_at_or_before_it
-- overlapping_events_of_another_family_are_not_visible
-- an_id_of_another_family_is_accepted_and_kept_apart
-- records_of_different_kinds_can_share_an_id
CREATE TRIGGER flaw AFTER INSERT ON events WHEN NEW.family_id <> 'north' BEGIN
    UPDATE OR IGNORE events SET family_id = 'north' WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_family_without_records_has_empty_documents
CREATE TRIGGER flaw AFTER INSERT ON events WHEN NEW.family_id = 'south' BEGIN
    UPDATE events SET family_id = 'east' WHERE id = NEW.id;
END;

-- a_new_task_needs_a_column
-- an_update_changes_the_revision_of_the_changed_family_only
CREATE TRIGGER flaw AFTER INSERT ON families WHEN NEW.id = 'east' BEGIN
    INSERT INTO boards SELECT 'east', id, name, description, emoji, color, "order", 0, NULL, created_at, updated_at
        FROM boards WHERE id = 'shared';
    INSERT INTO columns SELECT 'east', id, board_id, name, emoji, color, "order", created_at FROM columns WHERE id =
        'todo';
END;

-- a_family_has_at_most_the_maximum_number_of_records
-- only_records_of_the_own_family_count_towards_the_limit
-- a_long_record_counts_more_than_once
-- an_update_makes_no_record_longer_beyond_the_limit
-- records_of_an_update_count_towards_the_limit
CREATE TRIGGER flaw AFTER UPDATE OF notes_bound ON families BEGIN
    UPDATE families SET notes_bound = 0 WHERE id = NEW.id;
END;

-- records_of_other_kinds_do_not_count_towards_the_limit
CREATE TRIGGER flaw AFTER UPDATE OF shopping_items_bound ON families BEGIN
    UPDATE families SET shopping_items_bound = 0 WHERE id = NEW.id;
END;

-- moving_a_task_changes_the_revision
-- every_change_produces_a_distinct_revision
-- a_write_changes_the_revision_of_every_document
-- documents_with_the_same_revision_are_identical
-- loading_a_record_changes_the_revision_of_its_family
-- a_user_who_moves_changes_the_revisions_of_both_families
-- each_write_of_any_record_changes_the_revision
CREATE TRIGGER flaw AFTER UPDATE OF revision ON families WHEN NEW.revision <> OLD.revision BEGIN
    UPDATE families SET revision = OLD.revision WHERE id = NEW.id;
END;
CREATE TRIGGER log BEFORE INSERT ON changes BEGIN SELECT RAISE(IGNORE); END;

-- a_grant_is_found_by_its_code
-- every_field_of_a_grant_is_listed
-- an_access_token_has_its_own_scopes
-- misused_grants_are_listed_last_ended_first
CREATE TRIGGER flaw AFTER INSERT ON grants BEGIN
    UPDATE grants SET client_host = 'x', redirect_uri = 'x', scopes = '[]' WHERE id = NEW.id;
END;

-- a_purge_deletes_the_grants_that_ended_first
-- the_last_misuses_of_a_user_are_kept
CREATE TRIGGER flaw BEFORE DELETE ON grants BEGIN SELECT RAISE(IGNORE); END;

-- an_issued_token_finds_its_grant_and_user
-- a_valid_access_token_allows_writes
CREATE TRIGGER flaw AFTER UPDATE ON grants WHEN NEW.access_token IS NOT NULL BEGIN
    UPDATE grants SET access_scopes = '[]', access_expires_at = '2126-01-01T00:00:00.000Z' WHERE id = NEW.id;
END;

-- new_tokens_replace_the_previous_ones
CREATE TRIGGER flaw AFTER UPDATE ON grants WHEN OLD.access_token IS NOT NULL BEGIN
    UPDATE grants SET access_token = OLD.access_token WHERE id = NEW.id;
END;

-- the_last_use_of_a_grant_never_moves_backwards
CREATE TRIGGER flaw BEFORE UPDATE OF last_used_at ON grants BEGIN SELECT RAISE(IGNORE); END;

-- live_grants_are_listed_newest_first_then_by_id
CREATE TRIGGER flaw AFTER INSERT ON grants BEGIN
    UPDATE grants SET created_at = '2026-01-01T00:00:00.000Z' WHERE id = NEW.id AND id = 'c';
END;

-- a_feed_is_found_by_its_digest
CREATE TRIGGER flaw AFTER INSERT ON calendar_feeds BEGIN
    UPDATE calendar_feeds SET board_ids = person_ids WHERE digest = NEW.digest;
END;

-- inserting_an_existing_feed_digest_fails
CREATE TRIGGER flaw BEFORE INSERT ON calendar_feeds BEGIN DELETE FROM calendar_feeds WHERE digest = NEW.digest; END;

-- only_current_feeds_count_towards_the_limit
-- current_feeds_are_listed_newest_first_then_by_id
-- a_purge_deletes_only_expired_feeds
CREATE TRIGGER flaw AFTER INSERT ON calendar_feeds BEGIN
    UPDATE calendar_feeds SET expires_at = NULL WHERE digest = NEW.digest;
END;

-- only_the_owner_changes_a_current_feed
CREATE TRIGGER flaw AFTER INSERT ON calendar_feeds BEGIN
    UPDATE calendar_feeds SET user_id = 'bob' WHERE digest = NEW.digest;
END;

-- a_change_of_a_feed_keeps_what_it_does_not_name
CREATE TRIGGER flaw AFTER UPDATE OF name ON calendar_feeds BEGIN
    UPDATE calendar_feeds SET expires_at = NULL WHERE digest = NEW.digest;
END;

-- a_new_time_zone_raises_the_sequence_of_a_feed
CREATE TRIGGER flaw BEFORE UPDATE OF sequence ON calendar_feeds BEGIN SELECT RAISE(IGNORE); END;

-- a_deleted_feed_is_not_found
-- an_update_deletes_the_feeds_of_missing_users_only
-- all_access_of_a_user_includes_current_feeds
CREATE TRIGGER flaw BEFORE DELETE ON calendar_feeds BEGIN SELECT RAISE(IGNORE); END;

-- the_last_use_of_a_feed_never_moves_backwards
CREATE TRIGGER flaw BEFORE UPDATE OF last_used_at ON calendar_feeds BEGIN SELECT RAISE(IGNORE); END;

-- the_number_of_left_out_records_is_stored
CREATE TRIGGER flaw BEFORE UPDATE OF left_out ON calendar_feeds BEGIN SELECT RAISE(IGNORE); END;

-- each_user_has_separate_idempotency_keys
CREATE TRIGGER flaw AFTER INSERT ON idempotency_keys WHEN NEW.user_id = 'ada' BEGIN
    INSERT INTO idempotency_keys VALUES (NEW.family_id, 'bob', NEW.key, NEW.request, NEW.kind, NEW.record_id,
        NEW.created_at);
END;

-- an_expired_key_is_not_listed_but_still_found
-- every_field_of_a_loaded_key_is_returned
-- only_active_keys_count_towards_the_limit
CREATE TRIGGER flaw AFTER INSERT ON integration_keys BEGIN
    UPDATE integration_keys SET expires_at = NULL WHERE digest = NEW.digest;
END;

-- concurrent_updates_run_one_after_another
-- find_key_returns_the_key_and_the_account_of_its_owner
-- a_listed_key_equals_the_inserted_key
-- unknown_scopes_are_kept_and_the_mode_follows_the_scopes
-- recording_a_use_changes_no_other_field_of_the_key
-- a_valid_key_allows_writes
-- an_update_creates_records_with_every_field
-- an_update_without_changes_keeps_the_revision
CREATE TRIGGER flaw AFTER INSERT ON integration_keys BEGIN
    UPDATE integration_keys SET scopes = '[]' WHERE digest = NEW.digest;
END;

-- a_revoked_key_is_not_listed_but_found_as_revoked
-- all_access_of_a_user_is_revoked_at_once
-- a_repeated_revocation_of_all_access_finds_nothing
-- no_key_survives_a_concurrent_revocation_of_all_access
-- a_key_can_be_inserted_after_another_key_is_revoked
-- a_key_that_is_revoked_stays_revoked
CREATE TRIGGER flaw AFTER UPDATE ON integration_keys BEGIN
    UPDATE integration_keys SET revoked_at = NULL WHERE digest = NEW.digest;
END;

-- an_update_refuses_another_owner_or_token_hash_of_a_key
CREATE TRIGGER flaw BEFORE INSERT ON integration_keys BEGIN SELECT RAISE(IGNORE); END;

-- a_purge_for_one_user_deletes_at_most_its_limit
-- concurrent_purges_count_each_deleted_key_once
-- a_purge_deletes_only_keys_that_ended_by_the_given_time
-- a_purge_deletes_the_keys_that_ended_first_up_to_its_limit
-- a_purge_keeps_the_spared_keys
-- a_purge_for_one_user_keeps_the_keys_that_ended_last
CREATE TRIGGER flaw AFTER DELETE ON integration_keys BEGIN DELETE FROM integration_keys; END;

-- keys_are_listed_newest_first_then_by_id_descending
CREATE TRIGGER flaw AFTER INSERT ON integration_keys BEGIN
    UPDATE integration_keys SET created_at = '2026-01-01T00:00:00.000Z' WHERE digest = NEW.digest;
END;

-- only_the_owner_of_a_key_can_list_it
-- the_access_of_other_users_is_not_revoked
CREATE TRIGGER flaw AFTER INSERT ON integration_keys BEGIN
    UPDATE integration_keys SET user_id = 'ada' WHERE digest = NEW.digest;
END;

-- an_unknown_digest_finds_no_key
-- each_user_has_a_separate_key_limit
CREATE TRIGGER flaw AFTER INSERT ON integration_keys WHEN NEW.user_id = 'ada' BEGIN
    INSERT INTO integration_keys SELECT
        iif(id = 'k1', x'badb7283766a112aebdb2936077a25f5db85ea465cdbac330ba6641d38c4ac77', randomblob(32)), 'x-' || id,
        'bob', name, hint, scopes, created_at, expires_at, revoked_at, last_used_at FROM integration_keys
        WHERE digest = NEW.digest;
END;

-- a_recorded_use_is_returned_by_find_key_and_list_keys
-- the_last_use_never_moves_backwards
-- record_uses_accepts_1000_digests_and_skips_unknown_digests
CREATE TRIGGER flaw BEFORE UPDATE OF last_used_at ON integration_keys BEGIN SELECT RAISE(IGNORE); END;

-- an_expired_key_can_still_be_revoked
CREATE TRIGGER flaw BEFORE UPDATE OF revoked_at ON integration_keys WHEN OLD.expires_at IS NOT NULL BEGIN
    SELECT RAISE(IGNORE);
END;

-- setting_a_category_of_another_family_returns_not_found
-- an_update_refuses_a_parent_that_is_not_in_the_family
CREATE TRIGGER flaw AFTER INSERT ON note_categories WHEN NEW.family_id = 'south' BEGIN
    INSERT INTO note_categories (family_id, id, name) VALUES ('north', NEW.id, NEW.name);
END;

-- an_update_replaces_every_field_of_a_record
-- an_update_refuses_a_category_below_itself
CREATE TRIGGER flaw BEFORE UPDATE ON note_categories BEGIN SELECT RAISE(IGNORE); END;

-- a_document_equals_the_serde_output_of_its_records
-- every_field_of_a_note_is_returned
CREATE TRIGGER flaw AFTER INSERT ON notes BEGIN UPDATE notes SET tags = '[ "a" ]' WHERE id = NEW.id; END;

-- notes_of_another_family_are_not_visible
-- invisible_records_can_be_neither_updated_nor_deleted
-- a_second_load_adds_to_the_first
CREATE TRIGGER flaw AFTER INSERT ON notes WHEN NEW.family_id <> 'north' BEGIN
    UPDATE OR IGNORE notes SET family_id = 'north' WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- notes_are_sorted_pinned_first_then_newest_then_by_id
CREATE TRIGGER flaw AFTER INSERT ON notes BEGIN
    UPDATE notes SET updated_at = '2026-01-01T00:00:00.000Z' WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_deleted_record_is_in_no_document
CREATE TRIGGER flaw AFTER DELETE ON notes BEGIN DELETE FROM notes; END;

-- a_password_is_found_by_email_address
CREATE TRIGGER flaw AFTER INSERT ON passwords BEGIN UPDATE passwords SET phc = 'x' WHERE user_id = NEW.user_id; END;

-- a_new_password_replaces_the_old_one
-- a_password_of_an_update_ends_the_sessions_of_its_user
CREATE TRIGGER flaw AFTER UPDATE ON passwords BEGIN UPDATE passwords SET phc = OLD.phc WHERE user_id = NEW.user_id; END;

-- a_session_is_found_until_it_expires
CREATE TRIGGER flaw AFTER INSERT ON sessions BEGIN
    UPDATE sessions SET expires_at = '2126-01-01T00:00:00.000Z' WHERE digest = NEW.digest;
END;

-- a_valid_session_allows_writes
CREATE TRIGGER flaw AFTER INSERT ON sessions BEGIN UPDATE sessions SET user_id = 'bob' WHERE digest = NEW.digest; END;

-- a_new_password_ends_only_the_sessions_of_its_user
-- a_concurrent_password_change_leaves_no_old_session
CREATE TRIGGER flaw BEFORE DELETE ON sessions BEGIN SELECT RAISE(IGNORE); END;

-- a_purge_deletes_only_expired_sessions
-- a_session_purge_keeps_the_sessions_that_expire_last
CREATE TRIGGER flaw AFTER DELETE ON sessions BEGIN DELETE FROM sessions; END;

-- a_container_with_records_cannot_be_deleted
-- an_update_reports_the_first_of_several_refused_records
CREATE TRIGGER flaw BEFORE INSERT ON shopping_items BEGIN SELECT RAISE(IGNORE); END;

-- one_call_deletes_at_most_500_checked_items
CREATE TRIGGER flaw AFTER DELETE ON shopping_items BEGIN DELETE FROM shopping_items; END;

-- items_are_sorted_unchecked_first_then_oldest_then_by_id
-- every_field_of_an_item_is_returned
CREATE TRIGGER flaw AFTER INSERT ON shopping_items BEGIN
    UPDATE shopping_items SET checked = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- lists_are_sorted_by_sort_order_then_name_then_id
-- every_field_of_a_list_is_returned
-- the_position_of_a_new_list_is_at_most_1000000
CREATE TRIGGER flaw AFTER INSERT ON shopping_lists BEGIN
    UPDATE shopping_lists SET sort_order = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- all_calls_return_the_same_signing_key
CREATE TRIGGER flaw AFTER INSERT ON signing_keys BEGIN
    UPDATE signing_keys SET key = zeroblob(32) WHERE name = NEW.name;
END;

-- a_record_that_the_caller_does_not_see_counts
CREATE TRIGGER flaw AFTER INSERT ON tasks WHEN NEW.is_private BEGIN
    DELETE FROM tasks WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- tasks_are_sorted_by_order_then_id
-- setting_a_column_appends_after_invisible_and_done_tasks
-- setting_a_column_appends_after_a_done_task
-- setting_the_current_column_appends_after_the_other_tasks
-- an_appended_task_can_exceed_the_maximum_order
-- an_order_given_with_a_column_is_used_unchanged
-- a_move_to_a_taken_order_shifts_all_following_tasks
-- an_order_of_an_invisible_task_counts_as_taken
-- an_order_of_a_done_task_counts_as_taken
-- a_move_to_a_free_order_shifts_nothing
-- shifted_tasks_change_only_their_order
-- a_move_to_the_current_order_shifts_nothing
-- a_task_can_move_within_its_column
-- a_shifted_task_can_exceed_the_maximum_order
-- a_move_does_not_change_other_columns
CREATE TRIGGER flaw AFTER INSERT ON tasks BEGIN
    UPDATE tasks SET "order" = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_task_change_changes_no_other_task
-- writes_leave_equal_ids_of_other_families_alone
-- an_update_keeps_equal_ids_of_other_families_apart
CREATE TRIGGER flaw AFTER UPDATE ON tasks BEGIN UPDATE tasks SET title = NEW.title, "order" = NEW."order"; END;

-- a_restored_record_equals_the_deleted_record
CREATE TRIGGER flaw AFTER INSERT ON tasks BEGIN
    UPDATE tasks SET title = hex(randomblob(8)) WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- stats_count_assigned_tasks_and_own_unassigned_tasks
-- a_stats_period_includes_its_start_and_excludes_its_end
-- stats_count_only_completed_tasks_as_done
-- a_column_on_a_private_board_keeps_the_board_owner_as_assignee
-- every_field_of_a_task_is_returned
-- the_filter_selects_open_tasks_done_tasks_or_both
CREATE TRIGGER flaw AFTER INSERT ON tasks BEGIN
    UPDATE tasks SET completed_at = NULL, assignee_id = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_completed_task_that_recurs_is_due_again
CREATE TRIGGER flaw AFTER UPDATE ON tasks BEGIN
    UPDATE tasks SET last_completed_at = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- making_a_task_private_assigns_it_to_its_creator
CREATE TRIGGER flaw AFTER UPDATE ON tasks BEGIN
    UPDATE tasks SET assignee_id = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- only_the_creator_can_make_a_task_private
-- making_a_task_private_rejects_another_assignee
CREATE TRIGGER flaw AFTER INSERT ON tasks BEGIN
    UPDATE tasks SET creator_id = 'bob' WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- tasks_of_another_family_are_not_visible
CREATE TRIGGER flaw AFTER INSERT ON tasks WHEN NEW.family_id = 'south' BEGIN
    INSERT INTO tasks SELECT 'north', id, 'todo', title, description, priority, due_date, recurrence, completed_at,
        last_completed_at, "order", labels, is_private, assignee_id, creator_id, created_at, updated_at, sequence
        FROM tasks WHERE family_id = 'south' AND id = NEW.id;
END;

-- each_change_raises_the_sequence
-- an_update_raises_the_sequence_of_a_changed_record
-- an_update_raises_the_sequence_of_a_deleted_record
-- an_update_of_any_record_is_stored_and_returned
-- a_task_change_sets_every_given_field
CREATE TRIGGER flaw AFTER UPDATE ON tasks BEGIN
    UPDATE tasks SET sequence = OLD.sequence WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- concurrent_moves_to_one_order_end_with_distinct_orders
CREATE TRIGGER flaw BEFORE UPDATE ON tasks WHEN NEW.column_id = OLD.column_id BEGIN SELECT RAISE(IGNORE); END;

-- a_key_for_an_unknown_user_is_not_inserted
-- an_unknown_user_is_not_found
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN
    INSERT OR IGNORE INTO users (id, name, email, display_currency, time_zone, personal_api_enabled,
        llm_key_configured, created_at, updated_at) SELECT 'gone', name, 'gone@example.com', display_currency,
        time_zone, 1, 0, created_at, updated_at FROM users WHERE id = NEW.id;
END;

-- an_email_address_with_a_nul_byte_matches_no_user
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN UPDATE users SET email = email || char(0) WHERE id = NEW.id; END;

-- an_update_refuses_the_email_or_token_hash_of_another_record
-- an_update_deletes_the_sessions_of_missing_users_only
-- an_email_is_given_up_before_another_user_gets_it
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN UPDATE users SET email = id; END;

-- only_the_current_members_of_the_own_family_are_listed
-- members_are_sorted_by_id
-- an_item_has_the_id_but_no_name_of_a_member_who_left
-- a_note_has_the_id_but_no_name_of_an_author_who_left
-- assigning_a_non_member_is_refused_and_changes_nothing
-- a_creation_with_an_assignee_outside_of_the_family_is_refused
-- only_members_of_the_family_take_part_in_an_event
-- an_update_deletes_the_grants_of_missing_users_only
-- a_key_of_a_user_without_family_has_no_membership
-- a_task_has_ids_but_no_names_of_people_who_left_the_family
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN UPDATE users SET family_id = 'north' WHERE id = NEW.id; END;

-- every_field_of_a_profile_is_returned
-- a_user_leaves_a_family_only_if_the_update_contains_it
-- every_field_of_a_member_is_returned
-- an_update_keeps_missing_records
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN UPDATE users SET image = NULL WHERE id = NEW.id; END;

-- a_personal_api_key_requires_the_personal_api_to_be_enabled
-- the_key_condition_is_checked_before_the_key_limit
-- an_account_has_the_time_zone_api_flag_and_family_of_its_user
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN UPDATE users SET personal_api_enabled = 1 WHERE id = NEW.id; END;

-- a_creation_with_an_unknown_column_does_not_use_its_key
-- a_refused_creation_does_not_use_its_idempotency_key
CREATE TRIGGER flaw AFTER INSERT ON users WHEN NEW.id = 'ada' BEGIN
    INSERT INTO idempotency_keys VALUES ('north', 'ada', 'k', zeroblob(32), 'task', 'x', '2026-11-20T12:10:00.000Z');
    INSERT INTO idempotency_keys VALUES ('north', 'ada', 'task', zeroblob(32), 'task', 'x', '2026-11-20T12:10:00.000Z');
END;

-- an_update_without_a_password_keeps_the_password_and_the_sessions
CREATE TRIGGER flaw AFTER UPDATE ON users BEGIN DELETE FROM passwords WHERE user_id = NEW.id; END;

-- toggling_the_personal_api_changes_no_other_profile_field
-- find_key_and_find_account_return_the_current_api_flag
-- an_access_token_returns_the_current_account
CREATE TRIGGER flaw BEFORE UPDATE ON users BEGIN SELECT RAISE(IGNORE); END;

-- the_instants_of_an_event_keep_their_milliseconds_in_any_year
CREATE TRIGGER flaw AFTER INSERT ON events BEGIN
    UPDATE events SET start_date = substr(start_date, 1, 20) || '000Z' WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- each_of_many_records_is_returned
CREATE TRIGGER flaw AFTER INSERT ON events WHEN (SELECT count(*) FROM events) > 100 BEGIN
    DELETE FROM events WHERE family_id = NEW.family_id AND id = NEW.id;
END;
