//! Mutation tests of the cases for updates: every flaw makes its listed cases fail, and every case fails for at least
//! one flaw.

use family_api_core::conformance::update_cases;
use tokio::task::JoinHandle;

use crate::broken_updates::{BrokenUpdates, Flaw};

/// Each flaw with a case that must fail for a storage with this flaw.
const FAILING_CASES: [(Flaw, &str); 45] = [
    (Flaw::CommitsEachRecord, "an_update_becomes_visible_on_commit_not_before"),
    (Flaw::SkipsRefusedRecords, "a_reader_sees_all_changes_of_an_update_or_none"),
    (Flaw::CommitsEachRecord, "a_dropped_update_changes_nothing"),
    (Flaw::CommitsPreviews, "a_preview_counts_like_a_commit_and_changes_nothing"),
    (Flaw::PreviewsNothing, "a_preview_counts_like_a_commit_and_changes_nothing"),
    (Flaw::OmitsKindsWithoutChanges, "the_records_of_each_kind_are_counted"),
    (Flaw::CountsUnchangedRecordsAsChanged, "the_records_of_each_kind_are_counted"),
    (Flaw::LosesLabelsOfNewTasks, "an_update_creates_records_with_every_field"),
    (Flaw::KeepsOldColumnsOfTasks, "an_update_replaces_every_field_of_a_record"),
    (Flaw::ChangesNotesOfEveryFamily, "an_update_keeps_equal_ids_of_other_families_apart"),
    (Flaw::KeepsDeletedRecords, "an_update_creates_a_deleted_record_again"),
    (Flaw::KeepsTheBoundOfNotes, "records_of_an_update_count_towards_the_limit"),
    (Flaw::CountsBeforeTheLock, "concurrent_updates_run_one_after_another"),
    (Flaw::NeverChangesTheRevision, "an_update_changes_the_revision_of_the_changed_family_only"),
    (Flaw::ChangesTheRevisionOfEveryFamily, "an_update_changes_the_revision_of_the_changed_family_only"),
    (Flaw::ChangesTheRevisionOfEveryFamily, "an_update_without_changes_keeps_the_revision"),
    (Flaw::NeverChangesTheRevision, "a_user_who_moves_changes_the_revisions_of_both_families"),
    (Flaw::CommitsEachRecord, "an_update_with_a_refused_record_changes_nothing"),
    (Flaw::NumbersRecordsFromZero, "an_update_refuses_a_parent_that_is_not_in_the_family"),
    (Flaw::ReportsFaultsWithoutField, "an_update_refuses_a_parent_that_is_not_in_the_family"),
    (Flaw::SortsRecordsByKind, "an_update_refuses_a_child_before_its_parent"),
    (Flaw::CommitsEachRecord, "an_update_refuses_a_repeated_id"),
    (Flaw::SkipsRefusedRecords, "an_update_refuses_the_email_or_token_hash_of_another_record"),
    (Flaw::SkipsRefusedRecords, "an_update_refuses_another_owner_or_token_hash_of_a_key"),
    (Flaw::SkipsRefusedRecords, "an_update_refuses_a_category_below_itself"),
    (Flaw::ReportsTheLastRecord, "an_update_reports_the_first_of_several_refused_records"),
    (Flaw::NeverDeletes, "an_update_that_deletes_contains_every_parent"),
    (Flaw::SkipsRefusedRecords, "a_user_leaves_a_family_only_if_the_update_contains_it"),
    (Flaw::KeepsFamiliesOfUsers, "a_user_leaves_a_family_only_if_the_update_contains_it"),
    (Flaw::KeepsSessions, "a_password_of_an_update_ends_the_sessions_of_its_user"),
    (Flaw::EndsSessionsOfEveryUser, "a_password_of_an_update_ends_the_sessions_of_its_user"),
    (Flaw::ForgetsPasswords, "an_update_without_a_password_keeps_the_password_and_the_sessions"),
    (Flaw::RestoresRevokedKeys, "a_key_that_is_revoked_stays_revoked"),
    (Flaw::AlwaysDeletes, "an_update_keeps_missing_records"),
    (Flaw::NeverDeletes, "an_update_deletes_the_missing_records_of_its_families_only"),
    (Flaw::DeletesNotesOfEveryFamily, "an_update_deletes_the_missing_records_of_its_families_only"),
    (Flaw::NeverDeletes, "an_update_deletes_the_keys_of_missing_users_only"),
    (Flaw::DeletesCredentialsOfEveryUser, "an_update_deletes_the_keys_of_missing_users_only"),
    (Flaw::NeverDeletes, "an_update_deletes_the_sessions_of_missing_users_only"),
    (Flaw::DeletesCredentialsOfEveryUser, "an_update_deletes_the_sessions_of_missing_users_only"),
    (Flaw::KeepsGrants, "an_update_deletes_the_grants_of_missing_users_only"),
    (Flaw::DeletesCredentialsOfEveryUser, "an_update_deletes_the_grants_of_missing_users_only"),
    (Flaw::KeepsDeletedRecords, "deleted_private_records_of_a_missing_user_are_forgotten"),
    (Flaw::KeepsIdempotencyKeys, "an_idempotency_key_of_a_missing_user_is_forgotten"),
    (Flaw::SkipsRefusedRecords, "an_email_is_given_up_before_another_user_gets_it"),
];

/// Runs the case in a separate task, which catches the panic of a failed case.
async fn run(name: &str, flaw: Option<Flaw>) -> JoinHandle<()> {
    let case = update_cases().into_iter().find(|case| case.name() == name);
    let case = case.unwrap_or_else(|| panic!("there is no case {name}"));
    let subject = BrokenUpdates::open(flaw).await;
    tokio::spawn(async move { case.run(&subject).await })
}

#[tokio::test]
async fn every_flaw_makes_its_case_fail() {
    let mut survivors = Vec::new();
    for (flaw, case) in FAILING_CASES {
        let outcome = run(case, Some(flaw)).await.await;
        if !outcome.is_err_and(|error| error.is_panic()) {
            survivors.push((flaw, case));
        }
    }
    assert!(survivors.is_empty(), "cases that pass for a storage with a flaw: {survivors:#?}");
}

#[tokio::test]
async fn every_case_passes_without_a_flaw() {
    for case in update_cases() {
        assert!(run(case.name(), None).await.await.is_ok(), "{} fails for a storage without a flaw", case.name());
    }
}

#[test]
fn every_case_fails_for_at_least_one_flaw() {
    for case in update_cases() {
        let is_listed = FAILING_CASES.iter().any(|(_, failing)| *failing == case.name());
        assert!(is_listed, "no flaw is listed for the case {}", case.name());
    }
}
