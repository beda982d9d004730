//! The cases for the optional traits of storages.

use crate::case::Needs;
use crate::fixture::seed_families;
use crate::update::{fields, missing, records, refusals, revisions, users};
use crate::writes::kinds::seed_containers;
use crate::{
    Case, CredentialsSubject, FeedsSubject, GrantsSubject, LoadSubject, UpdateSubject, credentials, feeds,
    grant_author, grant_end, grant_misuse, grants, load,
};

suite! {
    $
    /// Returns the cases for every [`BulkLoad`](family_api_core::storage::BulkLoad).
    fn load_cases() of dyn LoadSubject;
    /// Generates one `#[tokio::test]` for each of [`load_cases`].
    ///
    /// The argument is an expression that creates a new [`LoadSubject`]. Attributes before the
    /// expression are added to each test.
    macro load_conformance;
    load storing everything {
        loaded_records_become_visible_on_commit_not_before
        a_dropped_load_stores_nothing
        a_load_with_a_refused_record_stores_nothing
        a_second_load_adds_to_the_first
        an_unknown_parent_is_refused_with_the_field_name
        a_parent_of_another_family_is_refused
        a_child_before_its_parent_is_refused
        an_id_that_exists_in_the_family_is_refused
        an_id_of_another_family_is_accepted_and_kept_apart
        writes_leave_equal_ids_of_other_families_alone
        a_repeated_id_within_a_load_is_refused
        the_first_of_several_invalid_records_is_reported
        records_of_different_kinds_can_share_an_id
        an_existing_email_or_token_hash_is_refused
        loading_a_record_changes_the_revision_of_its_family
        an_event_without_a_zone_gets_that_of_the_first_member
        an_event_in_an_unknown_zone_is_listed
    }
    load storing everything logging changes {
        a_load_expires_earlier_revisions
    }
}

suite! {
    $
    /// Returns the cases for every [`BulkUpdate`](family_api_core::storage::BulkUpdate).
    fn update_cases() of dyn UpdateSubject;
    /// Generates one `#[tokio::test]` for each of [`update_cases`].
    ///
    /// The argument is an expression that creates a new [`UpdateSubject`]. Attributes before the
    /// expression are added to each test.
    macro update_conformance;
    records storing everything after seed_families {
        an_update_becomes_visible_on_commit_not_before
        a_reader_sees_all_changes_of_an_update_or_none
        a_dropped_update_changes_nothing
        a_preview_counts_like_a_commit_and_changes_nothing
        the_records_of_each_kind_are_counted
        an_update_keeps_equal_ids_of_other_families_apart
        an_update_creates_a_deleted_record_again
        records_of_an_update_count_towards_the_limit
        concurrent_updates_run_one_after_another
    }
    fields storing everything {
        an_update_creates_records_with_every_field
        an_update_replaces_every_field_of_a_record
        an_update_without_a_zone_keeps_the_zone_of_the_event
        an_update_raises_the_sequence_of_a_changed_record
        an_update_raises_the_sequence_of_a_deleted_record
    }
    revisions storing everything {
        an_update_changes_the_revision_of_the_changed_family_only
        an_update_without_changes_keeps_the_revision
        a_user_who_moves_changes_the_revisions_of_both_families
    }
    revisions storing everything logging changes {
        an_update_expires_the_earlier_revisions_of_its_families
    }
    refusals storing everything {
        an_update_with_a_refused_record_changes_nothing
        an_update_refuses_a_parent_that_is_not_in_the_family
        an_update_refuses_a_child_before_its_parent
        an_update_refuses_a_repeated_id
        an_update_refuses_the_email_or_token_hash_of_another_record
        an_update_refuses_another_owner_or_token_hash_of_a_key
        an_update_refuses_a_category_below_itself
        an_update_reports_the_first_of_several_refused_records
        an_update_that_deletes_contains_every_parent
    }
    users storing everything {
        a_user_leaves_a_family_only_if_the_update_contains_it
        a_password_of_an_update_ends_the_sessions_of_its_user
        an_update_without_a_password_keeps_the_password_and_the_sessions
        a_key_that_is_revoked_stays_revoked
    }
    missing storing everything {
        an_update_keeps_missing_records
        an_update_deletes_the_missing_records_of_its_families_only
        an_update_deletes_the_keys_of_missing_users_only
        an_update_deletes_the_feeds_of_missing_users_only
        an_update_deletes_the_sessions_of_missing_users_only
        an_update_deletes_the_grants_of_missing_users_only
        deleted_private_records_of_a_missing_user_are_forgotten
        an_idempotency_key_of_a_missing_user_is_forgotten
        an_email_is_given_up_before_another_user_gets_it
    }
}

suite! {
    $
    /// Returns the cases for every [`CredentialStorage`](family_api_core::storage::CredentialStorage).
    fn credentials_cases() of dyn CredentialsSubject;
    /// Generates one `#[tokio::test]` for each of [`credentials_cases`].
    ///
    /// The argument is an expression that creates a new [`CredentialsSubject`]. Attributes before the
    /// expression are added to each test.
    macro credentials_conformance;
    credentials {
        a_password_is_found_by_email_address
        an_email_address_with_a_nul_byte_matches_no_user
        a_new_password_replaces_the_old_one
        a_password_for_an_unknown_user_is_not_stored
        a_new_password_ends_only_the_sessions_of_its_user
        a_session_is_found_until_it_expires
        deleting_a_session_succeeds_once_and_keeps_the_others
        inserting_an_existing_session_fails_and_keeps_the_first
        a_session_requires_the_current_password
        a_concurrent_password_change_leaves_no_old_session
        a_valid_session_allows_writes
        a_write_with_a_deleted_session_is_refused
        a_write_with_a_session_of_the_old_password_is_refused
        a_write_with_an_expired_session_is_refused
        a_write_with_a_session_of_another_user_is_refused
        a_purge_deletes_only_expired_sessions
        a_session_purge_keeps_the_sessions_that_expire_last
    }
}

suite! {
    $
    /// Returns the cases for every [`GrantStorage`](family_api_core::storage::GrantStorage).
    fn grants_cases() of dyn GrantsSubject;
    /// Generates one `#[tokio::test]` for each of [`grants_cases`].
    ///
    /// The argument is an expression that creates a new [`GrantsSubject`]. Attributes before the
    /// expression are added to each test.
    macro grants_conformance;
    grants after seed_families {
        a_grant_is_found_by_its_code
        an_approval_can_be_used_only_once
        inserting_an_existing_code_fails
        a_grant_requires_a_session_that_has_not_ended
        only_live_grants_count_towards_the_limit
        a_grant_replaces_the_least_used_one_of_its_client
        concurrent_insertions_do_not_exceed_the_grant_limit
        an_issued_token_finds_its_grant_and_user
        an_access_token_has_its_own_scopes
        an_access_token_returns_the_current_account
        each_secret_issues_tokens_only_once
        new_tokens_replace_the_previous_ones
        one_of_many_concurrent_redemptions_succeeds
        one_of_many_concurrent_refreshes_succeeds
        an_expired_grant_issues_no_tokens
        live_grants_are_listed_newest_first_then_by_id
        every_field_of_a_grant_is_listed
        the_last_use_of_a_grant_never_moves_backwards
        a_purge_deletes_the_grants_that_ended_first
        all_calls_return_the_same_signing_key
    }
    grant_end after seed_families {
        a_revoked_grant_has_no_access_token
        only_the_user_can_revoke_a_grant
        a_grant_can_be_ended_only_once
        all_access_of_a_user_includes_approved_and_redeemed_grants
    }
    grant_misuse after seed_families {
        a_grant_has_its_last_rotation
        misused_grants_are_listed_last_ended_first
        the_last_misuses_of_a_user_are_kept
    }
    grant_author after seed_containers {
        a_valid_access_token_allows_writes
        a_write_with_a_token_of_a_revoked_grant_is_refused
        a_write_with_an_expired_access_token_is_refused
        a_write_with_a_token_of_the_read_path_is_refused
        a_write_with_a_token_that_lacks_the_scope_is_refused
        a_write_with_a_token_is_refused_while_the_api_is_off
        a_write_with_a_token_of_another_user_is_not_found
    }
}

suite! {
    $
    /// Returns the cases for every [`FeedStorage`](family_api_core::storage::FeedStorage).
    fn feeds_cases() of dyn FeedsSubject;
    /// Generates one `#[tokio::test]` for each of [`feeds_cases`].
    ///
    /// The argument is an expression that creates a new [`FeedsSubject`]. Attributes before the
    /// expression are added to each test.
    macro feeds_conformance;
    feeds after seed_families {
        a_feed_is_found_by_its_digest
        inserting_an_existing_feed_digest_fails
        a_feed_is_written_only_in_a_session_that_has_not_ended
        only_current_feeds_count_towards_the_limit
        concurrent_insertions_do_not_exceed_the_feed_limit
        current_feeds_are_listed_newest_first_then_by_id
        only_the_owner_changes_a_current_feed
        a_change_of_a_feed_keeps_what_it_does_not_name
        a_new_time_zone_raises_the_sequence_of_a_feed
        a_deleted_feed_is_not_found
        all_access_of_a_user_includes_current_feeds
        the_last_use_of_a_feed_never_moves_backwards
        the_number_of_left_out_records_is_stored
        a_purge_deletes_only_expired_feeds
    }
}
