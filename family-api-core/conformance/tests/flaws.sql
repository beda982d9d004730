/* Flaws of a database. The cases that are named above a flaw must fail for it: `mutation.rs` checks this. */

-- the_health_check_of_a_running_storage_succeeds
DROP TABLE families;

-- a_child_before_its_parent_is_refused
INSERT INTO families (id, name, created_at, updated_at)
    VALUES ('east', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');

-- a_load_with_a_refused_record_stores_nothing
-- a_repeated_id_within_a_load_is_refused
-- an_update_refuses_a_child_before_its_parent
INSERT INTO families (id, name, created_at, updated_at)
    VALUES ('north', 'x', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');

-- a_dropped_load_stores_nothing
INSERT INTO users (id, name, email, display_currency, time_zone, personal_api_enabled,
    llm_key_configured, created_at, updated_at)
    VALUES ('ada', 'x', 'x', 'EUR', 'UTC', 1, 0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z');

-- boards_are_sorted_by_order_then_creation_time_then_id
-- the_filter_selects_open_tasks_done_tasks_or_both
CREATE TRIGGER flaw AFTER INSERT ON boards BEGIN
    UPDATE boards SET "order" = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_private_board_is_visible_only_to_its_owner
-- a_private_board_without_an_owner_is_visible_to_no_one
-- stats_do_not_count_invisible_tasks
-- an_invisible_column_returns_not_found_and_changes_nothing
-- a_column_on_a_private_board_clears_an_assignee_who_is_not_owner
-- tasks_on_a_private_board_can_only_be_assigned_to_its_owner
-- a_creation_with_an_invisible_reference_is_not_found
CREATE TRIGGER flaw AFTER INSERT ON boards BEGIN
    UPDATE boards SET is_private = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_deleted_record_is_in_no_document
CREATE TRIGGER flaw BEFORE DELETE ON boards BEGIN
    SELECT RAISE(IGNORE);
END;

-- an_update_refuses_a_repeated_id
CREATE TRIGGER flaw BEFORE INSERT ON boards BEGIN
    SELECT RAISE(IGNORE);
END;

-- columns_are_sorted_by_order_then_id_and_can_be_empty
-- every_field_of_a_board_and_its_columns_is_returned
-- a_new_task_is_appended_to_the_first_visible_column
-- a_new_record_without_an_order_is_the_last_one
-- the_position_of_a_new_record_is_at_most_1000000
CREATE TRIGGER flaw AFTER INSERT ON columns BEGIN
    UPDATE columns SET "order" = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- records_of_a_deleted_container_are_not_listed
CREATE TRIGGER flaw AFTER INSERT ON deleted_records BEGIN
    DELETE FROM deleted_records;
END;

-- restorable_records_are_listed_in_pages_newest_first
-- a_purged_record_cannot_be_restored_or_deleted_again
CREATE TRIGGER flaw AFTER INSERT ON deleted_records BEGIN
    UPDATE deleted_records SET deleted_at = '2126-01-01T00:00:00.000Z' WHERE family_id = NEW.family_id AND kind =
        NEW.kind AND id = NEW.id;
END;

-- a_key_of_a_deleted_record_returns_not_found
-- a_restored_record_equals_the_deleted_record
-- a_deleted_record_can_be_restored_for_30_days
-- concurrent_restorations_restore_a_record_once
-- a_restored_note_loses_a_deleted_category
-- a_restored_record_is_no_longer_listed
-- a_member_lists_only_deleted_records_that_they_could_see
-- the_checked_items_that_a_member_sees_are_deleted
-- a_purge_deletes_only_records_deleted_by_the_given_time
-- a_family_keeps_the_records_that_were_deleted_last
-- deleted_records_of_a_family_have_a_maximum_size
-- deletions_of_one_kind_keep_deleted_records_of_others
-- an_update_creates_a_deleted_record_again
-- deleted_private_records_of_a_missing_user_are_forgotten
CREATE TRIGGER flaw BEFORE DELETE ON deleted_records BEGIN
    SELECT RAISE(IGNORE);
END;

-- an_event_has_the_id_but_no_name_of_an_assignee_who_left
-- every_field_of_an_event_is_returned
-- an_overlapping_event_equals_the_listed_event
-- a_created_record_has_the_given_fields_and_its_author
-- concurrent_creations_with_one_key_create_one_record
-- a_restoration_replaces_no_record
CREATE TRIGGER flaw AFTER INSERT ON events BEGIN
    UPDATE events SET assignee_id = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- an_event_overlaps_a_range_from_its_start_to_its_end
-- a_recurring_event_is_listed_if_it_starts_before_the_end_of_the_range
-- overlapping_events_are_sorted_by_start_then_id
CREATE TRIGGER flaw AFTER INSERT ON events BEGIN
    UPDATE events SET recurrence = NULL WHERE family_id = NEW.family_id AND id = NEW.id;
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
-- an_unknown_parent_is_refused_with_the_field_name
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
-- the_records_of_each_kind_are_counted
-- an_update_changes_the_revision_of_the_changed_family_only
CREATE TRIGGER flaw AFTER INSERT ON families WHEN NEW.id = 'east' BEGIN
    INSERT INTO boards SELECT 'east', id, name, description, emoji, color, "order", 0, NULL, created_at, updated_at
        FROM boards WHERE id = 'shared';
    INSERT INTO columns SELECT 'east', id, board_id, name, emoji, color, "order", created_at FROM columns WHERE id =
        'todo';
END;

-- a_family_has_at_most_the_maximum_number_of_records
-- only_records_of_the_own_family_count_towards_the_limit
-- records_of_other_kinds_do_not_count_towards_the_limit
-- a_long_record_counts_more_than_once
-- an_update_makes_no_record_longer_beyond_the_limit
-- a_creation_is_repeated_although_the_limit_is_reached
-- concurrent_creations_do_not_exceed_the_limit
-- records_of_an_update_count_towards_the_limit
CREATE TRIGGER flaw AFTER UPDATE OF notes_bound ON families BEGIN
    UPDATE families SET notes_bound = 0 WHERE id = NEW.id;
END;

-- changing_a_task_changes_the_revision
-- moving_a_task_changes_the_revision
-- changing_a_note_changes_the_revision
-- deleting_a_note_changes_the_revision
-- every_change_produces_a_distinct_revision
-- a_note_change_changes_the_revision_of_every_document
-- documents_with_the_same_revision_are_identical
-- loading_a_record_changes_the_revision_of_its_family
-- a_user_who_moves_changes_the_revisions_of_both_families
CREATE TRIGGER flaw BEFORE UPDATE ON families BEGIN
    SELECT RAISE(IGNORE);
END;

-- a_grant_is_found_by_its_code
-- an_approval_can_be_used_only_once
-- inserting_an_existing_code_fails
-- only_live_grants_count_towards_the_limit
-- concurrent_insertions_do_not_exceed_the_grant_limit
-- an_issued_token_finds_its_grant_and_user
-- an_access_token_has_its_own_scopes
-- an_access_token_returns_the_current_account
-- each_secret_issues_tokens_only_once
-- new_tokens_replace_the_previous_ones
-- one_of_many_concurrent_redemptions_succeeds
-- one_of_many_concurrent_refreshes_succeeds
-- an_expired_grant_issues_no_tokens
-- a_revoked_grant_has_no_access_token
-- only_the_user_can_revoke_a_grant
-- a_grant_can_be_ended_only_once
-- all_access_of_a_user_includes_approved_and_redeemed_grants
-- live_grants_are_listed_newest_first_then_by_id
-- every_field_of_a_grant_is_listed
-- the_last_use_of_a_grant_never_moves_backwards
-- a_purge_deletes_the_grants_that_ended_first
-- a_grant_has_its_last_rotation
-- misused_grants_are_listed_last_ended_first
-- the_last_misuses_of_a_user_are_kept
-- a_valid_access_token_allows_writes
-- a_write_with_a_token_of_a_revoked_grant_is_refused
CREATE TRIGGER flaw BEFORE INSERT ON grants BEGIN
    SELECT RAISE(IGNORE);
END;

-- a_repeated_creation_with_another_body_is_a_mismatch
-- a_key_for_another_kind_of_record_is_a_mismatch
-- keys_of_one_user_displace_no_keys_of_another
-- an_idempotency_key_of_a_missing_user_is_forgotten
CREATE TRIGGER flaw AFTER INSERT ON idempotency_keys BEGIN
    UPDATE idempotency_keys SET created_at = '2026-01-01T00:00:00.000Z' WHERE family_id = NEW.family_id AND user_id =
        NEW.user_id AND key = NEW.key;
END;

-- an_idempotency_key_is_valid_for_24_hours
-- a_user_keeps_the_idempotency_keys_used_last
CREATE TRIGGER flaw AFTER INSERT ON idempotency_keys BEGIN
    UPDATE idempotency_keys SET created_at = '2126-01-01T00:00:00.000Z' WHERE family_id = NEW.family_id AND user_id =
        NEW.user_id AND key = NEW.key;
END;

-- each_user_has_separate_idempotency_keys
-- a_purge_deletes_only_idempotency_keys_of_the_given_time
CREATE TRIGGER flaw AFTER INSERT ON idempotency_keys WHEN NEW.user_id = 'ada' BEGIN
    INSERT INTO idempotency_keys VALUES (NEW.family_id, 'bob', NEW.key, NEW.request, NEW.kind, NEW.record_id,
        NEW.created_at);
END;

-- an_expired_key_is_not_listed_but_still_found
-- every_field_of_a_loaded_key_is_returned
-- only_active_keys_count_towards_the_limit
-- a_purge_deletes_only_keys_that_ended_by_the_given_time
-- a_purge_deletes_the_keys_that_ended_first_up_to_its_limit
-- a_purge_keeps_the_spared_keys
-- a_purge_for_one_user_keeps_the_keys_that_ended_last
-- concurrent_purges_count_each_deleted_key_once
CREATE TRIGGER flaw AFTER INSERT ON integration_keys BEGIN
    UPDATE integration_keys SET expires_at = NULL WHERE digest = NEW.digest;
END;

-- find_key_returns_the_key_and_the_account_of_its_owner
-- a_listed_key_equals_the_inserted_key
-- unknown_scopes_are_kept_and_the_mode_follows_the_scopes
-- recording_a_use_changes_no_other_field_of_the_key
-- a_valid_key_allows_writes
-- a_write_with_a_key_of_another_user_returns_not_found
-- concurrent_updates_run_one_after_another
-- an_update_creates_records_with_every_field
-- an_update_without_changes_keeps_the_revision
CREATE TRIGGER flaw AFTER INSERT ON integration_keys BEGIN
    UPDATE integration_keys SET scopes = '[]' WHERE digest = NEW.digest;
END;

-- a_revoked_key_is_not_listed_but_found_as_revoked
-- a_key_can_be_revoked_only_once
-- exactly_one_of_many_concurrent_revocations_succeeds
-- all_access_of_a_user_is_revoked_at_once
-- a_repeated_revocation_of_all_access_finds_nothing
-- no_key_survives_a_concurrent_revocation_of_all_access
-- a_key_can_be_inserted_after_another_key_is_revoked
-- a_key_that_is_revoked_stays_revoked
CREATE TRIGGER flaw AFTER UPDATE ON integration_keys BEGIN
    UPDATE integration_keys SET revoked_at = NULL WHERE digest = NEW.digest;
END;

-- an_unknown_digest_finds_no_key
-- a_key_of_a_user_without_family_has_no_membership
-- keys_are_listed_newest_first_then_by_id_descending
-- only_the_owner_of_a_key_can_list_it
-- only_the_owner_can_revoke_a_key
-- an_expired_key_can_still_be_revoked
-- the_access_of_other_users_is_not_revoked
-- all_access_of_an_unknown_user_is_not_revoked
-- each_user_has_a_separate_key_limit
-- inserting_an_existing_digest_fails_and_keeps_the_first_key
-- concurrent_insertions_do_not_exceed_the_key_limit
-- a_recorded_use_is_returned_by_find_key_and_list_keys
-- the_last_use_never_moves_backwards
-- record_uses_accepts_1000_digests_and_skips_unknown_digests
-- recording_a_use_does_not_change_the_revision
-- a_purge_for_one_user_deletes_at_most_its_limit
-- a_write_by_an_author_who_left_the_family_is_refused
-- no_record_is_written_with_a_revoked_key
-- an_existing_email_or_token_hash_is_refused
-- an_update_refuses_another_owner_or_token_hash_of_a_key
CREATE TRIGGER flaw BEFORE INSERT ON integration_keys BEGIN
    SELECT RAISE(IGNORE);
END;

-- setting_a_category_of_another_family_returns_not_found
-- refused_writes_of_records_keep_the_revision
-- a_parent_of_another_family_is_refused
-- an_update_refuses_a_parent_that_is_not_in_the_family
-- an_update_that_deletes_contains_every_parent
-- an_update_deletes_the_missing_records_of_its_families_only
CREATE TRIGGER flaw AFTER INSERT ON note_categories WHEN NEW.family_id = 'south' BEGIN
    INSERT INTO note_categories (family_id, id, name) VALUES ('north', NEW.id, NEW.name);
END;

-- an_update_of_any_record_is_stored_and_returned
-- each_update_returns_the_record_that_its_transaction_found
-- every_write_requires_a_matching_entity_tag
-- a_repeated_creation_returns_the_first_record
-- each_write_of_any_record_changes_the_revision
-- an_update_replaces_every_field_of_a_record
-- an_update_refuses_a_category_below_itself
CREATE TRIGGER flaw BEFORE UPDATE ON note_categories BEGIN
    SELECT RAISE(IGNORE);
END;

-- a_document_equals_the_serde_output_of_its_records
-- every_field_of_a_note_is_returned
CREATE TRIGGER flaw AFTER INSERT ON notes BEGIN
    UPDATE notes SET tags = '[ "a" ]' WHERE id = NEW.id;
END;

-- notes_of_another_family_are_not_visible
-- notes_are_sorted_pinned_first_then_newest_then_by_id
-- changing_a_note_of_another_family_returns_not_found
-- a_deletion_removes_only_one_note_and_succeeds_once
-- a_note_of_another_family_cannot_be_deleted
-- loaded_records_become_visible_on_commit_not_before
-- a_second_load_adds_to_the_first
-- a_reader_sees_all_changes_of_an_update_or_none
CREATE TRIGGER flaw AFTER INSERT ON notes WHEN NEW.family_id <> 'north' BEGIN
    UPDATE OR IGNORE notes SET family_id = 'north' WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- a_note_change_sets_every_given_field
-- a_note_change_keeps_omitted_fields
-- null_clears_the_category_of_a_note
-- an_empty_note_change_changes_nothing_and_returns_the_note
-- exactly_one_of_many_concurrent_deletions_succeeds
-- concurrent_changes_to_different_note_fields_are_all_kept
-- a_write_with_an_unknown_key_is_refused
-- the_precondition_is_checked_before_references_and_rules
-- one_of_many_concurrent_note_writes_with_one_tag_succeeds
-- an_update_becomes_visible_on_commit_not_before
CREATE TRIGGER flaw BEFORE INSERT ON notes BEGIN
    SELECT RAISE(IGNORE);
END;

-- a_password_is_found_by_email_address
-- a_session_is_found_until_it_expires
-- deleting_a_session_succeeds_once_and_keeps_the_others
-- inserting_an_existing_session_fails_and_keeps_the_first
-- a_valid_session_allows_writes
-- a_write_with_a_deleted_session_is_refused
-- a_write_with_an_expired_session_is_refused
-- a_write_with_a_session_of_another_user_is_refused
-- a_purge_deletes_only_expired_sessions
-- a_session_purge_keeps_the_sessions_that_expire_last
CREATE TRIGGER flaw AFTER INSERT ON passwords BEGIN
    UPDATE passwords SET phc = 'x' WHERE user_id = NEW.user_id;
END;

-- a_password_of_an_update_ends_the_sessions_of_its_user
-- a_new_password_replaces_the_old_one
-- a_new_password_ends_only_the_sessions_of_its_user
-- a_session_requires_the_current_password
-- a_concurrent_password_change_leaves_no_old_session
-- a_write_with_a_session_of_the_old_password_is_refused
CREATE TRIGGER flaw BEFORE UPDATE ON passwords BEGIN
    SELECT RAISE(IGNORE);
END;

-- items_are_sorted_unchecked_first_then_oldest_then_by_id
-- one_of_many_concurrent_deletions_of_any_record_succeeds
-- a_container_with_records_cannot_be_deleted
-- deleted_records_do_not_count
-- one_call_deletes_at_most_500_checked_items
-- an_id_that_exists_in_the_family_is_refused
-- the_first_of_several_invalid_records_is_reported
-- an_update_reports_the_first_of_several_refused_records
CREATE TRIGGER flaw BEFORE INSERT ON shopping_items BEGIN
    SELECT RAISE(IGNORE);
END;

-- a_private_list_is_visible_only_to_its_owner
-- a_private_item_is_visible_only_to_the_member_who_added_it
-- a_creation_in_an_invisible_container_returns_not_found
-- invisible_records_can_be_neither_updated_nor_deleted
-- a_new_private_record_is_visible_only_to_its_creator
-- an_item_moves_only_to_a_visible_list
-- checked_items_of_an_invisible_list_are_not_found
CREATE TRIGGER flaw AFTER INSERT ON shopping_lists BEGIN
    UPDATE shopping_lists SET is_private = 0;
END;

-- lists_are_sorted_by_sort_order_then_name_then_id
-- every_field_of_a_list_and_its_items_is_returned
CREATE TRIGGER flaw AFTER INSERT ON shopping_lists BEGIN
    UPDATE shopping_lists SET sort_order = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- all_calls_return_the_same_signing_key
CREATE TRIGGER flaw AFTER INSERT ON signing_keys BEGIN
    UPDATE signing_keys SET key = zeroblob(32) WHERE name = NEW.name;
END;

-- a_member_restores_only_records_that_they_could_see
-- a_record_that_the_caller_does_not_see_counts
-- concurrent_writes_leave_no_record_without_a_container
CREATE TRIGGER flaw AFTER DELETE ON tasks BEGIN
    DELETE FROM tasks;
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

-- a_private_task_is_visible_only_to_its_creator
-- board_visibility_is_checked_before_task_visibility
-- every_field_of_a_task_is_returned
-- stats_do_not_count_private_tasks_of_other_members
-- setting_an_order_shifts_no_other_task
-- changing_an_invisible_task_returns_not_found
-- a_private_task_can_only_be_assigned_to_its_creator
-- a_move_to_a_private_board_clears_the_assignee
-- moving_an_invisible_task_returns_not_found
-- invisible_records_return_not_found_for_any_precondition
CREATE TRIGGER flaw AFTER INSERT ON tasks BEGIN
    UPDATE tasks SET is_private = 0 WHERE family_id = NEW.family_id AND id = NEW.id;
END;

-- tasks_of_another_family_are_not_visible
-- a_task_has_ids_but_no_names_of_people_who_left_the_family
-- stats_count_assigned_tasks_and_own_unassigned_tasks
-- a_stats_period_includes_its_start_and_excludes_its_end
-- stats_count_only_completed_tasks_as_done
-- an_empty_task_change_changes_nothing_and_returns_the_task
-- only_the_creator_can_make_a_task_private
-- making_a_task_private_rejects_another_assignee
-- an_update_with_a_refused_record_changes_nothing
CREATE TRIGGER flaw BEFORE INSERT ON tasks BEGIN
    SELECT RAISE(IGNORE);
END;

-- a_task_change_sets_every_given_field
-- a_task_change_keeps_omitted_fields
-- null_clears_description_due_date_and_assignee
-- a_due_day_starts_in_the_time_zone_of_the_caller
-- completed_at_is_kept_until_the_task_is_reopened
-- setting_a_field_to_its_current_value_updates_updated_at
-- a_task_change_changes_no_other_task
-- concurrent_changes_to_different_task_fields_are_all_kept
-- a_task_that_enters_an_empty_column_gets_order_0
-- a_column_on_a_private_board_keeps_the_board_owner_as_assignee
-- one_change_can_set_a_private_board_and_assign_its_owner
-- a_task_can_be_assigned_to_a_family_member
-- making_a_task_private_assigns_it_to_its_creator
-- a_null_assignee_is_ignored_when_a_task_is_made_private
-- a_task_made_public_becomes_visible_to_the_family
-- a_move_sets_column_and_order_and_returns_the_task
-- concurrent_moves_to_one_order_end_with_distinct_orders
-- a_task_update_with_a_matching_entity_tag_succeeds
-- a_task_update_with_another_entity_tag_fails
-- a_note_change_with_a_matching_entity_tag_succeeds
-- a_note_change_with_another_entity_tag_fails
-- a_note_deletion_requires_a_matching_entity_tag
-- if_match_accepts_one_of_several_tags_and_a_star
-- the_returned_record_has_the_entity_tag_for_the_next_write
-- one_of_many_concurrent_task_updates_with_one_tag_succeeds
-- a_record_is_not_restored_into_a_deleted_container
-- a_document_and_the_account_have_the_same_revision
-- writes_leave_equal_ids_of_other_families_alone
-- an_update_keeps_equal_ids_of_other_families_apart
CREATE TRIGGER flaw BEFORE UPDATE ON tasks BEGIN
    SELECT RAISE(IGNORE);
END;

-- a_key_for_an_unknown_user_is_not_inserted
-- an_unknown_user_is_not_found
-- a_password_for_an_unknown_user_is_not_stored
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN
    INSERT OR IGNORE INTO users (id, name, email, display_currency, time_zone, personal_api_enabled,
        llm_key_configured, created_at, updated_at) SELECT 'gone', name, 'gone@example.com', display_currency,
        time_zone, 1, 0, created_at, updated_at FROM users WHERE id = NEW.id;
END;

-- an_email_address_with_a_nul_byte_matches_no_user
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN
    UPDATE users SET email = email || char(0) WHERE id = NEW.id;
END;

-- an_update_refuses_the_email_or_token_hash_of_another_record
-- an_update_deletes_the_sessions_of_missing_users_only
-- an_email_is_given_up_before_another_user_gets_it
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN
    UPDATE users SET email = id;
END;

-- only_the_current_members_of_the_own_family_are_listed
-- members_are_sorted_by_id
-- an_item_has_the_id_but_no_name_of_a_member_who_left
-- a_note_has_the_id_but_no_name_of_an_author_who_left
-- assigning_a_non_member_returns_not_found_and_changes_nothing
-- an_update_deletes_the_keys_of_missing_users_only
-- an_update_deletes_the_grants_of_missing_users_only
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN
    UPDATE users SET family_id = 'north' WHERE id = NEW.id;
END;

-- every_field_of_a_profile_is_returned
-- a_user_leaves_a_family_only_if_the_update_contains_it
-- every_field_of_a_member_is_returned
-- an_update_keeps_missing_records
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN
    UPDATE users SET image = NULL WHERE id = NEW.id;
END;

-- a_personal_api_key_requires_the_personal_api_to_be_enabled
-- the_key_condition_is_checked_before_the_key_limit
-- an_account_has_the_time_zone_api_flag_and_family_of_its_user
CREATE TRIGGER flaw AFTER INSERT ON users BEGIN
    UPDATE users SET personal_api_enabled = 1 WHERE id = NEW.id;
END;

-- a_refused_creation_does_not_use_its_idempotency_key
CREATE TRIGGER flaw AFTER INSERT ON users WHEN NEW.id = 'ada' BEGIN
    INSERT INTO idempotency_keys VALUES ('north', 'ada', 'k', zeroblob(32), 'task', 'x', '2026-11-20T12:10:00.000Z');
END;

-- a_grant_requires_a_session_that_has_not_ended
CREATE TRIGGER flaw AFTER INSERT ON users WHEN NEW.id = 'ada' BEGIN
    INSERT INTO sessions VALUES (x'28a3a5e81d1e89f0efc70b63bf717b921373fc7fac70bc1b7e4d466799c0c6b0', 'ada',
        '2026-01-01T00:00:00.000Z', '2126-01-01T00:00:00.000Z');
END;

-- an_update_without_a_password_keeps_the_password_and_the_sessions
CREATE TRIGGER flaw AFTER UPDATE ON users BEGIN
    DELETE FROM passwords WHERE user_id = NEW.id;
END;

-- toggling_the_personal_api_changes_no_other_profile_field
-- find_key_and_find_account_return_the_current_api_flag
CREATE TRIGGER flaw BEFORE UPDATE ON users BEGIN
    SELECT RAISE(IGNORE);
END;
