//! The cases for every storage.

use crate::author::seed_authors;
use crate::case::Needs;
use crate::changes::{change_audience, change_batches, change_expiry, change_purge, changed_records};
use crate::fixture::seed_families;
use crate::host_ids::HostIds;
use crate::key_purge::seed_keys;
use crate::revision::seed_key;
use crate::writes::checked_items::seed_checked;
use crate::writes::kinds::seed_containers;
use crate::writes::{
    checked_items, containers, creation, guarantees, occurrences, record_limit, record_purge, record_writes,
    repetition, restoration,
};
use crate::{
    Case, Subject, author, boards, events, health, key_insertion, key_purge, key_use, keys, members, note_update,
    notes, overlapping_events, precondition, revision, revoked_access, shopping, task_column, task_fields, task_move,
    task_people, task_stats, tasks, users,
};

with_read_cases! {
    $
    /// Returns the cases for every [`Storage`](family_api_core::storage::Storage).
    fn storage_cases() of dyn Subject;
    /// Generates one `#[tokio::test]` for each of [`storage_cases`].
    ///
    /// The argument is an expression that creates a new [`Subject`]. The expression can use `.await`. Each test
    /// evaluates it once. Attributes before the expression, such as `#[ignore]`, are added to each test.
    macro storage_conformance;
    health after seed_families {
        no_call_hides_that_the_database_does_not_answer
    }
    task_fields supporting [Task.Update] after seed_families {
        a_task_change_sets_every_given_field
        a_task_change_keeps_omitted_fields
        null_clears_description_due_date_and_assignee
        completed_at_is_kept_until_the_task_is_reopened
        an_empty_task_change_changes_nothing_and_returns_the_task
        setting_a_field_to_another_value_updates_updated_at
        a_task_change_changes_no_other_task
        changing_an_invisible_task_returns_not_found
        concurrent_changes_to_different_task_fields_are_all_kept
    }
    task_fields with fields [Task.dueDate] supporting [Task.Update] after seed_families {
        a_due_day_starts_in_the_time_zone_of_the_caller
    }
    task_fields with fields [Task.dueDate Task.completed Task.recurrence Task.lastCompletedAt] supporting [Task.Update]
        after seed_families
    {
        a_completed_task_that_recurs_is_due_again
    }
    task_fields with fields [Task.order] supporting [Task.Update] after seed_families {
        setting_an_order_shifts_no_other_task
    }
    task_column with fields [Task.columnId Task.order] supporting [Task.Update] after seed_families {
        setting_a_column_appends_after_a_done_task
        a_task_that_enters_an_empty_column_gets_order_0
        an_appended_task_can_exceed_the_maximum_order
        an_order_given_with_a_column_is_used_unchanged
        an_invisible_column_returns_not_found_and_changes_nothing
    }
    task_column with fields [Task.columnId Task.order Task.isPrivate Board.isPrivate] supporting [Task.Update]
        after seed_families
    {
        setting_a_column_appends_after_invisible_and_done_tasks
        setting_the_current_column_appends_after_the_other_tasks
    }
    task_column with fields [Task.columnId Task.order Task.assigneeId Board.isPrivate] supporting [Task.Update]
        after seed_families
    {
        a_column_on_a_private_board_clears_an_assignee_who_is_not_owner
        a_column_on_a_private_board_keeps_the_board_owner_as_assignee
        one_change_can_set_a_private_board_and_assign_its_owner
    }
    task_people with fields [Task.assigneeId] supporting [Task.Update] after seed_families {
        a_task_can_be_assigned_to_a_family_member
        assigning_a_non_member_is_refused_and_changes_nothing
    }
    task_people with fields [Task.assigneeId Task.isPrivate] supporting [Task.Update] after seed_families {
        a_private_task_can_only_be_assigned_to_its_creator
        making_a_task_private_assigns_it_to_its_creator
        a_null_assignee_is_ignored_when_a_task_is_made_private
        making_a_task_private_rejects_another_assignee
        a_task_made_public_becomes_visible_to_the_family
    }
    task_people with fields [Task.isPrivate] supporting [Task.Update] after seed_families {
        only_the_creator_can_make_a_task_private
    }
    task_people with fields [Task.columnId Task.assigneeId Board.isPrivate] supporting [Task.Update]
        after seed_families
    {
        tasks_on_a_private_board_can_only_be_assigned_to_its_owner
    }
    task_move with fields [Task.columnId Task.order] supporting [Task.Update] after seed_families {
        a_move_sets_column_and_order_and_returns_the_task
        a_move_to_a_taken_order_shifts_all_following_tasks
        an_order_of_a_done_task_counts_as_taken
        a_move_to_a_free_order_shifts_nothing
        shifted_tasks_change_only_their_order
        a_move_to_the_current_order_shifts_nothing
        a_task_can_move_within_its_column
        a_shifted_task_can_exceed_the_maximum_order
        a_move_does_not_change_other_columns
        moving_an_invisible_task_returns_not_found
        concurrent_moves_to_one_order_end_with_distinct_orders
    }
    task_move with fields [Task.columnId Task.order Task.isPrivate Board.isPrivate] supporting [Task.Update]
        after seed_families
    {
        an_order_of_an_invisible_task_counts_as_taken
        a_move_to_a_private_board_clears_the_assignee
    }
    note_update supporting [Note.Update] after seed_families {
        a_note_change_sets_every_given_field
        a_note_change_keeps_omitted_fields
        an_empty_note_change_changes_nothing_and_returns_the_note
        concurrent_changes_to_different_note_fields_are_all_kept
    }
    note_update with fields [Note.categoryId] supporting [Note.Update] after seed_families {
        null_clears_the_category_of_a_note
        setting_a_category_of_another_family_returns_not_found
    }
    author writing anything after seed_authors {
        a_valid_key_allows_writes
        a_write_with_a_revoked_key_is_refused
        a_write_with_an_expired_key_is_refused
        a_write_with_a_key_is_refused_while_the_personal_api_is_off
        a_write_with_a_key_that_lacks_the_scope_is_refused
        a_write_with_an_unknown_key_is_refused
        a_write_with_a_key_of_another_user_returns_not_found
        a_write_by_an_author_who_left_the_family_is_refused
        a_write_with_an_unknown_session_is_refused
    }
    precondition any kind with [Update] after seed_containers {
        an_update_with_a_matching_entity_tag_succeeds
        an_update_with_another_entity_tag_fails
        if_match_accepts_one_of_several_tags_and_a_star
        the_returned_record_has_the_entity_tag_for_the_next_write
        the_precondition_is_checked_before_references_and_rules
        one_of_many_concurrent_updates_with_one_tag_succeeds
    }
    precondition any kind with [Delete] after seed_containers {
        a_deletion_requires_a_matching_entity_tag
        one_of_many_concurrent_deletions_with_one_tag_succeeds
    }
    precondition writing anything after seed_containers {
        invisible_records_return_not_found_for_any_precondition
    }
    record_writes any kind with [Create] after seed_containers {
        a_created_record_has_the_given_fields_and_its_author
    }
    record_writes any of [ShoppingItem.Create Column.Create] after seed_containers {
        a_creation_in_an_invisible_container_returns_not_found
    }
    record_writes any kind with [Update] after seed_containers {
        an_update_of_any_record_is_stored_and_returned
        an_update_without_a_new_value_changes_nothing
        each_update_returns_the_record_that_its_transaction_found
    }
    record_writes any of [Task.Update Event.Update] after seed_containers {
        each_change_raises_the_sequence
    }
    record_writes any kind with [Delete] after seed_containers {
        a_deleted_record_is_in_no_document
        one_of_many_concurrent_deletions_of_any_record_succeeds
    }
    record_writes writing anything after seed_containers {
        invisible_records_can_be_neither_updated_nor_deleted
    }
    creation keeping [Board] with fields [Task.order] supporting [Task.Create] after seed_containers {
        a_new_task_is_appended_to_the_first_visible_column
        a_new_task_needs_a_column
    }
    creation with fields [Board.order Column.order] any of [Board.Create Column.Create] after seed_containers {
        a_new_board_or_column_without_an_order_is_the_last_one
        the_position_of_a_new_board_or_column_is_at_most_1000000
    }
    creation with fields [ShoppingList.sortOrder] supporting [ShoppingList.Create] after seed_containers {
        a_new_list_without_an_order_is_the_last_one
        the_position_of_a_new_list_is_at_most_1000000
    }
    creation with fields [Task.isPrivate] any of [Task.Create Board.Create ShoppingList.Create] after seed_containers {
        a_new_private_record_is_visible_only_to_its_creator
    }
    creation any of [Task.Create Event.Create Note.Create] after seed_containers {
        a_creation_with_an_invisible_reference_is_not_found
    }
    creation any of [Task.Create Event.Create] after seed_containers {
        a_creation_with_an_assignee_outside_of_the_family_is_refused
    }
    creation with fields [ShoppingItem.listId ShoppingList.isPrivate] supporting [ShoppingItem.Update]
        after seed_containers
    {
        an_item_moves_only_to_a_visible_list
    }
    creation with fields [Event.allDay] supporting [Event.Create] after seed_containers {
        all_day_events_begin_in_the_time_zone_of_the_caller
    }
    creation with fields [Event.timeZone] supporting [Event.Create] after seed_containers {
        a_new_event_has_the_time_zone_of_the_caller_or_its_own
    }
    creation with fields [Event.participantIds] supporting [Event.Create Event.Update] after seed_containers {
        only_members_of_the_family_take_part_in_an_event
    }
    occurrences with fields [Event.allDay Event.timeZone Event.location Event.recurrence Event.overrides
        Event.assigneeId Event.participantIds] supporting [Event.Update] after seed_containers {
        one_occurrence_is_changed_skipped_and_restored
    }
    occurrences with fields [Event.recurrence Event.overrides Event.timeZone] supporting [Event.Create Event.Update]
        after seed_containers
    {
        an_event_is_split_in_one_transaction
    }
    repetition any kind with [Create] after seed_containers {
        a_repeated_creation_returns_the_first_record
        a_repeated_creation_with_another_body_is_a_mismatch
        an_idempotency_key_is_valid_for_24_hours
        each_user_has_separate_idempotency_keys
        a_refused_creation_does_not_use_its_idempotency_key
        concurrent_creations_with_one_key_create_one_record
    }
    repetition supporting [Task.Create ShoppingItem.Create] after seed_containers {
        a_key_for_another_kind_of_record_is_a_mismatch
    }
    repetition any kind with [Create Delete] after seed_containers {
        a_key_of_a_deleted_record_returns_not_found
    }
    repetition with fields [Task.columnId] supporting [Task.Create] after seed_containers {
        a_creation_with_an_unknown_column_does_not_use_its_key
    }
    restoration any kind with [Delete Restore] after seed_containers {
        a_restored_record_equals_the_deleted_record
        a_deleted_record_can_be_restored_for_30_days
        a_member_restores_only_records_that_they_could_see
        concurrent_restorations_restore_a_record_once
        restorable_records_are_listed_in_pages_newest_first
        a_restored_record_is_no_longer_listed
        a_member_lists_only_deleted_records_that_they_could_see
    }
    restoration any kind with [Restore] after seed_containers {
        a_record_that_is_not_deleted_is_restored_unchanged
    }
    restoration any kind with [Create Delete Restore] after seed_containers {
        a_restoration_replaces_no_record
    }
    restoration supporting [Task.Delete Task.Restore Note.Delete Note.Restore] after seed_containers {
        a_restoration_keeps_the_deleted_record_of_another_kind_with_this_id
    }
    restoration any of [Column.Delete ShoppingList.Delete] after seed_containers {
        a_record_is_not_restored_into_a_deleted_container
        records_of_a_deleted_container_are_not_listed
    }
    restoration with fields [Note.categoryId] supporting [Note.Delete Note.Restore NoteCategory.Delete]
        after seed_containers
    {
        a_restored_note_loses_a_deleted_category
    }
    containers any of [Board.Delete Column.Delete ShoppingList.Delete NoteCategory.Delete] after seed_containers {
        a_container_with_records_cannot_be_deleted
        concurrent_writes_leave_no_record_without_a_container
    }
    containers with fields [Board.isPrivate Task.isPrivate ShoppingList.isPrivate ShoppingItem.isPrivate]
        any of [Column.Delete ShoppingList.Delete] after seed_containers
    {
        a_record_that_the_caller_does_not_see_counts
        deleted_records_do_not_count
    }
    record_limit any kind with [Create] after seed_containers {
        a_family_has_at_most_the_maximum_number_of_records
        only_records_of_the_own_family_count_towards_the_limit
        a_creation_is_repeated_although_the_limit_is_reached
        concurrent_creations_do_not_exceed_the_limit
        a_long_record_counts_more_than_once
    }
    record_limit any kind with [Create Update] after seed_containers {
        an_update_makes_no_record_longer_beyond_the_limit
    }
    record_limit supporting [Task.Create ShoppingItem.Create] after seed_containers {
        records_of_other_kinds_do_not_count_towards_the_limit
    }
    checked_items with fields [ShoppingItem.checked] supporting [ShoppingItem.Delete] after seed_checked {
        the_checked_items_that_a_member_sees_are_deleted
        one_call_deletes_at_most_500_checked_items
        checked_items_of_an_invisible_list_are_not_found
    }
    record_purge supporting [Note.Delete Note.Restore] after seed_containers {
        a_purge_deletes_only_records_deleted_by_the_given_time
        a_family_keeps_the_records_that_were_deleted_last
        a_purged_record_cannot_be_restored_or_deleted_again
    }
    record_purge supporting [Note.Create Note.Delete Note.Restore] after seed_containers {
        deleted_records_of_a_family_have_a_maximum_size
    }
    record_purge supporting [Note.Delete Note.Restore Task.Delete Task.Restore] after seed_containers {
        deletions_of_one_kind_keep_deleted_records_of_others
    }
    record_purge any kind with [Create] after seed_containers {
        a_purge_deletes_only_idempotency_keys_of_the_given_time
        a_user_keeps_the_idempotency_keys_used_last
        keys_of_one_user_displace_no_keys_of_another
    }
    guarantees writing anything after seed_containers {
        refused_writes_of_records_keep_the_revision
    }
    guarantees after seed_containers {
        operations_outside_the_capabilities_fail
    }
    revision writing anything after seed_key {
        each_write_of_any_record_changes_the_revision
    }
    revision with fields [Task.columnId Task.order] supporting [Task.Update] after seed_key {
        moving_a_task_changes_the_revision
    }
    revision any kind with [Update] after seed_key {
        every_change_produces_a_distinct_revision
        a_write_changes_the_revision_of_every_document
        documents_with_the_same_revision_are_identical
    }
    revision after seed_key {
        a_document_and_the_account_have_the_same_revision
    }
    changed_records logging changes writing anything after seed_containers {
        each_write_is_logged_once_with_the_present_record
        a_write_without_an_effect_is_not_logged
    }
    changed_records logging changes with fields [Event.recurrence Event.timeZone] supporting [Event.Create Event.Update]
        after seed_containers
    {
        a_split_event_is_two_changes_of_one_write
    }
    changed_records logging changes with fields [Task.columnId Task.order] supporting [Task.Update]
        after seed_containers
    {
        a_move_logs_the_tasks_that_it_shifts
    }
    changed_records logging changes with fields [ShoppingItem.checked] supporting [ShoppingItem.Delete]
        after seed_checked
    {
        deleted_checked_items_are_changes_of_one_write
    }
    change_audience logging changes with fields [Task.isPrivate Board.isPrivate ShoppingList.isPrivate
        ShoppingItem.isPrivate] supporting [Task.Create Task.Update Task.Delete Task.Restore ShoppingItem.Create
        ShoppingItem.Update ShoppingItem.Delete ShoppingItem.Restore Board.Create Board.Update Board.Delete
        Column.Create Column.Update Column.Delete ShoppingList.Create ShoppingList.Update ShoppingList.Delete]
        after seed_containers
    {
        changes_of_private_records_are_not_listed_for_others
    }
    change_audience logging changes with fields [Task.isPrivate Task.columnId Board.isPrivate] supporting [Task.Update]
        after seed_containers
    {
        a_task_that_a_member_sees_no_more_is_deleted_for_them
        several_changes_of_a_record_are_one_for_each_member
        a_task_that_was_visible_for_a_while_is_deleted
    }
    change_audience logging changes with fields [ShoppingItem.listId ShoppingList.isPrivate]
        supporting [ShoppingItem.Update] after seed_containers
    {
        an_item_that_a_member_sees_no_more_is_deleted_for_them
    }
    change_audience logging changes any kind with [Create Delete] after seed_containers {
        a_record_that_was_created_and_deleted_is_deleted
    }
    change_audience logging changes any kind with [Delete Restore] after seed_containers {
        a_record_that_a_batch_has_too_early_is_deleted_later
    }
    change_audience logging changes any kind with [Update] after seed_containers {
        a_user_who_left_the_family_lists_no_changes
        changes_of_another_family_are_not_listed
    }
    change_batches logging changes any kind with [Update] after seed_containers {
        the_limit_takes_whole_writes
        changes_that_are_too_large_are_listed_one_write_at_a_time
        only_changes_of_the_given_kinds_are_listed
    }
    change_batches logging changes any kind with [Create] after seed_containers {
        concurrent_writes_form_one_chain
    }
    change_expiry logging changes after seed_containers {
        an_unknown_revision_is_expired
        a_new_time_zone_expires_earlier_revisions
    }
    change_purge logging changes any kind with [Update] after seed_containers {
        a_purge_deletes_only_changes_of_the_given_time
        each_family_keeps_its_last_changes
    }
    change_purge logging changes with fields [ShoppingItem.checked ShoppingItem.isPrivate]
        supporting [ShoppingItem.Update ShoppingItem.Delete] after seed_checked
    {
        a_purge_deletes_all_changes_of_a_write
    }
}
