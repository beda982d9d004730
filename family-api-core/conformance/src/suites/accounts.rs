//! The cases about keys and users, which every storage has.

/// Adds the cases to a suite.
macro_rules! with_account_cases {
    ($($suite:tt)*) => {
        suite! {
            $($suite)*
            health {
                the_health_check_of_a_running_storage_succeeds
            }
            keys after seed_families {
                find_key_returns_the_key_and_the_account_of_its_owner
                an_unknown_digest_finds_no_key
                a_key_of_a_user_without_family_has_no_membership
                keys_are_listed_newest_first_then_by_id_descending
                a_listed_key_equals_the_inserted_key
                only_the_owner_of_a_key_can_list_it
                an_expired_key_is_not_listed_but_still_found
                a_revoked_key_is_not_listed_but_found_as_revoked
                a_key_can_be_revoked_only_once
                only_the_owner_can_revoke_a_key
                an_expired_key_can_still_be_revoked
                exactly_one_of_many_concurrent_revocations_succeeds
                unknown_scopes_are_kept_and_the_mode_follows_the_scopes
                every_field_of_a_loaded_key_is_returned
            }
            revoked_access after seed_families {
                all_access_of_a_user_is_revoked_at_once
                a_repeated_revocation_of_all_access_finds_nothing
                the_access_of_other_users_is_not_revoked
                all_access_of_an_unknown_user_is_not_revoked
                no_key_survives_a_concurrent_revocation_of_all_access
            }
            key_insertion after seed_families {
                a_key_for_an_unknown_user_is_not_inserted
                a_personal_api_key_requires_the_personal_api_to_be_enabled
                the_key_condition_is_checked_before_the_key_limit
                each_user_has_a_separate_key_limit
                only_active_keys_count_towards_the_limit
                a_key_can_be_inserted_after_another_key_is_revoked
                inserting_an_existing_digest_fails_and_keeps_the_first_key
                concurrent_insertions_do_not_exceed_the_key_limit
            }
            key_use {
                a_recorded_use_is_returned_by_find_key_and_list_keys
                the_last_use_never_moves_backwards
                record_uses_accepts_1000_digests_and_skips_unknown_digests
                recording_a_use_changes_no_other_field_of_the_key
                recording_a_use_does_not_change_the_revision
            }
            key_purge after seed_keys {
                a_purge_deletes_only_keys_that_ended_by_the_given_time
                a_purge_deletes_the_keys_that_ended_first_up_to_its_limit
                a_purge_keeps_the_spared_keys
                a_purge_for_one_user_keeps_the_keys_that_ended_last
                a_purge_for_one_user_deletes_at_most_its_limit
                concurrent_purges_count_each_deleted_key_once
            }
            users after seed_families {
                an_account_has_the_time_zone_api_flag_and_family_of_its_user
                an_unknown_user_is_not_found
                every_field_of_a_profile_is_returned
                toggling_the_personal_api_changes_no_other_profile_field
                an_empty_profile_change_changes_nothing
                a_new_time_zone_is_stored_for_one_user
                a_new_time_zone_changes_the_revision
                find_key_and_find_account_return_the_current_api_flag
            }
            members {
                only_the_current_members_of_the_own_family_are_listed
                a_user_who_left_the_family_reads_none_of_its_data
                members_are_sorted_by_id
                every_field_of_a_member_is_returned
            }
        }
    };
}
