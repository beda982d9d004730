//! Mistakes that boards could have, each with a case of the suite that finds it.

use family_api_conformance::{Subject, storage_cases};
use family_api_core::storage::{Change, FamilyData, FamilyWrite, FoundCredential, KeyState, Member, StorageError};

use super::subject::Installed;

/// A mistake in the code or in a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flaw {
    AcceptsRevokedKeys,
    CountsCharacters,
    CountsNoNewZone,
    CountsNoRevision,
    DeletesEveryCard,
    DoesNotCommit,
    FaultsAreEmpty,
    FindsUsersByAnyCase,
    ForgetsAnswers,
    ForgetsDeletedRecords,
    HidesDoneCards,
    KeepsRestoredInTrash,
    ListsPeopleOfEveryTeam,
    LeaversRead,
    LoadsBeforeTheLock,
    Loses(&'static str),
    MisspellsNeeds,
    PurgesEverything,
    PurgesTooLate,
    PurgesTheNewest,
    PurgesOtherKinds,
    PurgesOtherTeams,
    PurgesAnswersOfOthers,
    ReadsCardsOfEveryTeam,
    ReadsNotesOfEveryTeam,
    RestoresFromEveryTeam,
    RoundsTime,
    ShiftsAlways,
    ShiftsEveryLane,
    ShiftsTooFew,
    SortsLabels,
    StoresLocalTime,
    SwitchesEveryoneOff,
    SwitchesOffByDefault,
    TakesOutEveryDeletedRecord,
    TakesOutOtherKinds,
    TouchesShiftedCards,
    TrimsTitles,
}

/// Each flaw, the text of a statement that it replaces, the replacement, and a case that fails.
#[rustfmt::skip]
const FLAWS: &[(Flaw, &str, &str, &str)] = &[
    (Flaw::AcceptsRevokedKeys, "", "", "a_write_with_a_revoked_key_is_refused"),
    (Flaw::DoesNotCommit, "", "", "an_update_of_any_record_is_stored_and_returned"),
    (Flaw::LoadsBeforeTheLock, "", "", "concurrent_changes_to_different_task_fields_are_all_kept"),
    (Flaw::ForgetsAnswers, "?2, ?2->>'createdAt'", "?2, ?2->>'createdAt' WHERE FALSE",
        "a_repeated_creation_returns_the_first_record"),
    (Flaw::CountsNoRevision, "revision + 1", "revision", "each_write_of_any_record_changes_the_revision"),
    (Flaw::DeletesEveryCard, "DELETE FROM card WHERE team = ?1 AND id = ?2->>'id'", "DELETE FROM card WHERE team = ?1",
        "a_deleted_record_is_in_no_document"),
    (Flaw::FindsUsersByAnyCase, "person.id = ?1", "person.id = ?1 COLLATE NOCASE", "an_unknown_user_is_not_found"),
    (Flaw::ForgetsDeletedRecords, "?2->>'deletedAt'", "?2->>'deletedAt' WHERE FALSE",
        "a_restored_record_equals_the_deleted_record"),
    (Flaw::HidesDoneCards, "FROM card WHERE team = ?1 AND (", "FROM card WHERE team = ?1 AND done IS NULL AND (",
        "the_filter_selects_open_tasks_done_tasks_or_both"),
    (Flaw::KeepsRestoredInTrash, "DELETE FROM trash WHERE team", "DELETE FROM trash WHERE FALSE AND team",
        "a_restored_record_is_no_longer_listed"),
    (Flaw::TakesOutEveryDeletedRecord, "kind = ?2->>'kind' AND id = ?2->>'id'", "kind = ?2->>'kind'",
        "a_family_keeps_the_records_that_were_deleted_last"),
    (Flaw::TakesOutOtherKinds, "kind = ?2->>'kind' AND id = ?2->>'id'", "id = ?2->>'id'",
        "a_restoration_keeps_the_deleted_record_of_another_kind_with_this_id"),
    (Flaw::RestoresFromEveryTeam, "FROM trash WHERE team = ?1 AND kind = ?4", "FROM trash WHERE kind = ?4",
        "a_member_restores_only_records_that_they_could_see"),
    (Flaw::ListsPeopleOfEveryTeam, "FROM person WHERE team = ?1)", "FROM person)",
        "only_the_current_members_of_the_own_family_are_listed"),
    (Flaw::LeaversRead, " AND EXISTS (SELECT 1 FROM person WHERE person.id = ?2 AND person.team = ?1)", "",
        "a_user_who_left_the_family_reads_none_of_its_data"),
    (Flaw::ReadsCardsOfEveryTeam, "FROM card WHERE team = ?1 AND (", "FROM card WHERE (",
        "only_records_of_the_own_family_count_towards_the_limit"),
    (Flaw::ReadsNotesOfEveryTeam, "FROM note WHERE team = ?1 AND (", "FROM note WHERE (",
        "notes_of_another_family_are_not_visible"),
    (Flaw::MisspellsNeeds, "id = ?3->>'tasks'", "id = ?3->>'task'", "a_found_task_equals_the_listed_task"),
    (Flaw::PurgesEverything, "deleted <= ?1 ORDER BY deleted LIMIT ?2", "deleted <= ?1",
        "a_purge_deletes_only_records_deleted_by_the_given_time"),
    (Flaw::PurgesTooLate, "deleted <= ?1", "deleted < ?1", "a_purge_deletes_only_records_deleted_by_the_given_time"),
    (Flaw::PurgesTheNewest, "ORDER BY deleted DESC, id DESC", "ORDER BY deleted, id",
        "a_family_keeps_the_records_that_were_deleted_last"),
    (Flaw::PurgesOtherKinds, "FROM trash WHERE team = ?1 AND kind = ?2", "FROM trash WHERE team = ?1",
        "deletions_of_one_kind_keep_deleted_records_of_others"),
    (Flaw::PurgesOtherTeams, "FROM trash WHERE team = ?1 AND kind = ?2", "FROM trash WHERE kind = ?2",
        "a_family_keeps_the_records_that_were_deleted_last"),
    (Flaw::PurgesAnswersOfOthers, "FROM answer WHERE team = ?1 AND person = ?2)", "FROM answer WHERE team = ?1)",
        "keys_of_one_user_displace_no_keys_of_another"),
    (Flaw::CountsCharacters, "octet_length", "length", "deleted_records_of_a_family_have_a_maximum_size"),
    (Flaw::RoundsTime, "?2->>'updatedAt'", "strftime('%Y-%m-%dT%H:%M:%SZ', ?2->>'updatedAt')",
        "setting_a_field_to_another_value_updates_updated_at"),
    (Flaw::StoresLocalTime, "?2->>'dueDate'", "strftime('%Y-%m-%dT%H:%M:%fZ', ?2->>'dueDate', '+1 hour')",
        "a_task_change_sets_every_given_field"),
    (Flaw::ShiftsAlways, "EXISTS (SELECT 1\n", "1 IN (SELECT 1 UNION SELECT 1\n",
        "a_move_to_a_free_order_shifts_nothing"),
    (Flaw::ShiftsEveryLane, "lane = ?2->>'columnId' AND id <> ?2->>'id' AND position >=", "position >=",
        "a_move_does_not_change_other_columns"),
    (Flaw::ShiftsTooFew, "position >= ", "position > ", "a_move_to_a_taken_order_shifts_all_following_tasks"),
    (Flaw::TouchesShiftedCards, "SET position", "SET changed = ?2->>'updatedAt', position",
        "shifted_tasks_change_only_their_order"),
    (Flaw::SwitchesEveryoneOff, "coalesce(?2, api) WHERE id = ?1", "coalesce(?2, api) WHERE ?1 = ?1",
        "toggling_the_personal_api_changes_no_other_profile_field"),
    (Flaw::CountsNoNewZone, "+ 1 WHERE id = (", "WHERE id = (", "a_new_time_zone_changes_the_revision"),
    (Flaw::SwitchesOffByDefault, "coalesce(?2, api)", "coalesce(?2, FALSE)", "an_empty_profile_change_changes_nothing"),
    (Flaw::SortsLabels, "?2->'labels'", "(SELECT json_group_array(value ORDER BY value) FROM json_each(?2->'labels'))",
        "a_task_change_sets_every_given_field"),
    (Flaw::TrimsTitles, "?2->>'title'", "trim(?2->>'title')", "a_note_change_sets_every_given_field"),
    (Flaw::Loses("description"), "?2->>'description'", "NULL", "an_update_of_any_record_is_stored_and_returned"),
    (Flaw::Loses("color"), "?2->>'color'", "NULL", "an_update_of_any_record_is_stored_and_returned"),
    (Flaw::Loses("priority"), "?2->>'priority'", "'MEDIUM'", "a_task_change_sets_every_given_field"),
    (Flaw::Loses("dueDate"), "?2->>'dueDate'", "NULL", "a_task_change_sets_every_given_field"),
    (Flaw::Loses("completedAt"), "?2->>'completedAt'", "NULL", "completed_at_is_kept_until_the_task_is_reopened"),
    (Flaw::Loses("labels"), "?2->'labels'", "'[]'", "a_task_change_sets_every_given_field"),
    (Flaw::Loses("assigneeId"), "?2->>'assigneeId'", "NULL", "a_task_can_be_assigned_to_a_family_member"),
    (Flaw::Loses("creatorId"), "?2->>'creatorId'", "NULL", "a_created_record_has_the_given_fields_and_its_author"),
    (Flaw::Loses("authorId"), "?2->>'authorId'", "NULL", "a_created_record_has_the_given_fields_and_its_author"),
    (Flaw::Loses("ownerUserId"), "?2->>'ownerUserId'", "NULL", "a_created_record_has_the_given_fields_and_its_author"),
    (Flaw::Loses("tags"), "?2->'tags'", "'[]'", "a_note_change_sets_every_given_field"),
    (Flaw::Loses("pinned"), "?2->>'pinned'", "FALSE", "a_created_record_has_the_given_fields_and_its_author"),
    (Flaw::Loses("image"), "avatar,", "NULL,", "every_field_of_a_profile_is_returned"),
];

impl Flaw {
    /// Returns the statement with the mistake.
    pub(super) fn edit(self, text: &str) -> String {
        let row = FLAWS.iter().find(|(flaw, from, ..)| *flaw == self && !from.is_empty());
        row.map_or_else(|| text.to_owned(), |(_, from, to, _)| text.replace(from, to))
    }
}

/// Decides on the credential as if no key could be revoked.
pub(super) async fn writes_with_an_active_key(
    change: Change<'_>,
    data: &FamilyData,
) -> Result<Vec<FamilyWrite>, StorageError> {
    let mut credential = change.credential.await?;
    if let FoundCredential::Key(Some(found)) = &mut credential {
        found.state = KeyState::Active;
    }
    Ok((change.decide)(credential, data))
}

#[tokio::test]
async fn the_named_case_finds_its_flaw() {
    let mut survivors = Vec::new();
    for (flaw, _, _, name) in FLAWS {
        let case = storage_cases().into_iter().find(|case| case.name() == *name).unwrap();
        let run = tokio::spawn(async move { case.run(&Installed::new(Some(*flaw)).await).await });
        if run.await.is_ok() {
            survivors.push((*flaw, *name));
        }
    }
    assert!(survivors.is_empty(), "{survivors:#?}");
}

/// The suite cannot stop the database.
#[tokio::test]
async fn a_fault_is_no_empty_list() {
    for (flaw, is_error) in [(None, true), (Some(Flaw::FaultsAreEmpty), false)] {
        let installed = Installed::new(flaw).await;
        installed.app.readers.close().await;
        let member = Member { user: "ana".parse().unwrap(), family: "red".parse().unwrap() };
        assert_eq!(installed.storage().list_notes(&member).await.is_err(), is_error, "{flaw:?}");
    }
}
