//! The proof that the suite can fail: every flaw is caught by the cases that are there for it, and every case catches one.

use family_api_core::conformance::{Case, credentials_cases, load_cases, storage_cases};
use tokio::task::JoinHandle;

use crate::broken::{Broken, Flaw};

const CAUGHT_BY: [(Flaw, &str); 210] = [
    (Flaw::IsNeverReady, "a_storage_that_is_there_answers"),
    (Flaw::ForgetsTheCondition, "a_key_for_the_personal_api_needs_it_switched_on"),
    (Flaw::ForgetsTheLimit, "the_limit_is_of_one_user"),
    (Flaw::HasALimitOneHigher, "the_limit_is_of_one_user"),
    (Flaw::JudgesTheLimitFirst, "the_condition_is_judged_before_the_limit"),
    (Flaw::JudgesTheLimitFirst, "a_key_for_nobody_is_not_inserted"),
    (Flaw::CountsAndThenInserts, "of_many_insertions_at_once_one_takes_the_last_place"),
    (Flaw::CountsExpiredKeys, "only_active_keys_count_towards_the_limit"),
    (Flaw::HidesThatADigestExists, "a_digest_that_exists_is_a_fault_and_stays_its_owners"),
    (Flaw::FindsActiveKeysOnly, "a_revoked_key_is_found_as_revoked_and_not_listed"),
    (Flaw::FindsActiveKeysOnly, "the_fields_of_a_seeded_key_are_kept"),
    (Flaw::FindsOneKeyForAll, "a_digest_of_no_key_finds_nothing"),
    (Flaw::FindsMembersOnly, "a_key_of_a_user_without_a_family_is_found_without_a_membership"),
    (Flaw::RemembersAccounts, "a_switch_is_seen_by_the_next_look_at_the_account_and_the_key"),
    (Flaw::DropsUnknownScopes, "scopes_of_another_version_are_kept_and_the_mode_is_what_the_scopes_say"),
    (Flaw::ListsExpiredKeys, "a_key_is_listed_until_the_instant_of_its_expiry_and_found_after_it"),
    (Flaw::ListsKeysAtTheirExpiry, "a_key_is_listed_until_the_instant_of_its_expiry_and_found_after_it"),
    (Flaw::ListsKeysOldestFirst, "keys_are_listed_newest_first_then_by_id_descending"),
    (Flaw::ListsKeysOfOneInstantByIdAscending, "keys_are_listed_newest_first_then_by_id_descending"),
    (Flaw::ListsKeysOfEverybody, "keys_are_listed_for_their_owner_only"),
    (Flaw::ListsKeysWithoutTheirExpiry, "a_listed_key_is_as_it_was_inserted"),
    (Flaw::RevokesNothing, "a_revoked_key_is_found_as_revoked_and_not_listed"),
    (Flaw::RevokesNothing, "a_revocation_makes_room_under_the_limit"),
    (Flaw::RevokesForAnybody, "a_key_is_revoked_by_its_owner_only"),
    (Flaw::RevokesAgainAndAgain, "a_key_is_revoked_once"),
    (Flaw::RevokesCurrentKeysOnly, "an_expired_key_can_still_be_revoked"),
    (Flaw::LooksAndThenRevokes, "of_many_revocations_at_once_exactly_one_wins"),
    (Flaw::RecordsNoUses, "a_use_is_seen_where_the_key_is_found_and_where_it_is_listed"),
    (Flaw::ListsKeysWithoutTheirUse, "a_use_is_seen_where_the_key_is_found_and_where_it_is_listed"),
    (Flaw::RecordsUsesOfEveryKey, "a_use_is_seen_where_the_key_is_found_and_where_it_is_listed"),
    (Flaw::RecordsUsesInAnyOrder, "the_last_use_never_goes_back"),
    (
        Flaw::StumblesOverUnknownKeys,
        "uses_are_written_down_for_a_thousand_at_once_and_those_that_are_nobodys_are_passed_over",
    ),
    (
        Flaw::RecordsUsesOfEveryKey,
        "uses_are_written_down_for_a_thousand_at_once_and_those_that_are_nobodys_are_passed_over",
    ),
    (Flaw::RevivesUsedKeys, "a_use_changes_nothing_else_of_a_key"),
    (Flaw::CountsUsesAsChanges, "a_use_does_not_change_the_revision"),
    (Flaw::PurgesKeysThatEndLater, "a_purge_deletes_keys_that_ended_by_its_instant_and_no_others"),
    (Flaw::PurgesWithoutALimit, "a_purge_deletes_the_oldest_keys_and_no_more_than_it_may"),
    (Flaw::PurgesWithoutALimit, "a_purge_of_one_user_deletes_no_more_than_it_may"),
    (Flaw::PurgesWhatIsSpared, "a_purge_spares_the_keys_that_it_is_given"),
    (Flaw::KeepsOneKeyFewer, "a_purge_of_one_user_keeps_the_keys_that_ended_last"),
    (Flaw::MiscountsPurgedKeys, "of_many_purges_at_once_each_key_is_deleted_by_one"),
    (Flaw::SwitchesOnPaperOnly, "switching_the_personal_api_changes_that_and_nothing_else"),
    (Flaw::SwitchesOffUnlessToldOtherwise, "an_empty_change_of_a_profile_changes_nothing"),
    (Flaw::TakesIdsInAnyCase, "somebody_who_is_not_there_is_not_found"),
    (Flaw::LosesImages, "a_profile_has_every_field_as_it_was_stored"),
    (Flaw::LosesTheFamily, "an_account_tells_family_flag_and_zone"),
    (Flaw::LosesTheFamily, "a_key_is_found_as_it_was_inserted_with_its_owners_account"),
    (Flaw::KeepsTheRevision, "a_changed_task_changes_the_revision"),
    (Flaw::KeepsTheRevision, "a_moved_task_changes_the_revision"),
    (Flaw::KeepsTheRevision, "a_changed_note_changes_the_revision"),
    (Flaw::KeepsTheRevision, "a_deleted_note_changes_the_revision"),
    (Flaw::KeepsTheRevision, "each_of_several_changes_has_a_revision_of_its_own"),
    (Flaw::KeepsTheRevision, "a_loaded_record_changes_the_revision_of_its_family"),
    (Flaw::KeepsTheRevision, "a_change_changes_the_revision_that_documents_tell"),
    (Flaw::TellsTheRevisionBefore, "a_document_that_tells_a_revision_tells_the_accounts"),
    (Flaw::AsksForTheRevisionAfterwards, "documents_that_tell_one_revision_are_the_same_whatever_is_written_meanwhile"),
    (Flaw::ShowsPrivateBoards, "a_private_board_is_seen_by_its_owner_only"),
    (Flaw::ShowsPrivateBoards, "on_a_private_board_the_board_is_judged_before_the_task"),
    (Flaw::ShowsPrivateBoards, "a_task_that_lands_on_a_private_board_loses_an_assignee_who_is_not_its_owner"),
    (Flaw::ShowsPrivateTasks, "a_private_task_is_seen_by_its_creator_only"),
    (Flaw::ShowsPrivateTasks, "a_task_is_made_private_by_its_creator_who_becomes_its_assignee"),
    (Flaw::ShowsPrivateLists, "a_private_list_is_seen_by_its_owner_only"),
    (Flaw::ShowsPrivateItems, "a_private_item_is_seen_by_who_added_it_and_sees_its_list"),
    (Flaw::ShowsTasksOfEveryFamily, "tasks_of_another_family_are_not_seen"),
    (Flaw::ShowsTasksOfEveryFamily, "a_private_board_of_nobody_is_seen_by_nobody"),
    (Flaw::ShowsNotesOfEveryFamily, "notes_of_another_family_are_not_seen"),
    (Flaw::ShowsNotesOfEveryFamily, "a_family_without_anything_reads_as_empty_lists"),
    (Flaw::ShowsEventsOfEveryFamily, "events_of_another_family_are_not_seen"),
    (Flaw::ShowsPeopleWhoLeft, "people_who_left_the_family_are_null_beside_their_id"),
    (Flaw::ShowsPeopleWhoLeft, "an_assignee_of_an_event_who_left_is_null_beside_their_id"),
    (Flaw::ShowsPeopleWhoLeft, "who_added_an_item_and_left_is_null_beside_their_id"),
    (Flaw::ShowsPeopleWhoLeft, "an_author_who_left_is_null_beside_their_id"),
    (Flaw::IgnoresTheFilter, "the_filter_lets_through_open_tasks_done_ones_or_both"),
    (Flaw::OrdersBoardsByAge, "boards_are_ordered_by_order_then_age_then_id"),
    (Flaw::OrdersColumnsById, "columns_are_ordered_by_order_then_id_and_shown_empty"),
    (Flaw::OrdersColumnsById, "a_board_and_its_columns_have_every_field_as_it_was_stored"),
    (Flaw::OrdersTasksById, "tasks_are_ordered_by_order_then_id"),
    (Flaw::OrdersEventsById, "events_are_ordered_by_start_then_id"),
    (Flaw::OrdersEventsById, "an_event_has_every_field_as_it_was_stored"),
    (Flaw::OrdersNamesIgnoringCase, "lists_are_ordered_by_sort_order_then_name_then_id"),
    (Flaw::OrdersNamesByUtf16, "lists_are_ordered_by_sort_order_then_name_then_id"),
    (Flaw::OrdersCheckedItemsAmongTheOthers, "unchecked_items_come_first_then_the_older_then_by_id"),
    (Flaw::OrdersPinnedNotesAmongTheOthers, "pinned_notes_come_first_then_the_newest_then_by_id"),
    (Flaw::LosesCategories, "a_note_has_every_field_as_it_was_stored"),
    (Flaw::LosesCategories, "every_field_of_a_note_that_is_named_is_set"),
    (Flaw::LosesCategories, "a_field_of_a_note_that_is_left_out_stays"),
    (Flaw::DropsRepeatedLabels, "a_task_has_every_field_as_it_was_stored"),
    (Flaw::DropsRepeatedLabels, "a_field_that_is_left_out_stays"),
    (Flaw::LosesQuantities, "a_list_and_its_items_have_every_field_as_it_was_stored"),
    (Flaw::WritesDocumentsInItsOwnWay, "a_document_is_what_serde_writes_for_its_records"),
    (Flaw::LeavesOutEventsAtFrom, "from_keeps_events_that_start_at_its_instant_or_later"),
    (Flaw::LeavesOutEventsAtTo, "to_keeps_events_that_end_at_its_instant_or_earlier"),
    (Flaw::LeavesOutEventsAtTo, "from_and_to_together_keep_what_lies_in_both"),
    (Flaw::ShowsEventsPastTo, "to_keeps_events_that_end_at_its_instant_or_earlier"),
    (Flaw::CountsTheNextPeriodsFirstInstant, "a_period_holds_its_first_instant_and_not_the_next_ones"),
    (Flaw::LeavesOutAPeriodsFirstInstant, "a_period_holds_its_first_instant_and_not_the_next_ones"),
    (Flaw::CountsTheDayForTheWeek, "a_period_holds_its_first_instant_and_not_the_next_ones"),
    (Flaw::CountsTasksOfRelatives, "tasks_assigned_to_the_member_and_unassigned_ones_of_theirs_count"),
    (
        Flaw::CountsPrivateTasksOfRelatives,
        "a_private_task_of_another_does_not_count_though_it_is_assigned_to_the_member",
    ),
    (Flaw::CountsPrivateTasksOfRelatives, "tasks_that_the_member_does_not_see_do_not_count"),
    (Flaw::CountsWhatIsDoneAsOpen, "only_what_is_done_counts_as_done"),
    (Flaw::UpdatesForeignTasks, "a_task_that_the_member_does_not_see_is_not_found_and_stays"),
    (Flaw::UpdatesForeignTasks, "a_column_that_is_not_there_for_the_member_is_not_found_and_nothing_changes"),
    (Flaw::ChangesHalfOfATask, "somebody_who_is_not_in_the_family_is_not_found_as_assignee_and_nothing_changes"),
    (Flaw::TouchesWithoutAChange, "an_empty_change_of_a_task_changes_nothing_and_returns_it"),
    (Flaw::TouchesWithoutAChange, "an_empty_change_of_a_note_changes_nothing_and_returns_it"),
    (Flaw::KeepsWhatNullClears, "null_clears_description_due_date_and_assignee"),
    (Flaw::KeepsWhatNullClears, "null_takes_a_note_out_of_its_category"),
    (Flaw::SetsTheInstantOfDoneAgain, "a_task_keeps_the_instant_at_which_it_was_first_done_until_it_is_reopened"),
    (Flaw::TakesDaysAsUtc, "a_due_day_begins_in_the_callers_time_zone"),
    (Flaw::LandsFirst, "a_task_goes_behind_a_done_one"),
    (Flaw::LandsFirst, "a_task_that_goes_to_its_own_column_goes_behind_the_others"),
    (Flaw::LandsFirst, "the_end_of_a_column_may_pass_the_limit_of_an_order"),
    (Flaw::LandsBehindWhatTheMemberSees, "a_task_goes_behind_the_highest_of_all_others_seen_or_not_open_or_done"),
    (Flaw::AssignsWhoIsNotThere, "somebody_who_is_not_in_the_family_is_not_found_as_assignee_and_nothing_changes"),
    (Flaw::OverrulesTheRules, "nobody_but_its_creator_makes_a_task_private"),
    (Flaw::OverrulesTheRules, "a_private_task_can_be_assigned_to_its_creator_or_nobody"),
    (Flaw::OverrulesTheRules, "a_task_on_a_private_board_can_be_assigned_to_the_boards_owner_or_nobody"),
    (Flaw::ReportsTheFirstFaultOnly, "a_task_that_is_made_private_takes_no_other_assignee"),
    (Flaw::ReturnsTheTaskAsItWas, "every_field_that_is_named_is_set"),
    (Flaw::ReturnsTheTaskAsItWas, "a_change_that_names_a_field_as_it_is_still_sets_updated_at"),
    (Flaw::ReturnsTheTaskAsItWas, "a_task_that_goes_to_an_empty_column_is_its_first"),
    (Flaw::ReturnsTheTaskAsItWas, "a_member_of_the_family_can_be_assigned"),
    (Flaw::ReturnsTheTaskAsItWas, "null_as_assignee_beside_private_counts_as_left_out"),
    (Flaw::ReturnsTheTaskAsItWas, "a_task_that_its_creator_opens_to_the_family_is_seen_by_everybody"),
    (Flaw::ChangesEveryTask, "one_task_is_changed_and_no_other"),
    (Flaw::ChangesEveryTask, "an_order_that_is_set_pushes_nothing"),
    (Flaw::ChangesEveryTask, "an_order_beside_the_column_is_taken_as_given"),
    (Flaw::TakesEveryAssigneeAwayOnLanding, "a_task_that_lands_on_a_private_board_keeps_its_owner_as_assignee"),
    (Flaw::TakesEveryAssigneeAwayOnLanding, "a_task_may_land_on_a_private_board_and_be_assigned_to_its_owner_at_once"),
    (Flaw::MovesForeignTasks, "a_task_that_the_member_does_not_see_is_not_moved"),
    (Flaw::MovesWithoutATrace, "a_moved_task_takes_its_place_and_is_returned_as_it_is_then"),
    (Flaw::MovesWithoutATrace, "a_move_to_a_private_board_takes_the_assignee_away"),
    (Flaw::PushesEveryColumn, "a_move_leaves_every_other_column_as_it_is"),
    (Flaw::MakesNoRoom, "where_the_place_is_taken_all_from_there_on_make_room_seen_or_not_open_or_done"),
    (Flaw::MakesNoRoom, "a_place_that_only_a_done_task_takes_is_taken"),
    (Flaw::MakesNoRoom, "a_task_moves_within_its_column"),
    (Flaw::MakesNoRoom, "making_room_may_pass_the_limit_of_an_order"),
    (Flaw::AlwaysMakesRoom, "a_free_place_pushes_nothing"),
    (Flaw::AlwaysMakesRoom, "a_task_does_not_stand_in_its_own_way"),
    (Flaw::TouchesWhatMakesRoom, "tasks_that_make_room_keep_their_updated_at_and_all_else"),
    (Flaw::LooksAndThenMakesRoom, "many_moves_to_one_place_at_once_leave_each_task_a_place_of_its_own"),
    (Flaw::LooksAndThenMakesRoom, "a_place_that_only_an_invisible_task_takes_is_taken"),
    (Flaw::WritesTheWholeTaskAsItWasSeen, "changes_of_different_fields_of_a_task_at_once_all_hold"),
    (Flaw::WritesTheWholeNoteAsItWasSeen, "changes_of_different_fields_of_a_note_at_once_all_hold"),
    (Flaw::UpdatesForeignNotes, "a_note_of_another_family_is_not_found_and_stays"),
    (Flaw::ChangesHalfOfANote, "a_category_that_is_not_the_familys_is_not_found_and_nothing_changes"),
    (Flaw::DeletesForeignNotes, "a_note_of_another_family_is_not_deleted"),
    (Flaw::DeletesAgainAndAgain, "a_note_is_deleted_once_and_no_other_with_it"),
    (Flaw::LooksAndThenDeletes, "of_many_deletions_at_once_exactly_one_wins"),
    (Flaw::FailsEveryPrecondition, "an_update_of_a_task_under_the_tag_of_its_version_is_made"),
    (Flaw::FailsEveryPrecondition, "a_change_of_a_note_under_the_tag_of_its_version_is_made"),
    (Flaw::FailsEveryPrecondition, "a_note_is_deleted_under_the_tag_of_its_version_and_no_other"),
    (Flaw::FailsEveryPrecondition, "one_tag_of_several_suffices_and_a_star_names_every_version"),
    (Flaw::KnowsNoStar, "one_tag_of_several_suffices_and_a_star_names_every_version"),
    (Flaw::ForgetsPreconditions, "an_update_of_a_task_under_another_tag_fails_and_changes_nothing"),
    (Flaw::ForgetsPreconditions, "a_change_of_a_note_under_another_tag_fails_and_changes_nothing"),
    (
        Flaw::ForgetsPreconditions,
        "a_precondition_is_asked_before_the_records_that_an_update_names_and_before_the_rules",
    ),
    (Flaw::ForgetsPreconditionsOfMoves, "an_update_of_a_task_under_another_tag_fails_and_changes_nothing"),
    (Flaw::ForgetsPreconditionsOfEmptyChanges, "an_update_of_a_task_under_another_tag_fails_and_changes_nothing"),
    (Flaw::ForgetsPreconditionsOfEmptyChanges, "a_change_of_a_note_under_another_tag_fails_and_changes_nothing"),
    (Flaw::ForgetsPreconditionsOfDeletions, "a_note_is_deleted_under_the_tag_of_its_version_and_no_other"),
    (Flaw::TagsRecordsAsTheyAreStored, "an_update_of_a_task_under_the_tag_of_its_version_is_made"),
    (Flaw::TagsRecordsAsTheyAreStored, "a_change_of_a_note_under_the_tag_of_its_version_is_made"),
    (Flaw::TagsRecordsAsTheyAreStored, "the_tag_is_that_of_the_record_that_the_last_write_returned"),
    (
        Flaw::FailsPreconditionsOfMissingRecords,
        "what_is_not_there_for_the_member_is_not_found_whatever_the_precondition",
    ),
    (
        Flaw::LooksForNamedRecordsFirst,
        "a_precondition_is_asked_before_the_records_that_an_update_names_and_before_the_rules",
    ),
    (
        Flaw::AsksPreconditionsAndThenWrites,
        "of_many_updates_of_a_task_at_once_that_name_one_version_exactly_one_is_made",
    ),
    (
        Flaw::AsksPreconditionsAndThenWrites,
        "of_many_changes_and_deletions_of_a_note_at_once_that_name_one_version_exactly_one_is_made",
    ),
    (Flaw::CommitsEachRecord, "what_was_loaded_is_seen_when_it_is_committed_and_not_before"),
    (Flaw::CommitsEachRecord, "a_load_that_is_dropped_leaves_nothing"),
    (Flaw::ForgetsToCommit, "a_second_load_adds_to_the_first"),
    (Flaw::SkipsWhatDoesNotFit, "a_load_with_a_refused_record_leaves_nothing"),
    (Flaw::SkipsWhatDoesNotFit, "a_category_of_another_family_is_no_parent"),
    (Flaw::SkipsWhatDoesNotFit, "an_id_that_exists_in_any_family_is_refused"),
    (Flaw::SkipsWhatDoesNotFit, "an_id_that_came_earlier_in_the_load_is_refused"),
    (Flaw::SkipsWhatDoesNotFit, "of_several_records_that_do_not_fit_the_first_is_refused"),
    (Flaw::SkipsWhatDoesNotFit, "an_address_and_a_token_hash_that_exist_are_refused"),
    (Flaw::NumbersRecordsFromZero, "a_child_before_its_parent_is_refused"),
    (Flaw::NamesNoField, "an_unknown_parent_is_refused_by_its_field"),
    (Flaw::TakesAnIdForOneKindOnly, "records_of_different_kinds_may_have_the_same_id"),
    (Flaw::FindsUsersWithAPasswordOnly, "a_password_is_found_by_its_users_address"),
    (Flaw::FindsUsersWithAPasswordOnly, "another_password_takes_the_place_of_the_first"),
    (Flaw::StumblesOverNul, "an_address_that_no_text_can_be_is_nobodys"),
    (Flaw::KeepsPasswordsOfNobody, "a_password_of_nobody_is_not_kept"),
    (Flaw::KeepsSessionsOfTheOldPassword, "another_password_ends_the_sessions_of_its_user_and_no_others"),
    (Flaw::EndsEverybodysSessions, "another_password_ends_the_sessions_of_its_user_and_no_others"),
    (Flaw::ReplacesSessions, "a_session_that_exists_is_a_fault_and_stays_its_users"),
    (Flaw::OpensSessionsOfAnyPassword, "a_session_begins_with_the_password_of_the_moment_only"),
    (Flaw::LooksAndThenOpensSessions, "no_session_outlives_the_password_that_it_began_with"),
    (Flaw::KeepsSessionsForEver, "a_session_is_found_until_the_instant_of_its_expiry"),
    (Flaw::KeepsSessionsAtTheirExpiry, "a_session_is_found_until_the_instant_of_its_expiry"),
    (Flaw::EndsNoSession, "a_session_ends_once_and_no_other_with_it"),
    (Flaw::RefusesEveryKey, "a_valid_key_changes_what_its_user_may"),
    (Flaw::ForgetsCredentials, "a_key_that_does_not_exist_changes_nothing"),
    (Flaw::ForgetsCredentialsOfDeletions, "a_revoked_key_changes_nothing"),
    (Flaw::ForgetsCredentialsOfEmptyChanges, "a_revoked_key_changes_nothing"),
    (Flaw::ForgetsRevocations, "a_revoked_key_changes_nothing"),
    (Flaw::ForgetsExpiries, "a_key_changes_nothing_from_the_instant_of_its_expiry"),
    (Flaw::ForgetsTheSwitch, "a_key_changes_nothing_while_the_personal_api_is_off"),
    (Flaw::ForgetsWhoseKeyItIs, "a_key_changes_nothing_for_another_user"),
    (Flaw::ForgetsWhoLeft, "an_author_who_left_the_family_changes_nothing"),
    (Flaw::ForgetsSessions, "a_session_that_does_not_exist_changes_nothing"),
    (Flaw::RefusesEverySession, "a_session_changes_what_its_user_may"),
    (Flaw::ForgetsSessions, "a_session_that_was_ended_changes_nothing"),
    (Flaw::ForgetsSessions, "a_session_changes_nothing_after_another_password"),
    (Flaw::ForgetsSessions, "a_session_changes_nothing_from_the_instant_of_its_expiry"),
    (Flaw::ForgetsSessions, "a_session_changes_nothing_for_another_user"),
    (Flaw::PurgesOpenSessions, "a_purge_deletes_expired_sessions_and_no_open_ones"),
    (Flaw::KeepsOneSessionFewer, "a_purge_of_one_users_sessions_keeps_those_that_expire_last"),
];

/// Runs the case of that name, whatever its suite; it panics in its own task.
fn run(name: &str, subject: Broken) -> JoinHandle<()> {
    if let Some(case) = named(storage_cases(), name) {
        tokio::spawn(async move { case.run(&subject).await })
    } else if let Some(case) = named(load_cases(), name) {
        tokio::spawn(async move { case.run(&subject).await })
    } else if let Some(case) = named(credentials_cases(), name) {
        tokio::spawn(async move { case.run(&subject).await })
    } else {
        panic!("there is no case {name}")
    }
}

fn named<S: ?Sized>(cases: Vec<Case<S>>, name: &str) -> Option<Case<S>> {
    cases.into_iter().find(|case| case.name() == name)
}

fn all_names() -> Vec<&'static str> {
    let storage = storage_cases().iter().map(Case::name).collect::<Vec<_>>();
    let load = load_cases().iter().map(Case::name).collect();
    let credentials = credentials_cases().iter().map(Case::name).collect();
    [storage, load, credentials].concat()
}

#[tokio::test]
async fn every_flaw_is_caught_by_its_case() {
    for (flaw, case) in CAUGHT_BY {
        let outcome = run(case, Broken::with(flaw)).await;
        assert!(outcome.is_err_and(|error| error.is_panic()), "{case} lets pass a storage that {flaw:?}");
    }
}

#[tokio::test]
async fn without_a_flaw_every_case_passes() {
    for case in all_names() {
        assert!(run(case, Broken::not()).await.is_ok(), "{case}");
    }
}

#[test]
fn every_case_catches_something() {
    for case in all_names() {
        assert!(CAUGHT_BY.iter().any(|(_, by)| *by == case), "no flaw proves that this case can fail: {case}");
    }
}
