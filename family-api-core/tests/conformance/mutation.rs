//! Mutation tests of the conformance suite: every flaw makes its listed cases fail, and every case fails for at least
//! one flaw.

use family_api_core::conformance::{Case, credentials_cases, grants_cases, load_cases, storage_cases};
use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use tokio::task::JoinHandle;

use crate::broken::{BrokenStorage, Flaw};

/// Each flaw with a case that must fail for a storage with this flaw.
const FAILING_CASES: [(Flaw, &str); 339] = [
    (Flaw::IsNeverReady, "the_health_check_of_a_running_storage_succeeds"),
    (Flaw::IgnoresTheKeyCondition, "a_personal_api_key_requires_the_personal_api_to_be_enabled"),
    (Flaw::IgnoresTheKeyLimit, "each_user_has_a_separate_key_limit"),
    (Flaw::AllowsOneKeyTooMany, "each_user_has_a_separate_key_limit"),
    (Flaw::ChecksTheLimitBeforeTheCondition, "the_key_condition_is_checked_before_the_key_limit"),
    (Flaw::ChecksTheLimitBeforeTheCondition, "a_key_for_an_unknown_user_is_not_inserted"),
    (Flaw::CountsKeysBeforeInsertWithoutLock, "concurrent_insertions_do_not_exceed_the_key_limit"),
    (Flaw::CountsExpiredKeys, "only_active_keys_count_towards_the_limit"),
    (Flaw::HidesDuplicateDigests, "inserting_an_existing_digest_fails_and_keeps_the_first_key"),
    (Flaw::FindsActiveKeysOnly, "a_revoked_key_is_not_listed_but_found_as_revoked"),
    (Flaw::FindsActiveKeysOnly, "every_field_of_a_loaded_key_is_returned"),
    (Flaw::FindsTheSameKeyForEveryDigest, "an_unknown_digest_finds_no_key"),
    (Flaw::HidesUsersWithoutFamily, "a_key_of_a_user_without_family_has_no_membership"),
    (Flaw::CachesAccountsForever, "find_key_and_find_account_return_the_current_api_flag"),
    (Flaw::DropsUnknownScopes, "unknown_scopes_are_kept_and_the_mode_follows_the_scopes"),
    (Flaw::ListsExpiredKeys, "an_expired_key_is_not_listed_but_still_found"),
    (Flaw::ListsKeysAtTheirExpiry, "an_expired_key_is_not_listed_but_still_found"),
    (Flaw::ListsKeysOldestFirst, "keys_are_listed_newest_first_then_by_id_descending"),
    (Flaw::SortsKeysCreatedTogetherByIdAscending, "keys_are_listed_newest_first_then_by_id_descending"),
    (Flaw::ListsKeysOfEveryUser, "only_the_owner_of_a_key_can_list_it"),
    (Flaw::ListsKeysWithoutExpiry, "a_listed_key_equals_the_inserted_key"),
    (Flaw::RevokesNothing, "a_revoked_key_is_not_listed_but_found_as_revoked"),
    (Flaw::RevokesNothing, "a_key_can_be_inserted_after_another_key_is_revoked"),
    (Flaw::RevokesKeysOfOtherUsers, "only_the_owner_can_revoke_a_key"),
    (Flaw::RevokesAKeyTwice, "a_key_can_be_revoked_only_once"),
    (Flaw::RevokesOnlyUnexpiredKeys, "an_expired_key_can_still_be_revoked"),
    (Flaw::ChecksBeforeRevokeWithoutLock, "exactly_one_of_many_concurrent_revocations_succeeds"),
    (Flaw::LeavesThePersonalApiOn, "all_access_of_a_user_is_revoked_at_once"),
    (Flaw::CountsExpiredKeys, "all_access_of_a_user_is_revoked_at_once"),
    (Flaw::RevokesNothing, "a_repeated_revocation_of_all_access_finds_nothing"),
    (Flaw::RevokesKeysOfOtherUsers, "the_access_of_other_users_is_not_revoked"),
    (Flaw::SkipsSessionChecks, "all_access_of_an_unknown_user_is_not_revoked"),
    (Flaw::RevokesNothing, "no_key_survives_a_concurrent_revocation_of_all_access"),
    (Flaw::LeavesGrants, "all_access_of_a_user_includes_approved_and_redeemed_grants"),
    (Flaw::RecordsNoUses, "a_recorded_use_is_returned_by_find_key_and_list_keys"),
    (Flaw::ListsKeysWithoutLastUse, "a_recorded_use_is_returned_by_find_key_and_list_keys"),
    (Flaw::RecordsUsesOfEveryKey, "a_recorded_use_is_returned_by_find_key_and_list_keys"),
    (Flaw::MovesTheLastUseBackwards, "the_last_use_never_moves_backwards"),
    (Flaw::FailsOnUsesOfUnknownKeys, "record_uses_accepts_1000_digests_and_skips_unknown_digests"),
    (Flaw::RecordsUsesOfEveryKey, "record_uses_accepts_1000_digests_and_skips_unknown_digests"),
    (Flaw::ReactivatesUsedKeys, "recording_a_use_changes_no_other_field_of_the_key"),
    (Flaw::CountsUsesAsChanges, "recording_a_use_does_not_change_the_revision"),
    (Flaw::PurgesKeysThatEndAfterTheGivenTime, "a_purge_deletes_only_keys_that_ended_by_the_given_time"),
    (Flaw::PurgesWithoutALimit, "a_purge_deletes_the_keys_that_ended_first_up_to_its_limit"),
    (Flaw::PurgesWithoutALimit, "a_purge_for_one_user_deletes_at_most_its_limit"),
    (Flaw::PurgesSparedKeys, "a_purge_keeps_the_spared_keys"),
    (Flaw::KeepsOneKeyTooFew, "a_purge_for_one_user_keeps_the_keys_that_ended_last"),
    (Flaw::MiscountsPurgedKeys, "concurrent_purges_count_each_deleted_key_once"),
    (Flaw::ReturnsTheProfileChangeWithoutStoringIt, "toggling_the_personal_api_changes_no_other_profile_field"),
    (Flaw::DisablesThePersonalApiOnAnEmptyChange, "an_empty_profile_change_changes_nothing"),
    (Flaw::IgnoresTheCaseOfIds, "an_unknown_user_is_not_found"),
    (Flaw::LosesImages, "every_field_of_a_profile_is_returned"),
    (Flaw::LosesTheFamily, "an_account_has_the_time_zone_api_flag_and_family_of_its_user"),
    (Flaw::LosesTheFamily, "find_key_returns_the_key_and_the_account_of_its_owner"),
    (Flaw::NeverChangesTheRevision, "changing_a_task_changes_the_revision"),
    (Flaw::NeverChangesTheRevision, "moving_a_task_changes_the_revision"),
    (Flaw::NeverChangesTheRevision, "changing_a_note_changes_the_revision"),
    (Flaw::NeverChangesTheRevision, "deleting_a_note_changes_the_revision"),
    (Flaw::NeverChangesTheRevision, "every_change_produces_a_distinct_revision"),
    (Flaw::NeverChangesTheRevision, "loading_a_record_changes_the_revision_of_its_family"),
    (Flaw::NeverChangesTheRevision, "a_note_change_changes_the_revision_of_every_document"),
    (Flaw::ReturnsAnOlderRevision, "a_document_and_the_account_have_the_same_revision"),
    (Flaw::ReadsTheRevisionAfterTheDocument, "documents_with_the_same_revision_are_identical"),
    (Flaw::ShowsPrivateBoards, "a_private_board_is_visible_only_to_its_owner"),
    (Flaw::ShowsPrivateBoards, "board_visibility_is_checked_before_task_visibility"),
    (Flaw::ShowsPrivateBoards, "a_column_on_a_private_board_clears_an_assignee_who_is_not_owner"),
    (Flaw::ShowsPrivateTasks, "a_private_task_is_visible_only_to_its_creator"),
    (Flaw::FindsRecordsAsAnyMember, "a_found_task_equals_the_listed_task"),
    (Flaw::FindsRecordsAsAnyMember, "a_found_note_equals_the_listed_note"),
    (Flaw::FindsRecordsWithoutPeople, "a_found_task_equals_the_listed_task"),
    (Flaw::FindsRecordsWithoutPeople, "a_found_note_equals_the_listed_note"),
    (Flaw::ShowsPrivateTasks, "making_a_task_private_assigns_it_to_its_creator"),
    (Flaw::ShowsPrivateLists, "a_private_list_is_visible_only_to_its_owner"),
    (Flaw::ShowsPrivateItems, "a_private_item_is_visible_only_to_the_member_who_added_it"),
    (Flaw::ShowsTasksOfEveryFamily, "tasks_of_another_family_are_not_visible"),
    (Flaw::ShowsTasksOfEveryFamily, "a_private_board_without_an_owner_is_visible_to_no_one"),
    (Flaw::ShowsNotesOfEveryFamily, "notes_of_another_family_are_not_visible"),
    (Flaw::ShowsNotesOfEveryFamily, "a_family_without_records_has_empty_documents"),
    (Flaw::ShowsEventsOfEveryFamily, "events_of_another_family_are_not_visible"),
    (Flaw::ShowsPeopleWhoLeft, "a_task_has_ids_but_no_names_of_people_who_left_the_family"),
    (Flaw::ShowsPeopleWhoLeft, "an_event_has_the_id_but_no_name_of_an_assignee_who_left"),
    (Flaw::ShowsPeopleWhoLeft, "an_item_has_the_id_but_no_name_of_a_member_who_left"),
    (Flaw::ShowsPeopleWhoLeft, "a_note_has_the_id_but_no_name_of_an_author_who_left"),
    (Flaw::IgnoresTheTaskFilter, "the_filter_selects_open_tasks_done_tasks_or_both"),
    (Flaw::SortsBoardsByAge, "boards_are_sorted_by_order_then_creation_time_then_id"),
    (Flaw::SortsColumnsById, "columns_are_sorted_by_order_then_id_and_can_be_empty"),
    (Flaw::SortsColumnsById, "every_field_of_a_board_and_its_columns_is_returned"),
    (Flaw::SortsTasksById, "tasks_are_sorted_by_order_then_id"),
    (Flaw::SortsEventsById, "events_are_sorted_by_start_then_id"),
    (Flaw::SortsEventsById, "every_field_of_an_event_is_returned"),
    (Flaw::SortsNamesIgnoringCase, "lists_are_sorted_by_sort_order_then_name_then_id"),
    (Flaw::SortsNamesByUtf16, "lists_are_sorted_by_sort_order_then_name_then_id"),
    (Flaw::MixesCheckedItemsWithTheOthers, "items_are_sorted_unchecked_first_then_oldest_then_by_id"),
    (Flaw::MixesPinnedNotesWithTheOthers, "notes_are_sorted_pinned_first_then_newest_then_by_id"),
    (Flaw::LosesCategories, "every_field_of_a_note_is_returned"),
    (Flaw::LosesCategories, "a_note_change_sets_every_given_field"),
    (Flaw::LosesCategories, "a_note_change_keeps_omitted_fields"),
    (Flaw::DropsRepeatedLabels, "every_field_of_a_task_is_returned"),
    (Flaw::DropsRepeatedLabels, "a_task_change_keeps_omitted_fields"),
    (Flaw::LosesQuantities, "every_field_of_a_list_and_its_items_is_returned"),
    (Flaw::FormatsDocumentsDifferently, "a_document_equals_the_serde_output_of_its_records"),
    (Flaw::OmitsEventsThatStartAtFrom, "from_selects_events_that_start_at_or_after_it"),
    (Flaw::OmitsEventsThatEndAtTo, "to_selects_events_that_end_at_or_before_it"),
    (Flaw::OmitsEventsThatEndAtTo, "from_and_to_select_events_that_match_both"),
    (Flaw::ShowsEventsThatEndAfterTo, "to_selects_events_that_end_at_or_before_it"),
    (Flaw::OmitsEventsThatEndAtTheStartOfARange, "an_event_overlaps_a_range_from_its_start_to_its_end"),
    (Flaw::ShowsEventsThatBeginAtTheEndOfARange, "an_event_overlaps_a_range_from_its_start_to_its_end"),
    (
        Flaw::OmitsRecurringEventsThatEndedBeforeARange,
        "a_recurring_event_is_listed_if_it_starts_before_the_end_of_the_range",
    ),
    (Flaw::SortsEventsById, "overlapping_events_are_sorted_by_start_then_id"),
    (Flaw::ShowsEventsOfEveryFamily, "overlapping_events_of_another_family_are_not_visible"),
    (Flaw::LosesLocationsOfOverlappingEvents, "an_overlapping_event_equals_the_listed_event"),
    (Flaw::ListsMembersOfEveryFamily, "only_the_current_members_of_the_own_family_are_listed"),
    (Flaw::SortsMembersByName, "members_are_sorted_by_id"),
    (Flaw::LosesImagesOfMembers, "every_field_of_a_member_is_returned"),
    (Flaw::IncludesTheEndOfAPeriod, "a_stats_period_includes_its_start_and_excludes_its_end"),
    (Flaw::ExcludesTheStartOfAPeriod, "a_stats_period_includes_its_start_and_excludes_its_end"),
    (Flaw::CountsTheDayAsTheWeek, "a_stats_period_includes_its_start_and_excludes_its_end"),
    (Flaw::CountsTasksOfOtherMembers, "stats_count_assigned_tasks_and_own_unassigned_tasks"),
    (Flaw::CountsPrivateTasksOfOtherMembers, "stats_do_not_count_private_tasks_of_other_members"),
    (Flaw::CountsPrivateTasksOfOtherMembers, "stats_do_not_count_invisible_tasks"),
    (Flaw::CountsDoneTasksAsOpen, "stats_count_only_completed_tasks_as_done"),
    (Flaw::UpdatesInvisibleTasks, "changing_an_invisible_task_returns_not_found"),
    (Flaw::UpdatesInvisibleTasks, "an_invisible_column_returns_not_found_and_changes_nothing"),
    (Flaw::StoresHalfOfARefusedTaskChange, "assigning_a_non_member_returns_not_found_and_changes_nothing"),
    (Flaw::SetsUpdatedAtOnAnEmptyChange, "an_empty_task_change_changes_nothing_and_returns_the_task"),
    (Flaw::SetsUpdatedAtOnAnEmptyChange, "an_empty_note_change_changes_nothing_and_returns_the_note"),
    (Flaw::IgnoresNull, "null_clears_description_due_date_and_assignee"),
    (Flaw::IgnoresNull, "null_clears_the_category_of_a_note"),
    (Flaw::OverwritesCompletedAt, "completed_at_is_kept_until_the_task_is_reopened"),
    (Flaw::ReadsDueDaysAsUtc, "a_due_day_starts_in_the_time_zone_of_the_caller"),
    (Flaw::InsertsAtTheStartOfTheColumn, "setting_a_column_appends_after_a_done_task"),
    (Flaw::InsertsAtTheStartOfTheColumn, "setting_the_current_column_appends_after_the_other_tasks"),
    (Flaw::InsertsAtTheStartOfTheColumn, "an_appended_task_can_exceed_the_maximum_order"),
    (Flaw::AppendsAfterVisibleTasksOnly, "setting_a_column_appends_after_invisible_and_done_tasks"),
    (Flaw::IgnoresUnknownAssignees, "assigning_a_non_member_returns_not_found_and_changes_nothing"),
    (Flaw::IgnoresRefusedFields, "only_the_creator_can_make_a_task_private"),
    (Flaw::IgnoresRefusedFields, "a_private_task_can_only_be_assigned_to_its_creator"),
    (Flaw::IgnoresRefusedFields, "tasks_on_a_private_board_can_only_be_assigned_to_its_owner"),
    (Flaw::ReportsOnlyTheFirstFault, "making_a_task_private_rejects_another_assignee"),
    (Flaw::ReturnsTheTaskBeforeTheChange, "a_task_change_sets_every_given_field"),
    (Flaw::ReturnsTheTaskBeforeTheChange, "setting_a_field_to_its_current_value_updates_updated_at"),
    (Flaw::ReturnsTheTaskBeforeTheChange, "a_task_that_enters_an_empty_column_gets_order_0"),
    (Flaw::ReturnsTheTaskBeforeTheChange, "a_task_can_be_assigned_to_a_family_member"),
    (Flaw::ReturnsTheTaskBeforeTheChange, "a_null_assignee_is_ignored_when_a_task_is_made_private"),
    (Flaw::ReturnsTheTaskBeforeTheChange, "a_task_made_public_becomes_visible_to_the_family"),
    (Flaw::ChangesEveryTask, "a_task_change_changes_no_other_task"),
    (Flaw::ChangesEveryTask, "setting_an_order_shifts_no_other_task"),
    (Flaw::ChangesEveryTask, "an_order_given_with_a_column_is_used_unchanged"),
    (Flaw::ClearsTheAssigneeOnEveryNewColumn, "a_column_on_a_private_board_keeps_the_board_owner_as_assignee"),
    (Flaw::ClearsTheAssigneeOnEveryNewColumn, "one_change_can_set_a_private_board_and_assign_its_owner"),
    (Flaw::MovesInvisibleTasks, "moving_an_invisible_task_returns_not_found"),
    (Flaw::MovesWithoutUpdatedAt, "a_move_sets_column_and_order_and_returns_the_task"),
    (Flaw::MovesWithoutUpdatedAt, "a_move_to_a_private_board_clears_the_assignee"),
    (Flaw::ShiftsEveryColumn, "a_move_does_not_change_other_columns"),
    (Flaw::ShiftsNothingOnAMove, "a_move_to_a_taken_order_shifts_all_following_tasks"),
    (Flaw::ShiftsNothingOnAMove, "an_order_of_a_done_task_counts_as_taken"),
    (Flaw::ShiftsNothingOnAMove, "a_task_can_move_within_its_column"),
    (Flaw::ShiftsNothingOnAMove, "a_shifted_task_can_exceed_the_maximum_order"),
    (Flaw::ShiftsEvenIfTheOrderIsFree, "a_move_to_a_free_order_shifts_nothing"),
    (Flaw::ShiftsEvenIfTheOrderIsFree, "a_move_to_the_current_order_shifts_nothing"),
    (Flaw::SetsUpdatedAtOfShiftedTasks, "shifted_tasks_change_only_their_order"),
    (Flaw::ChecksForAFreeOrderWithoutLock, "concurrent_moves_to_one_order_end_with_distinct_orders"),
    (Flaw::ChecksForAFreeOrderWithoutLock, "an_order_of_an_invisible_task_counts_as_taken"),
    (Flaw::OverwritesTheWholeTask, "concurrent_changes_to_different_task_fields_are_all_kept"),
    (Flaw::OverwritesTheWholeNote, "concurrent_changes_to_different_note_fields_are_all_kept"),
    (Flaw::UpdatesNotesOfOtherFamilies, "changing_a_note_of_another_family_returns_not_found"),
    (Flaw::StoresHalfOfARefusedNoteChange, "setting_a_category_of_another_family_returns_not_found"),
    (Flaw::DeletesNotesOfOtherFamilies, "a_note_of_another_family_cannot_be_deleted"),
    (Flaw::DeletesANoteTwice, "a_deletion_removes_only_one_note_and_succeeds_once"),
    (Flaw::ChecksBeforeDeleteWithoutLock, "exactly_one_of_many_concurrent_deletions_succeeds"),
    (Flaw::FailsEveryPrecondition, "a_task_update_with_a_matching_entity_tag_succeeds"),
    (Flaw::FailsEveryPrecondition, "a_note_change_with_a_matching_entity_tag_succeeds"),
    (Flaw::FailsEveryPrecondition, "a_note_deletion_requires_a_matching_entity_tag"),
    (Flaw::FailsEveryPrecondition, "if_match_accepts_one_of_several_tags_and_a_star"),
    (Flaw::RejectsIfMatchStar, "if_match_accepts_one_of_several_tags_and_a_star"),
    (Flaw::IgnoresPreconditions, "a_task_update_with_another_entity_tag_fails"),
    (Flaw::IgnoresPreconditions, "a_note_change_with_another_entity_tag_fails"),
    (Flaw::IgnoresPreconditions, "the_precondition_is_checked_before_references_and_rules"),
    (Flaw::IgnoresPreconditionsOfMoves, "a_task_update_with_another_entity_tag_fails"),
    (Flaw::IgnoresPreconditionsOfEmptyChanges, "a_task_update_with_another_entity_tag_fails"),
    (Flaw::IgnoresPreconditionsOfEmptyChanges, "a_note_change_with_another_entity_tag_fails"),
    (Flaw::IgnoresPreconditionsOfDeletions, "a_note_deletion_requires_a_matching_entity_tag"),
    (Flaw::ComputesTagsWithoutRelatedRecords, "a_task_update_with_a_matching_entity_tag_succeeds"),
    (Flaw::ComputesTagsWithoutRelatedRecords, "a_note_change_with_a_matching_entity_tag_succeeds"),
    (Flaw::ComputesTagsWithoutRelatedRecords, "the_returned_record_has_the_entity_tag_for_the_next_write"),
    (Flaw::FailsPreconditionsOfMissingRecords, "invisible_records_return_not_found_for_any_precondition"),
    (Flaw::ChecksReferencesBeforeThePrecondition, "the_precondition_is_checked_before_references_and_rules"),
    (Flaw::ChecksPreconditionsWithoutLock, "one_of_many_concurrent_task_updates_with_one_tag_succeeds"),
    (Flaw::ChecksPreconditionsWithoutLock, "one_of_many_concurrent_note_writes_with_one_tag_succeeds"),
    (Flaw::CommitsEachRecord, "loaded_records_become_visible_on_commit_not_before"),
    (Flaw::CommitsEachRecord, "a_dropped_load_stores_nothing"),
    (Flaw::CommitsNothing, "a_second_load_adds_to_the_first"),
    (Flaw::SkipsInvalidRecords, "a_load_with_a_refused_record_stores_nothing"),
    (Flaw::SkipsInvalidRecords, "a_parent_of_another_family_is_refused"),
    (Flaw::SkipsInvalidRecords, "an_id_that_exists_in_the_family_is_refused"),
    (Flaw::SkipsInvalidRecords, "a_repeated_id_within_a_load_is_refused"),
    (Flaw::SkipsInvalidRecords, "the_first_of_several_invalid_records_is_reported"),
    (Flaw::SkipsInvalidRecords, "an_existing_email_or_token_hash_is_refused"),
    (Flaw::NumbersRecordsFromZero, "a_child_before_its_parent_is_refused"),
    (Flaw::ReportsFaultsWithoutField, "an_unknown_parent_is_refused_with_the_field_name"),
    (Flaw::RejectsAnIdUsedByAnotherFamily, "an_id_of_another_family_is_accepted_and_kept_apart"),
    (Flaw::WritesInEveryFamily, "writes_leave_equal_ids_of_other_families_alone"),
    (Flaw::RejectsAnIdUsedByAnotherRecordKind, "records_of_different_kinds_can_share_an_id"),
    (Flaw::FindsOnlyUsersWithAPassword, "a_password_is_found_by_email_address"),
    (Flaw::FindsOnlyUsersWithAPassword, "a_new_password_replaces_the_old_one"),
    (Flaw::FailsOnNulBytes, "an_email_address_with_a_nul_byte_matches_no_user"),
    (Flaw::AcceptsPasswordsForUnknownUsers, "a_password_for_an_unknown_user_is_not_stored"),
    (Flaw::KeepsSessionsOfTheOldPassword, "a_new_password_ends_only_the_sessions_of_its_user"),
    (Flaw::EndsSessionsOfEveryUser, "a_new_password_ends_only_the_sessions_of_its_user"),
    (Flaw::ReplacesExistingSessions, "inserting_an_existing_session_fails_and_keeps_the_first"),
    (Flaw::OpensSessionsForAnyPassword, "a_session_requires_the_current_password"),
    (Flaw::ChecksThePasswordWithoutLock, "a_concurrent_password_change_leaves_no_old_session"),
    (Flaw::NeverExpiresSessions, "a_session_is_found_until_it_expires"),
    (Flaw::FindsSessionsAtTheirExpiry, "a_session_is_found_until_it_expires"),
    (Flaw::DeletesNoSession, "deleting_a_session_succeeds_once_and_keeps_the_others"),
    (Flaw::RefusesEveryKey, "a_valid_key_allows_writes"),
    (Flaw::SkipsCredentialChecks, "a_write_with_an_unknown_key_is_refused"),
    (Flaw::SkipsCredentialChecksOfDeletions, "a_write_with_a_revoked_key_is_refused"),
    (Flaw::SkipsCredentialChecksOfEmptyChanges, "a_write_with_a_revoked_key_is_refused"),
    (Flaw::AcceptsRevokedKeys, "a_write_with_a_revoked_key_is_refused"),
    (Flaw::AcceptsExpiredKeys, "a_write_with_an_expired_key_is_refused"),
    (Flaw::AcceptsKeysWhileThePersonalApiIsOff, "a_write_with_a_key_is_refused_while_the_personal_api_is_off"),
    (Flaw::AcceptsKeysOfOtherUsers, "a_write_with_a_key_of_another_user_returns_not_found"),
    (Flaw::AcceptsAuthorsWhoLeft, "a_write_by_an_author_who_left_the_family_is_refused"),
    (Flaw::SkipsSessionChecks, "a_write_with_an_unknown_session_is_refused"),
    (Flaw::RefusesEverySession, "a_valid_session_allows_writes"),
    (Flaw::SkipsSessionChecks, "a_write_with_a_deleted_session_is_refused"),
    (Flaw::SkipsSessionChecks, "a_write_with_a_session_of_the_old_password_is_refused"),
    (Flaw::SkipsSessionChecks, "a_write_with_an_expired_session_is_refused"),
    (Flaw::SkipsSessionChecks, "a_write_with_a_session_of_another_user_is_refused"),
    (Flaw::PurgesUnexpiredSessions, "a_purge_deletes_only_expired_sessions"),
    (Flaw::KeepsOneSessionTooFew, "a_session_purge_keeps_the_sessions_that_expire_last"),
    (Flaw::LosesRedirectAddresses, "a_grant_is_found_by_its_code"),
    (Flaw::AcceptsUsedApprovals, "an_approval_can_be_used_only_once"),
    (Flaw::HidesDuplicateCodes, "inserting_an_existing_code_fails"),
    (Flaw::IgnoresTheGrantLimit, "only_live_grants_count_towards_the_limit"),
    (Flaw::CountsGrantsWithoutLock, "concurrent_insertions_do_not_exceed_the_grant_limit"),
    (Flaw::LosesScopesOfTokens, "an_issued_token_finds_its_grant_and_user"),
    (Flaw::LosesScopesOfTokens, "an_access_token_has_its_own_scopes"),
    (Flaw::IssuesTokensTwice, "each_secret_issues_tokens_only_once"),
    (Flaw::ChecksTheStateWithoutLock, "one_of_many_concurrent_redemptions_succeeds"),
    (Flaw::ChecksTheStateWithoutLock, "one_of_many_concurrent_refreshes_succeeds"),
    (Flaw::LosesRotations, "a_grant_has_its_last_rotation"),
    (Flaw::KeepsTheFirstRotation, "a_grant_has_its_last_rotation"),
    (Flaw::CachesAccessTokensForever, "new_tokens_replace_the_previous_ones"),
    (Flaw::CachesAccessTokensForever, "a_revoked_grant_has_no_access_token"),
    (Flaw::IssuesTokensOfExpiredGrants, "an_expired_grant_issues_no_tokens"),
    (Flaw::RevokesGrantsOfOtherUsers, "only_the_user_can_revoke_a_grant"),
    (Flaw::EndsAGrantTwice, "a_grant_can_be_ended_only_once"),
    (Flaw::ListsGrantsOldestFirst, "live_grants_are_listed_newest_first_then_by_id"),
    (Flaw::ListsExpiredGrants, "live_grants_are_listed_newest_first_then_by_id"),
    (Flaw::LosesMisuses, "misused_grants_are_listed_last_ended_first"),
    (Flaw::LosesMisuses, "the_last_misuses_of_a_user_are_kept"),
    (Flaw::PurgesMisusedGrants, "the_last_misuses_of_a_user_are_kept"),
    (Flaw::IgnoresTheLimitOfMisuses, "misused_grants_are_listed_last_ended_first"),
    (Flaw::LosesNamesOfClients, "every_field_of_a_grant_is_listed"),
    (Flaw::PurgesLiveGrants, "a_purge_deletes_the_grants_that_ended_first"),
    (Flaw::ReturnsTheFreshSigningKey, "all_calls_return_the_same_signing_key"),
    (Flaw::RefusesEveryAccessToken, "a_valid_access_token_allows_writes"),
    (Flaw::SkipsSessionChecks, "a_grant_requires_a_session_that_has_not_ended"),
    (Flaw::SkipsSessionChecks, "only_the_user_can_revoke_a_grant"),
    (Flaw::CachesAccountsForever, "an_access_token_returns_the_current_account"),
    (Flaw::RecordsNoUses, "the_last_use_of_a_grant_never_moves_backwards"),
    (Flaw::PurgesWithoutALimit, "a_purge_deletes_the_grants_that_ended_first"),
    (Flaw::SkipsCredentialChecks, "a_write_with_a_token_of_a_revoked_grant_is_refused"),
    (Flaw::SkipsCredentialChecks, "a_write_with_an_expired_access_token_is_refused"),
    (Flaw::SkipsCredentialChecks, "a_write_with_a_token_of_the_read_path_is_refused"),
    (Flaw::SkipsCredentialChecks, "a_write_with_a_token_that_lacks_the_scope_is_refused"),
    (Flaw::SkipsCredentialChecks, "a_write_with_a_key_that_lacks_the_scope_is_refused"),
    (Flaw::SkipsCredentialChecks, "a_write_with_a_token_is_refused_while_the_api_is_off"),
    (Flaw::SkipsCredentialChecks, "a_write_with_a_token_of_another_user_is_not_found"),
    (Flaw::LosesFieldsOfNewRecords, "a_created_record_has_the_given_fields_and_its_author"),
    (Flaw::CreatesAsAnyMember, "a_creation_in_an_invisible_container_returns_not_found"),
    (Flaw::ReturnsRecordsBeforeTheUpdate, "an_update_of_any_record_is_stored_and_returned"),
    (Flaw::ReturnsUpdatedRecordsAsBefore, "an_update_of_any_record_is_stored_and_returned"),
    (Flaw::ReadsRecordsBeforeTheTransaction, "each_update_returns_the_record_that_its_transaction_found"),
    (Flaw::DeletesNothing, "a_deleted_record_is_in_no_document"),
    (Flaw::WritesInvisibleRecords, "invisible_records_can_be_neither_updated_nor_deleted"),
    (Flaw::IgnoresPreconditions, "every_write_requires_a_matching_entity_tag"),
    (Flaw::ChecksBeforeDeleteWithoutLock, "one_of_many_concurrent_deletions_of_any_record_succeeds"),
    (Flaw::InsertsNewRecordsFirst, "a_new_task_is_appended_to_the_first_visible_column"),
    (Flaw::HidesRefusals, "a_new_task_needs_a_column"),
    (Flaw::InsertsNewRecordsFirst, "a_new_record_without_an_order_is_the_last_one"),
    (Flaw::InsertsNewRecordsFirst, "the_position_of_a_new_record_is_at_most_1000000"),
    (Flaw::MakesNewRecordsPublic, "a_new_private_record_is_visible_only_to_its_creator"),
    (Flaw::DropsInvisibleReferences, "a_creation_with_an_invisible_reference_is_not_found"),
    (Flaw::WritesInvisibleRecords, "an_item_moves_only_to_a_visible_list"),
    (Flaw::ReadsDueDaysAsUtc, "all_day_events_begin_in_the_time_zone_of_the_caller"),
    (Flaw::IgnoresIdempotencyKeys, "a_repeated_creation_returns_the_first_record"),
    (Flaw::IgnoresIdempotencyKeys, "a_repeated_creation_with_another_body_is_a_mismatch"),
    (Flaw::IgnoresIdempotencyKeys, "a_key_for_another_kind_of_record_is_a_mismatch"),
    (Flaw::KeepsIdempotencyKeysForever, "an_idempotency_key_is_valid_for_24_hours"),
    (Flaw::SharesIdempotencyKeys, "each_user_has_separate_idempotency_keys"),
    (Flaw::CreatesAgainAfterADeletion, "a_key_of_a_deleted_record_returns_not_found"),
    (Flaw::UsesTheKeyOfRefusedCreations, "a_refused_creation_does_not_use_its_idempotency_key"),
    (Flaw::ChecksIdempotencyKeysWithoutLock, "concurrent_creations_with_one_key_create_one_record"),
    (Flaw::RestoresNothing, "a_restored_record_equals_the_deleted_record"),
    (Flaw::RestoresOnlyDeletedRecords, "a_record_that_is_not_deleted_is_restored_unchanged"),
    (Flaw::ReportsExistingRecordsAsWritten, "a_record_that_is_not_deleted_is_restored_unchanged"),
    (Flaw::ReportsExistingRecordsAsWritten, "a_repeated_creation_returns_the_first_record"),
    (Flaw::RestoresOverStoredRecords, "a_restoration_replaces_no_record"),
    (Flaw::WritesInvisibleRecords, "a_member_restores_only_records_that_they_could_see"),
    (Flaw::RestoresOnlyDeletedRecords, "concurrent_restorations_restore_a_record_once"),
    (Flaw::RestoresIntoDeletedContainers, "a_record_is_not_restored_into_a_deleted_container"),
    (Flaw::RestoresNothing, "a_restored_note_loses_a_deleted_category"),
    (Flaw::DeletesContainersWithRecords, "a_container_with_records_cannot_be_deleted"),
    (Flaw::DeletesContainersWithRecords, "a_record_that_the_caller_does_not_see_counts"),
    (Flaw::CountsDeletedRecords, "deleted_records_do_not_count"),
    (Flaw::DeletesNoCheckedItems, "the_checked_items_that_a_member_sees_are_deleted"),
    (Flaw::FindsEveryList, "checked_items_of_an_invisible_list_are_not_found"),
    (Flaw::DeletesCheckedItemsWithoutALimit, "one_call_deletes_at_most_500_checked_items"),
    (Flaw::PurgesRecordsOfLaterTimes, "a_purge_deletes_only_records_deleted_by_the_given_time"),
    (Flaw::PurgesWithoutALimit, "a_purge_deletes_only_records_deleted_by_the_given_time"),
    (Flaw::KeepsOneRecordTooFew, "a_family_keeps_the_records_that_were_deleted_last"),
    (Flaw::PurgesWithoutALimit, "a_family_keeps_the_records_that_were_deleted_last"),
    (Flaw::KeepsDeletedRecordsOfAnySize, "deleted_records_of_a_family_have_a_maximum_size"),
    (Flaw::PurgesTheSurplusOfOthers, "deletions_of_one_kind_keep_deleted_records_of_others"),
    (Flaw::PurgesTheSurplusOfOthers, "keys_of_one_user_displace_no_keys_of_another"),
    (Flaw::PurgesRecordsOfLaterTimes, "a_purge_deletes_only_idempotency_keys_of_the_given_time"),
    (Flaw::KeepsOneRecordTooFew, "a_user_keeps_the_idempotency_keys_used_last"),
    (Flaw::PurgesNoRecords, "a_purged_record_cannot_be_restored_or_deleted_again"),
    (Flaw::SkipsCredentialChecks, "no_record_is_written_with_a_revoked_key"),
    (Flaw::NeverChangesTheRevision, "each_write_of_any_record_changes_the_revision"),
    (Flaw::ChangesTheRevisionOnRefusal, "refused_writes_of_records_keep_the_revision"),
    (Flaw::RestoresOldRecords, "a_deleted_record_can_be_restored_for_30_days"),
    (Flaw::ListsDeletionsOldestFirst, "restorable_records_are_listed_in_pages_newest_first"),
    (Flaw::ListsEveryDeletion, "a_restored_record_is_no_longer_listed"),
    (Flaw::ListsEveryDeletion, "a_member_lists_only_deleted_records_that_they_could_see"),
    (Flaw::ListsEveryDeletion, "records_of_a_deleted_container_are_not_listed"),
    (Flaw::DeletesContainersWithRecords, "concurrent_writes_leave_no_record_without_a_container"),
    (Flaw::IgnoresTheRecordLimit, "a_family_has_at_most_the_maximum_number_of_records"),
    (Flaw::IgnoresTheRecordLimit, "only_records_of_the_own_family_count_towards_the_limit"),
    (Flaw::IgnoresTheRecordLimit, "records_of_other_kinds_do_not_count_towards_the_limit"),
    (Flaw::IgnoresTheRecordLimit, "a_long_record_counts_more_than_once"),
    (Flaw::IgnoresTheRecordLimit, "an_update_makes_no_record_longer_beyond_the_limit"),
    (Flaw::CountsRepeatedCreations, "a_creation_is_repeated_although_the_limit_is_reached"),
    (Flaw::IgnoresTheRecordLimit, "concurrent_creations_do_not_exceed_the_limit"),
    (Flaw::PurgesWithoutALimit, "a_user_keeps_the_idempotency_keys_used_last"),
    (Flaw::CreatesRecordsOutsideItsCapabilities, "operations_outside_the_capabilities_fail"),
];

/// Runs the case with this name from any suite. The case runs in a separate task, which catches the panic of a failed
/// case.
fn run(name: &str, subject: BrokenStorage) -> JoinHandle<()> {
    if let Some(case) = find_case(storage_cases(), name) {
        tokio::spawn(async move { case.run(&subject).await })
    } else if let Some(case) = find_case(load_cases(), name) {
        tokio::spawn(async move { case.run(&subject).await })
    } else if let Some(case) = find_case(credentials_cases(), name) {
        tokio::spawn(async move { case.run(&subject).await })
    } else if let Some(case) = find_case(grants_cases(), name) {
        tokio::spawn(async move { case.run(&subject).await })
    } else {
        panic!("there is no case {name}")
    }
}

fn find_case<S: ?Sized>(cases: Vec<Case<S>>, name: &str) -> Option<Case<S>> {
    cases.into_iter().find(|case| case.name() == name)
}

fn all_case_names() -> Vec<&'static str> {
    let storage = storage_cases().iter().map(Case::name).collect::<Vec<_>>();
    let load = load_cases().iter().map(Case::name).collect();
    let credentials = credentials_cases().iter().map(Case::name).collect();
    let grants = grants_cases().iter().map(Case::name).collect();
    [storage, load, credentials, grants].concat()
}

#[tokio::test]
async fn every_flaw_makes_its_case_fail() {
    for (flaw, case) in FAILING_CASES {
        let outcome = run(case, BrokenStorage::with_flaw(flaw)).await;
        assert!(outcome.is_err_and(|error| error.is_panic()), "{case} passes for a storage with the flaw {flaw:?}");
    }
}

#[tokio::test]
async fn every_case_passes_without_a_flaw() {
    for case in all_case_names() {
        assert!(run(case, BrokenStorage::without_flaw()).await.is_ok(), "{case} fails for a storage without a flaw");
    }
}

/// A case that applies to a storage with few capabilities must not need more.
#[tokio::test]
async fn every_case_passes_for_a_storage_that_keeps_less() {
    let all = Capabilities::all;
    let mut capabilities = vec![
        Capabilities::updates(),
        all().without_resource(ResourceKind::Tasks),
        all().without_resource(ResourceKind::Notes),
        all()
            .without_resource(ResourceKind::Events)
            .without_resource(ResourceKind::Shopping)
            .without_resource(ResourceKind::TaskStats)
            .without_field(RecordKind::Task, "labels"),
    ];
    // Every storage supports `Capabilities::updates()`, and only an update reads a category.
    let is_needed = |kind, verb| {
        Capabilities::updates().supports(kind, verb) || (kind, verb) == (RecordKind::NoteCategory, Verb::Update)
    };
    for verb in Verb::ALL {
        let removed = RecordKind::ALL.into_iter().filter(|kind| !is_needed(*kind, verb));
        capabilities.push(removed.fold(all(), |kept, kind| kept.without(kind, verb)));
    }
    for kept in capabilities {
        for case in storage_cases().into_iter().filter(|case| case.applies_to(&kept)) {
            let name = case.name();
            let subject = BrokenStorage::with_capabilities(kept.clone());
            let outcome = tokio::spawn(async move { case.run(&subject).await }).await;
            assert!(outcome.is_ok(), "{name} fails for a storage with {kept:?}");
        }
    }
}

#[test]
fn a_case_applies_only_to_a_storage_with_the_needed_capabilities() {
    let applies = |capabilities: Capabilities| {
        let cases = storage_cases().into_iter().filter(move |case| case.applies_to(&capabilities));
        cases.map(|case| case.name()).collect::<Vec<_>>()
    };
    assert_eq!(applies(Capabilities::all()).len(), storage_cases().len());
    let without_shopping = applies(Capabilities::all().without_resource(ResourceKind::Shopping));
    assert!(!without_shopping.contains(&"a_private_list_is_visible_only_to_its_owner"));
    assert!(without_shopping.contains(&"a_private_task_is_visible_only_to_its_creator"));
    let without_labels = applies(Capabilities::all().without_field(RecordKind::Task, "labels"));
    assert!(!without_labels.contains(&"every_field_of_a_task_is_returned"));
    assert!(without_labels.contains(&"a_created_record_has_the_given_fields_and_its_author"));
}

#[test]
fn every_case_fails_for_at_least_one_flaw() {
    for case in all_case_names() {
        assert!(FAILING_CASES.iter().any(|(_, failing)| *failing == case), "no flaw is listed for the case {case}");
    }
}
