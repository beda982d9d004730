//! The cases that fail for each flaw.

use family_api_core::storage::Capabilities;

use crate::failure::{runs, wrong_outcomes};
use crate::flawed::{Flaw, Flawed};

/// The flaws with the cases that fail by a check. All other cases pass, or fail while they prepare a check.
pub(crate) const FLAWS: [(Flaw, &[&str]); 16] = [
    (Flaw::AnswersWithoutDatabase, &["no_call_hides_that_the_database_does_not_answer"]),
    (
        Flaw::FormerMembersRead,
        &[
            "a_member_lists_only_deleted_records_that_they_could_see",
            "a_user_who_left_the_family_reads_none_of_its_data",
        ],
    ),
    (
        Flaw::ChangesProfilesOfTheFamily,
        &[
            "a_new_time_zone_is_stored_for_one_user",
            "a_new_time_zone_raises_the_sequence_of_a_feed",
            "toggling_the_personal_api_changes_no_other_profile_field",
        ],
    ),
    (Flaw::KeepsTheRevision, &["a_new_time_zone_changes_the_revision"]),
    (Flaw::StoresOnlyTheFirst, &["an_event_is_split_in_one_transaction"]),
    (Flaw::ExceedsCapabilities, &["operations_outside_the_capabilities_fail"]),
    (
        Flaw::IgnoresCredentials,
        &[
            "a_feed_is_written_only_in_a_session_that_has_not_ended",
            "a_grant_requires_a_session_that_has_not_ended",
            "a_write_by_an_author_who_left_the_family_is_refused",
            "a_write_with_a_deleted_session_is_refused",
            "a_write_with_a_key_is_refused_while_the_personal_api_is_off",
            "a_write_with_a_key_of_another_user_returns_not_found",
            "a_write_with_a_key_that_lacks_the_scope_is_refused",
            "a_write_with_a_revoked_key_is_refused",
            "a_write_with_a_session_of_another_user_is_refused",
            "a_write_with_a_session_of_the_old_password_is_refused",
            "a_write_with_a_token_is_refused_while_the_api_is_off",
            "a_write_with_a_token_of_a_revoked_grant_is_refused",
            "a_write_with_a_token_of_another_user_is_not_found",
            "a_write_with_a_token_of_the_read_path_is_refused",
            "a_write_with_a_token_that_lacks_the_scope_is_refused",
            "a_write_with_an_expired_access_token_is_refused",
            "a_write_with_an_expired_key_is_refused",
            "a_write_with_an_expired_session_is_refused",
            "a_write_with_an_unknown_key_is_refused",
            "a_write_with_an_unknown_session_is_refused",
            "all_access_of_an_unknown_user_is_not_revoked",
            "only_the_user_can_revoke_a_grant",
        ],
    ),
    (
        Flaw::IgnoresPreconditions,
        &[
            "a_deletion_requires_a_matching_entity_tag",
            "an_event_is_split_in_one_transaction",
            "an_update_with_another_entity_tag_fails",
            "an_update_without_a_new_value_changes_nothing",
            "one_of_many_concurrent_updates_with_one_tag_succeeds",
            "the_precondition_is_checked_before_references_and_rules",
        ],
    ),
    (
        Flaw::RefusesPreconditions,
        &[
            "a_deletion_requires_a_matching_entity_tag",
            "an_event_is_split_in_one_transaction",
            "an_update_with_a_matching_entity_tag_succeeds",
            "an_update_without_a_new_value_changes_nothing",
            "if_match_accepts_one_of_several_tags_and_a_star",
            "one_of_many_concurrent_deletions_with_one_tag_succeeds",
            "one_of_many_concurrent_updates_with_one_tag_succeeds",
            "the_returned_record_has_the_entity_tag_for_the_next_write",
        ],
    ),
    (
        Flaw::IgnoresIdempotencyKeys,
        &[
            "a_creation_is_repeated_although_the_limit_is_reached",
            "a_key_for_another_kind_of_record_is_a_mismatch",
            "a_key_of_a_deleted_record_returns_not_found",
            "a_purge_deletes_only_idempotency_keys_of_the_given_time",
            "a_repeated_creation_returns_the_first_record",
            "a_repeated_creation_with_another_body_is_a_mismatch",
            "a_user_keeps_the_idempotency_keys_used_last",
            "an_idempotency_key_is_valid_for_24_hours",
            "concurrent_creations_with_one_key_create_one_record",
            "each_user_has_separate_idempotency_keys",
            "keys_of_one_user_displace_no_keys_of_another",
        ],
    ),
    (
        Flaw::WritesWithoutLock,
        &[
            "concurrent_changes_to_different_note_fields_are_all_kept",
            "concurrent_changes_to_different_task_fields_are_all_kept",
            "concurrent_creations_do_not_exceed_the_limit",
            "concurrent_creations_with_one_key_create_one_record",
            "concurrent_insertions_do_not_exceed_the_feed_limit",
            "concurrent_insertions_do_not_exceed_the_grant_limit",
            "concurrent_insertions_do_not_exceed_the_key_limit",
            "concurrent_restorations_restore_a_record_once",
            "concurrent_writes_leave_no_record_without_a_container",
            "each_update_returns_the_record_that_its_transaction_found",
            "one_of_many_concurrent_deletions_of_any_record_succeeds",
            "one_of_many_concurrent_deletions_with_one_tag_succeeds",
            "one_of_many_concurrent_updates_with_one_tag_succeeds",
        ],
    ),
    (
        Flaw::ReportsSuccess,
        &[
            "a_grant_can_be_ended_only_once",
            "a_grant_has_its_last_rotation",
            "a_grant_requires_a_session_that_has_not_ended",
            "a_grant_replaces_the_least_used_one_of_its_client",
            "a_key_can_be_revoked_only_once",
            "a_password_for_an_unknown_user_is_not_stored",
            "a_record_that_is_not_deleted_is_restored_unchanged",
            "a_restoration_replaces_no_record",
            "a_revoked_grant_has_no_access_token",
            "a_session_requires_the_current_password",
            "a_write_with_a_deleted_session_is_refused",
            "a_write_with_a_session_of_another_user_is_refused",
            "a_write_with_a_session_of_the_old_password_is_refused",
            "a_write_with_an_expired_session_is_refused",
            "a_write_with_an_unknown_session_is_refused",
            "all_access_of_a_user_includes_approved_and_redeemed_grants",
            "an_approval_can_be_used_only_once",
            "an_expired_grant_issues_no_tokens",
            "an_update_without_a_new_value_changes_nothing",
            "concurrent_insertions_do_not_exceed_the_grant_limit",
            "concurrent_restorations_restore_a_record_once",
            "deleting_a_session_succeeds_once_and_keeps_the_others",
            "each_secret_issues_tokens_only_once",
            "exactly_one_of_many_concurrent_revocations_succeeds",
            "inserting_an_existing_code_fails",
            "inserting_an_existing_digest_fails_and_keeps_the_first_key",
            "inserting_an_existing_session_fails_and_keeps_the_first",
            "one_of_many_concurrent_redemptions_succeeds",
            "one_of_many_concurrent_refreshes_succeeds",
            "only_live_grants_count_towards_the_limit",
            "only_the_owner_can_revoke_a_key",
            "only_the_user_can_revoke_a_grant",
        ],
    ),
    (
        Flaw::FindsDeletedContainers,
        &[
            "a_deleted_record_is_in_no_document",
            "a_deletion_requires_a_matching_entity_tag",
            "a_record_is_not_restored_into_a_deleted_container",
            "a_restored_note_loses_a_deleted_category",
            "concurrent_writes_leave_no_record_without_a_container",
            "one_of_many_concurrent_deletions_of_any_record_succeeds",
            "one_of_many_concurrent_deletions_with_one_tag_succeeds",
            "records_of_a_deleted_container_are_not_listed",
        ],
    ),
    (
        Flaw::ForgetsPrivacy,
        &[
            "a_column_on_a_private_board_clears_an_assignee_who_is_not_owner",
            "a_creation_in_an_invisible_container_returns_not_found",
            "a_creation_with_an_invisible_reference_is_not_found",
            "a_member_lists_only_deleted_records_that_they_could_see",
            "a_member_restores_only_records_that_they_could_see",
            "a_move_to_a_private_board_clears_the_assignee",
            "a_new_private_record_is_visible_only_to_its_creator",
            "a_new_list_without_an_order_is_the_last_one",
            "a_new_board_or_column_without_an_order_is_the_last_one",
            "a_private_board_is_visible_only_to_its_owner",
            "a_private_board_without_an_owner_is_visible_to_no_one",
            "a_private_item_is_visible_only_to_the_member_who_added_it",
            "a_private_list_is_visible_only_to_its_owner",
            "a_private_task_can_only_be_assigned_to_its_creator",
            "a_private_task_is_visible_only_to_its_creator",
            "a_restoration_replaces_no_record",
            "an_invisible_column_returns_not_found_and_changes_nothing",
            "an_item_moves_only_to_a_visible_list",
            "board_visibility_is_checked_before_task_visibility",
            "changing_an_invisible_task_returns_not_found",
            "checked_items_of_an_invisible_list_are_not_found",
            "every_field_of_a_board_and_its_columns_is_returned",
            "every_field_of_a_list_is_returned",
            "every_field_of_an_item_is_returned",
            "every_field_of_a_task_is_returned",
            "invisible_records_can_be_neither_updated_nor_deleted",
            "invisible_records_return_not_found_for_any_precondition",
            "making_a_task_private_assigns_it_to_its_creator",
            "moving_an_invisible_task_returns_not_found",
            "one_call_deletes_at_most_500_checked_items",
            "refused_writes_of_records_keep_the_revision",
            "setting_an_order_shifts_no_other_task",
            "stats_do_not_count_invisible_tasks",
            "stats_do_not_count_private_tasks_of_other_members",
            "tasks_on_a_private_board_can_only_be_assigned_to_its_owner",
            "the_checked_items_that_a_member_sees_are_deleted",
            "the_filter_selects_open_tasks_done_tasks_or_both",
        ],
    ),
    (
        Flaw::CommitsEachRecord,
        &[
            "a_dropped_load_stores_nothing",
            "a_load_with_a_refused_record_stores_nothing",
            "a_repeated_id_within_a_load_is_refused",
            "an_event_without_a_zone_gets_that_of_the_first_member",
            "an_unknown_parent_is_refused_with_the_field_name",
            "loaded_records_become_visible_on_commit_not_before",
        ],
    ),
    (
        Flaw::SkipsRefusedRecords,
        &[
            "a_child_before_its_parent_is_refused",
            "a_load_with_a_refused_record_stores_nothing",
            "a_parent_of_another_family_is_refused",
            "a_repeated_id_within_a_load_is_refused",
            "an_existing_email_or_token_hash_is_refused",
            "an_id_that_exists_in_the_family_is_refused",
            "an_unknown_parent_is_refused_with_the_field_name",
            "the_first_of_several_invalid_records_is_reported",
        ],
    ),
];

/// Flaws that make many cases fail, with the cases that must be among them.
pub(crate) const BROAD_FLAWS: [(Flaw, &[&str]); 5] = [
    (
        Flaw::ReadsDiffer,
        &[
            "a_document_and_the_account_have_the_same_revision",
            "a_found_event_equals_the_listed_event",
            "a_found_item_equals_the_listed_item",
            "a_found_note_equals_the_listed_note",
            "a_found_task_equals_the_listed_task",
            "an_empty_note_change_changes_nothing_and_returns_the_note",
            "an_empty_profile_change_changes_nothing",
            "an_empty_task_change_changes_nothing_and_returns_the_task",
            "recording_a_use_does_not_change_the_revision",
            "refused_writes_of_records_keep_the_revision",
        ],
    ),
    (
        Flaw::ReturnsTheRecordBefore,
        &[
            "a_completed_task_that_recurs_is_due_again",
            "a_due_day_starts_in_the_time_zone_of_the_caller",
            "a_move_sets_column_and_order_and_returns_the_task",
            "a_note_change_keeps_omitted_fields",
            "a_note_change_sets_every_given_field",
            "a_null_assignee_is_ignored_when_a_task_is_made_private",
            "a_task_can_be_assigned_to_a_family_member",
            "a_task_change_keeps_omitted_fields",
            "a_task_change_sets_every_given_field",
            "a_task_made_public_becomes_visible_to_the_family",
            "a_task_that_enters_an_empty_column_gets_order_0",
            "an_update_of_any_record_is_stored_and_returned",
            "completed_at_is_kept_until_the_task_is_reopened",
            "null_clears_description_due_date_and_assignee",
            "null_clears_the_category_of_a_note",
            "one_change_can_set_a_private_board_and_assign_its_owner",
            "setting_a_field_to_another_value_updates_updated_at",
        ],
    ),
    (Flaw::StoresNothing, &["deleted_records_do_not_count"]),
    // Only the revision differs.
    (Flaw::StoresUnchangedRecords, &["an_update_without_a_new_value_changes_nothing"]),
    // Only the documents differ.
    (Flaw::StoresUnchangedVersions, &["an_update_without_a_new_value_changes_nothing"]),
];

/// Flaws of a storage that keeps changes, with cases that must be among those that fail.
pub(crate) const CHANGE_FLAWS: [(Flaw, &[&str]); 5] = [
    (Flaw::FormerMembersRead, &["a_user_who_left_the_family_lists_no_changes"]),
    (Flaw::ForgetsPrivacy, &["changes_of_private_records_are_not_listed_for_others"]),
    (Flaw::StoresNothing, &["each_write_is_logged_once_with_the_present_record"]),
    (Flaw::StoresUnchangedRecords, &["a_write_without_an_effect_is_not_logged"]),
    (Flaw::WritesWithoutLock, &["concurrent_writes_form_one_chain"]),
];

#[tokio::test]
async fn exactly_the_named_cases_fail_for_each_flaw() {
    let mut wrong = Vec::new();
    for (flaw, names) in FLAWS {
        let subject = async move || Flawed::new(Capabilities::all(), flaw);
        let runs = runs!(subject(); storage_cases load_cases credentials_cases grants_cases feeds_cases);
        let of_flaw = wrong_outcomes(runs, names).await.into_iter();
        wrong.extend(of_flaw.map(|outcome| format!("{flaw:?}: {outcome}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn the_named_cases_fail_for_each_broad_flaw() {
    for (flaw, names) in BROAD_FLAWS.into_iter().chain(CHANGE_FLAWS) {
        let subject = async move || Flawed::new(Capabilities::all().with_changes(), flaw);
        let mut runs = runs!(subject(); storage_cases);
        runs.retain(|(name, _)| names.contains(name));
        let wrong = wrong_outcomes(runs, names).await;
        assert!(wrong.is_empty(), "{flaw:?}: {wrong:#?}");
    }
}
