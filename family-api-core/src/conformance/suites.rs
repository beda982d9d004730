//! The lists of cases; a case that is in none is dead code, which the compiler reports.

use crate::conformance::{
    Case, CredentialsSubject, LoadSubject, Subject, author, boards, credentials, events, health, key_insertion,
    key_purge, key_use, keys, load, note_update, notes, precondition, revision, shopping, task_column, task_fields,
    task_move, task_people, task_stats, tasks, users,
};

/// Makes of one list of cases both a function that lists them and a macro that stamps them as tests.
///
/// The first token is `$`, which the macro that is made needs to name its own argument.
macro_rules! suite {
    (
        $dollar:tt
        $(#[$list_doc:meta])* fn $list:ident() of $subject:ty;
        $(#[$stamp_doc:meta])* macro $stamp:ident;
        $($group:ident { $($case:ident)* })*
    ) => {
        $(#[$list_doc])*
        #[must_use]
        pub fn $list() -> Vec<Case<$subject>> {
            vec![$($(Case::new(stringify!($case), |subject| Box::pin($group::$case(subject)))),*),*]
        }

        $(#[$stamp_doc])*
        #[macro_export]
        macro_rules! $stamp {
            // An attribute may begin an expression too, so each is taken off before the expression is read.
            (@ [$dollar($dollar attribute:tt)*] # $dollar next:tt $dollar($dollar rest:tt)+) => {
                $crate::$stamp! { @ [$dollar($dollar attribute)* # $dollar next] $dollar($dollar rest)+ }
            };
            (@ [$dollar($dollar attribute:tt)*] $dollar subject:expr) => {
                $($(
                    $dollar($dollar attribute)*
                    #[tokio::test]
                    async fn $case() {
                        let subject = $dollar subject;
                        let cases = $crate::conformance::$list();
                        let case = cases.iter().find(|case| case.name() == stringify!($case));
                        case.expect("a stamped case is a listed one").run(&subject).await;
                    }
                )*)*
            };
            ($dollar($dollar input:tt)+) => {
                $crate::$stamp! { @ [] $dollar($dollar input)+ }
            };
        }
    };
}

suite! {
    $
    /// What every [`Storage`](crate::storage::Storage) promises.
    fn storage_cases() of dyn Subject;
    /// Stamps one `#[tokio::test]` for each of [`storage_cases`](crate::conformance::storage_cases), on a fresh
    /// [`Subject`](crate::conformance::Subject): the expression, which may await, is evaluated for each. Attributes before
    /// it, as `#[ignore]`, are put on each test.
    macro storage_conformance;
    health {
        a_storage_that_is_there_answers
    }
    keys {
        a_key_is_found_as_it_was_inserted_with_its_owners_account
        a_digest_of_no_key_finds_nothing
        a_key_of_a_user_without_a_family_is_found_without_a_membership
        keys_are_listed_newest_first_then_by_id_descending
        a_listed_key_is_as_it_was_inserted
        keys_are_listed_for_their_owner_only
        a_key_is_listed_until_the_instant_of_its_expiry_and_found_after_it
        a_revoked_key_is_found_as_revoked_and_not_listed
        a_key_is_revoked_once
        a_key_is_revoked_by_its_owner_only
        an_expired_key_can_still_be_revoked
        of_many_revocations_at_once_exactly_one_wins
        scopes_of_another_version_are_kept_and_the_mode_is_what_the_scopes_say
        the_fields_of_a_seeded_key_are_kept
    }
    key_insertion {
        a_key_for_nobody_is_not_inserted
        a_key_for_the_personal_api_needs_it_switched_on
        the_condition_is_judged_before_the_limit
        the_limit_is_of_one_user
        only_active_keys_count_towards_the_limit
        a_revocation_makes_room_under_the_limit
        a_digest_that_exists_is_a_fault_and_stays_its_owners
        of_many_insertions_at_once_one_takes_the_last_place
    }
    key_use {
        a_use_is_seen_where_the_key_is_found_and_where_it_is_listed
        the_last_use_never_goes_back
        uses_are_written_down_for_a_thousand_at_once_and_those_that_are_nobodys_are_passed_over
        a_use_changes_nothing_else_of_a_key
        a_use_does_not_change_the_revision
    }
    key_purge {
        a_purge_deletes_keys_that_ended_by_its_instant_and_no_others
        a_purge_deletes_the_oldest_keys_and_no_more_than_it_may
        a_purge_spares_the_keys_that_it_is_given
        a_purge_of_one_user_keeps_the_keys_that_ended_last
        a_purge_of_one_user_deletes_no_more_than_it_may
        of_many_purges_at_once_each_key_is_deleted_by_one
    }
    users {
        an_account_tells_family_flag_and_zone
        somebody_who_is_not_there_is_not_found
        a_profile_has_every_field_as_it_was_stored
        switching_the_personal_api_changes_that_and_nothing_else
        an_empty_change_of_a_profile_changes_nothing
        a_switch_is_seen_by_the_next_look_at_the_account_and_the_key
    }
    boards {
        a_private_board_is_seen_by_its_owner_only
        a_private_board_of_nobody_is_seen_by_nobody
        boards_are_ordered_by_order_then_age_then_id
        columns_are_ordered_by_order_then_id_and_shown_empty
        a_board_and_its_columns_have_every_field_as_it_was_stored
        a_family_without_anything_reads_as_empty_lists
        a_document_is_what_serde_writes_for_its_records
    }
    tasks {
        the_filter_lets_through_open_tasks_done_ones_or_both
        a_private_task_is_seen_by_its_creator_only
        on_a_private_board_the_board_is_judged_before_the_task
        tasks_of_another_family_are_not_seen
        tasks_are_ordered_by_order_then_id
        a_task_has_every_field_as_it_was_stored
        people_who_left_the_family_are_null_beside_their_id
    }
    events {
        an_event_has_every_field_as_it_was_stored
        an_assignee_of_an_event_who_left_is_null_beside_their_id
        events_of_another_family_are_not_seen
        events_are_ordered_by_start_then_id
        from_keeps_events_that_start_at_its_instant_or_later
        to_keeps_events_that_end_at_its_instant_or_earlier
        from_and_to_together_keep_what_lies_in_both
    }
    shopping {
        a_private_list_is_seen_by_its_owner_only
        a_private_item_is_seen_by_who_added_it_and_sees_its_list
        lists_are_ordered_by_sort_order_then_name_then_id
        unchecked_items_come_first_then_the_older_then_by_id
        a_list_and_its_items_have_every_field_as_it_was_stored
        who_added_an_item_and_left_is_null_beside_their_id
    }
    notes {
        notes_of_another_family_are_not_seen
        pinned_notes_come_first_then_the_newest_then_by_id
        a_note_has_every_field_as_it_was_stored
        an_author_who_left_is_null_beside_their_id
    }
    task_stats {
        tasks_assigned_to_the_member_and_unassigned_ones_of_theirs_count
        tasks_that_the_member_does_not_see_do_not_count
        a_private_task_of_another_does_not_count_though_it_is_assigned_to_the_member
        a_period_holds_its_first_instant_and_not_the_next_ones
        only_what_is_done_counts_as_done
    }
    task_fields {
        every_field_that_is_named_is_set
        a_field_that_is_left_out_stays
        null_clears_description_due_date_and_assignee
        a_due_day_begins_in_the_callers_time_zone
        a_task_keeps_the_instant_at_which_it_was_first_done_until_it_is_reopened
        an_empty_change_of_a_task_changes_nothing_and_returns_it
        a_change_that_names_a_field_as_it_is_still_sets_updated_at
        an_order_that_is_set_pushes_nothing
        one_task_is_changed_and_no_other
        a_task_that_the_member_does_not_see_is_not_found_and_stays
        changes_of_different_fields_of_a_task_at_once_all_hold
    }
    task_column {
        a_task_goes_behind_the_highest_of_all_others_seen_or_not_open_or_done
        a_task_goes_behind_a_done_one
        a_task_that_goes_to_an_empty_column_is_its_first
        a_task_that_goes_to_its_own_column_goes_behind_the_others
        the_end_of_a_column_may_pass_the_limit_of_an_order
        an_order_beside_the_column_is_taken_as_given
        a_column_that_is_not_there_for_the_member_is_not_found_and_nothing_changes
        a_task_that_lands_on_a_private_board_loses_an_assignee_who_is_not_its_owner
        a_task_that_lands_on_a_private_board_keeps_its_owner_as_assignee
        a_task_may_land_on_a_private_board_and_be_assigned_to_its_owner_at_once
    }
    task_people {
        a_member_of_the_family_can_be_assigned
        somebody_who_is_not_in_the_family_is_not_found_as_assignee_and_nothing_changes
        a_private_task_can_be_assigned_to_its_creator_or_nobody
        a_task_on_a_private_board_can_be_assigned_to_the_boards_owner_or_nobody
        a_task_is_made_private_by_its_creator_who_becomes_its_assignee
        null_as_assignee_beside_private_counts_as_left_out
        nobody_but_its_creator_makes_a_task_private
        a_task_that_is_made_private_takes_no_other_assignee
        a_task_that_its_creator_opens_to_the_family_is_seen_by_everybody
    }
    task_move {
        a_moved_task_takes_its_place_and_is_returned_as_it_is_then
        where_the_place_is_taken_all_from_there_on_make_room_seen_or_not_open_or_done
        a_place_that_only_an_invisible_task_takes_is_taken
        a_place_that_only_a_done_task_takes_is_taken
        a_free_place_pushes_nothing
        tasks_that_make_room_keep_their_updated_at_and_all_else
        a_task_does_not_stand_in_its_own_way
        a_task_moves_within_its_column
        making_room_may_pass_the_limit_of_an_order
        a_move_leaves_every_other_column_as_it_is
        a_move_to_a_private_board_takes_the_assignee_away
        a_task_that_the_member_does_not_see_is_not_moved
        many_moves_to_one_place_at_once_leave_each_task_a_place_of_its_own
    }
    note_update {
        every_field_of_a_note_that_is_named_is_set
        a_field_of_a_note_that_is_left_out_stays
        null_takes_a_note_out_of_its_category
        a_category_that_is_not_the_familys_is_not_found_and_nothing_changes
        a_note_of_another_family_is_not_found_and_stays
        an_empty_change_of_a_note_changes_nothing_and_returns_it
        a_note_is_deleted_once_and_no_other_with_it
        a_note_of_another_family_is_not_deleted
        of_many_deletions_at_once_exactly_one_wins
        changes_of_different_fields_of_a_note_at_once_all_hold
    }
    author {
        a_valid_key_changes_what_its_user_may
        a_revoked_key_changes_nothing
        a_key_changes_nothing_from_the_instant_of_its_expiry
        a_key_changes_nothing_while_the_personal_api_is_off
        a_key_that_does_not_exist_changes_nothing
        a_key_changes_nothing_for_another_user
        an_author_who_left_the_family_changes_nothing
        a_session_that_does_not_exist_changes_nothing
    }
    precondition {
        an_update_of_a_task_under_the_tag_of_its_version_is_made
        an_update_of_a_task_under_another_tag_fails_and_changes_nothing
        a_change_of_a_note_under_the_tag_of_its_version_is_made
        a_change_of_a_note_under_another_tag_fails_and_changes_nothing
        a_note_is_deleted_under_the_tag_of_its_version_and_no_other
        one_tag_of_several_suffices_and_a_star_names_every_version
        the_tag_is_that_of_the_record_that_the_last_write_returned
        what_is_not_there_for_the_member_is_not_found_whatever_the_precondition
        a_precondition_is_asked_before_the_records_that_an_update_names_and_before_the_rules
        of_many_updates_of_a_task_at_once_that_name_one_version_exactly_one_is_made
        of_many_changes_and_deletions_of_a_note_at_once_that_name_one_version_exactly_one_is_made
    }
    revision {
        a_changed_task_changes_the_revision
        a_moved_task_changes_the_revision
        a_changed_note_changes_the_revision
        a_deleted_note_changes_the_revision
        each_of_several_changes_has_a_revision_of_its_own
        a_document_that_tells_a_revision_tells_the_accounts
        a_change_changes_the_revision_that_documents_tell
        documents_that_tell_one_revision_are_the_same_whatever_is_written_meanwhile
    }
}

suite! {
    $
    /// What every [`Load`](crate::storage::Load) promises.
    fn load_cases() of dyn LoadSubject;
    /// Stamps one `#[tokio::test]` for each of [`load_cases`](crate::conformance::load_cases), on a fresh
    /// [`LoadSubject`](crate::conformance::LoadSubject), with the attributes that stand before it.
    macro load_conformance;
    load {
        what_was_loaded_is_seen_when_it_is_committed_and_not_before
        a_load_that_is_dropped_leaves_nothing
        a_load_with_a_refused_record_leaves_nothing
        a_second_load_adds_to_the_first
        an_unknown_parent_is_refused_by_its_field
        a_category_of_another_family_is_no_parent
        a_child_before_its_parent_is_refused
        an_id_that_exists_in_any_family_is_refused
        an_id_that_came_earlier_in_the_load_is_refused
        of_several_records_that_do_not_fit_the_first_is_refused
        records_of_different_kinds_may_have_the_same_id
        an_address_and_a_token_hash_that_exist_are_refused
        a_loaded_record_changes_the_revision_of_its_family
    }
}

suite! {
    $
    /// What every [`Credentials`](crate::storage::CredentialStorage) promises.
    fn credentials_cases() of dyn CredentialsSubject;
    /// Stamps one `#[tokio::test]` for each of [`credentials_cases`](crate::conformance::credentials_cases), on a fresh
    /// [`CredentialsSubject`](crate::conformance::CredentialsSubject), with the attributes that stand before it.
    macro credentials_conformance;
    credentials {
        a_password_is_found_by_its_users_address
        an_address_that_no_text_can_be_is_nobodys
        another_password_takes_the_place_of_the_first
        a_password_of_nobody_is_not_kept
        another_password_ends_the_sessions_of_its_user_and_no_others
        a_session_is_found_until_the_instant_of_its_expiry
        a_session_ends_once_and_no_other_with_it
        a_session_that_exists_is_a_fault_and_stays_its_users
        a_session_begins_with_the_password_of_the_moment_only
        no_session_outlives_the_password_that_it_began_with
        a_session_changes_what_its_user_may
        a_session_that_was_ended_changes_nothing
        a_session_changes_nothing_after_another_password
        a_session_changes_nothing_from_the_instant_of_its_expiry
        a_session_changes_nothing_for_another_user
        a_purge_deletes_expired_sessions_and_no_open_ones
        a_purge_of_one_users_sessions_keeps_those_that_expire_last
    }
}
