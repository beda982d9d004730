//! Mistakes that an engineer can make in this app, each with a case of the suite that finds it.

use family_api_conformance::storage_cases;
use family_api_core::resource::ResourceKind;
use family_api_core::storage::{FamilyStore, Member, Needs, StorageError, UserStorage};

use super::suite::Installed;

/// A mistake in the app: another statement, or other code where the app asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    TodosOfAllHouseholds,
    BuysOfAllHouseholds,
    PeopleOfAllHouseholds,
    LeaversRead,
    DeletesAllTodos,
    DeletesOnlyBought,
    KeepsBoughtOnDelete,
    LosesNotes,
    LosesDue,
    LosesWho,
    LosesAmount,
    LosesColour,
    KeepsBought,
    ForgetsTheUpdate,
    LocalTime,
    WholeSeconds,
    OffByOneId,
    ReusesIds,
    IdOfTheOtherTable,
    AnyZeros,
    ReplyOfAnyMember,
    ForgetsAnswers,
    ForgetsNewReplies,
    ForgetsAllReplies,
    SwitchesEveryUser,
    SwitchesOff,
    ReturnsTheOldProfile,
    CreatesBlindly,
    ReadsBeforeTheLock,
    StoresOnlyTheLastWrite,
    DoesNotCommit,
    SwallowsFaults,
}

impl Flaw {
    /// Returns the statement with this mistake.
    pub(super) fn edit(self, statement: &str) -> String {
        let (from, to) = match self {
            Self::TodosOfAllHouseholds => ("FROM todo\n    WHERE home = ?1", "FROM todo WHERE ?1 = ?1"),
            Self::BuysOfAllHouseholds => ("FROM buy\n    WHERE home = ?1", "FROM buy WHERE ?1 = ?1"),
            Self::PeopleOfAllHouseholds => ("FROM person WHERE home = ?1", "FROM person WHERE ?1 = ?1"),
            Self::DeletesAllTodos => ("DELETE FROM todo WHERE todo_id = ?1", "DELETE FROM todo WHERE ?1 = ?1"),
            Self::DeletesOnlyBought => ("DELETE FROM buy WHERE", "DELETE FROM buy WHERE bought AND"),
            Self::KeepsBoughtOnDelete => ("DELETE FROM buy WHERE", "DELETE FROM buy WHERE NOT bought AND"),
            Self::LosesNotes => ("notes = ?4, ", ""),
            Self::LosesDue => ("due = ?6, ", "due = coalesce(?6, due), "),
            Self::LosesWho => ("?5, ?6, ?7, ?8", "?5, ?6, NULL, ?8"),
            Self::LosesAmount => ("SET what = ?3, how_much = ?4", "SET what = ?3"),
            Self::LosesColour => ("called, colour FROM", "called, NULL FROM"),
            Self::KeepsBought => ("bought = ?5", "bought = max(bought, ?5)"),
            Self::ForgetsTheUpdate => (", touched = ?9", ""),
            Self::LocalTime => {
                ("done_at, due, who, made, touched FROM", "done_at, due + 3600000, who, made, touched FROM")
            }
            Self::WholeSeconds => ("who, made, touched FROM", "who, made / 1000 * 1000, touched FROM"),
            Self::OffByOneId => ("1 + coalesce((SELECT seq", "coalesce((SELECT seq"),
            Self::ReusesIds => ("SELECT seq FROM sqlite_sequence WHERE name = 'todo'", "SELECT max(todo_id) FROM todo"),
            Self::IdOfTheOtherTable => ("name = 'buy'", "name = 'todo'"),
            Self::AnyZeros => (" AND cast(person_id AS TEXT) = ?1", ""),
            Self::ReplyOfAnyMember => ("PRIMARY KEY (home, person, key)", "PRIMARY KEY (home, key)"),
            Self::ForgetsNewReplies => ("at <= ?1", "at >= ?1"),
            Self::ForgetsAllReplies => (" ORDER BY at LIMIT ?2", " OR ?2"),
            Self::SwitchesEveryUser => {
                ("api_on) WHERE person_id = ?1 AND cast(person_id AS TEXT) = ?1", "api_on) WHERE ?1 = ?1")
            }
            Self::SwitchesOff => ("coalesce(?2, api_on)", "coalesce(?2, 0)"),
            _ => return statement.to_owned(),
        };
        statement.replace(from, to)
    }
}

/// The mistakes, each with a case that finds it.
const FOUND: [(Flaw, &str); 29] = [
    (Flaw::TodosOfAllHouseholds, "tasks_of_another_family_are_not_visible"),
    (Flaw::BuysOfAllHouseholds, "invisible_records_can_be_neither_updated_nor_deleted"),
    (Flaw::PeopleOfAllHouseholds, "only_the_current_members_of_the_own_family_are_listed"),
    (Flaw::LeaversRead, "a_user_who_left_the_family_reads_none_of_its_data"),
    (Flaw::DeletesAllTodos, "a_deleted_record_is_in_no_document"),
    (Flaw::DeletesOnlyBought, "a_deleted_record_is_in_no_document"),
    (Flaw::KeepsBoughtOnDelete, "a_deleted_record_is_in_no_document"),
    (Flaw::LosesNotes, "a_task_change_sets_every_given_field"),
    (Flaw::LosesDue, "null_clears_description_due_date_and_assignee"),
    (Flaw::LosesWho, "a_created_record_has_the_given_fields_and_its_author"),
    (Flaw::LosesAmount, "an_update_of_any_record_is_stored_and_returned"),
    (Flaw::LosesColour, "every_field_of_a_member_is_returned"),
    (Flaw::KeepsBought, "an_update_of_any_record_is_stored_and_returned"),
    (Flaw::ForgetsTheUpdate, "setting_a_field_to_another_value_updates_updated_at"),
    (Flaw::LocalTime, "every_field_of_a_task_is_returned"),
    (Flaw::OffByOneId, "a_created_record_has_the_given_fields_and_its_author"),
    (Flaw::ReusesIds, "a_key_of_a_deleted_record_returns_not_found"),
    (Flaw::IdOfTheOtherTable, "a_creation_is_repeated_although_the_limit_is_reached"),
    (Flaw::ReplyOfAnyMember, "each_user_has_separate_idempotency_keys"),
    (Flaw::ForgetsAnswers, "a_repeated_creation_returns_the_first_record"),
    (Flaw::ForgetsNewReplies, "a_purge_deletes_only_idempotency_keys_of_the_given_time"),
    (Flaw::ForgetsAllReplies, "a_purge_deletes_only_idempotency_keys_of_the_given_time"),
    (Flaw::SwitchesEveryUser, "toggling_the_personal_api_changes_no_other_profile_field"),
    (Flaw::SwitchesOff, "an_empty_profile_change_changes_nothing"),
    (Flaw::ReturnsTheOldProfile, "toggling_the_personal_api_changes_no_other_profile_field"),
    (Flaw::CreatesBlindly, "a_family_has_at_most_the_maximum_number_of_records"),
    (Flaw::ReadsBeforeTheLock, "concurrent_changes_to_different_task_fields_are_all_kept"),
    (Flaw::StoresOnlyTheLastWrite, "a_repeated_creation_returns_the_first_record"),
    (Flaw::DoesNotCommit, "an_update_of_any_record_is_stored_and_returned"),
];

/// Returns whether a case fails on an app with the flaw.
async fn fails(flaw: Flaw, name: &str) -> bool {
    let case = storage_cases().into_iter().find(|case| case.name() == name).unwrap();
    let subject = Installed::new(Some(flaw)).await;
    tokio::spawn(async move { case.run(&subject).await }).await.is_err_and(|error| error.is_panic())
}

#[tokio::test]
async fn a_case_of_the_suite_finds_each_flaw() {
    let mut missed = Vec::new();
    for (flaw, case) in FOUND {
        if !fails(flaw, case).await {
            missed.push((flaw, case));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// The subject stops no database, so no case of the suite finds this flaw.
#[tokio::test]
async fn a_fault_is_no_empty_family() {
    let member = Member { user: "1".parse().unwrap(), family: "10".parse().unwrap() };
    let needs = Needs::of_resource(ResourceKind::Tasks);
    for (flaw, faulty) in [(None, true), (Some(Flaw::SwallowsFaults), false)] {
        let installed = Installed::new(flaw).await;
        let app = &installed.app;
        sqlx::raw_sql("INSERT INTO person VALUES (1, 10, 'Ana', 'a@b.c', NULL, TRUE); DROP TABLE todo")
            .execute(&app.writer)
            .await
            .unwrap();
        let loaded: Result<_, StorageError> = app.load(&member, &needs).await;
        assert_eq!(loaded.is_err(), faulty, "{flaw:?}");
    }
}

/// Checks an id with a zero in front and the milliseconds of instants in the rows of the app.
#[tokio::test]
async fn checks_of_the_app_find_the_other_flaws() {
    for flaw in [None, Some(Flaw::WholeSeconds), Some(Flaw::AnyZeros)] {
        let installed = Installed::new(flaw).await;
        let app = &installed.app;
        let rows = "INSERT INTO person VALUES (1, 10, 'Ana', 'ana@example.org', NULL, TRUE);
            INSERT INTO todo VALUES (7, 10, 'Water', NULL, NULL, NULL, NULL, 1763640000123, 1763640000123)";
        sqlx::raw_sql(rows).execute(&app.writer).await.unwrap();
        let member = Member { user: "1".parse().unwrap(), family: "10".parse().unwrap() };
        let todos = app.load(&member, &Needs::of_resource(ResourceKind::Tasks)).await.unwrap().tasks;
        let found = [
            (Flaw::WholeSeconds, todos[0].created_at.as_millis() != 1_763_640_000_123),
            (Flaw::AnyZeros, app.find_profile(&"01".parse().unwrap()).await.unwrap().is_some()),
        ];
        let found: Vec<_> = found.into_iter().filter_map(|(flaw, found)| found.then_some(flaw)).collect();
        assert_eq!(found, Vec::from_iter(flaw));
    }
}
