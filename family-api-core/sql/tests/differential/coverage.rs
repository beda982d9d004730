//! Checks that the sequences reach every outcome. An outcome that never occurs is never compared.

use std::collections::BTreeSet;

use family_api_core::change::OccurrenceScope;
use family_api_core::resource::TaskStats;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use proptest_state_machine::ReferenceStateMachine;

use crate::STEPS;
use crate::state::StorageStateMachine;
use crate::step::{Action, OccurrenceAction, Operation};
use crate::step_result::StepResult;

/// Maximum number of generated sequences.
const MAX_SEQUENCES: usize = 1_600;

/// The expected results of each operation, as `outcome_label` formats them. `stale` is a failed precondition, `-` an
/// empty result.
const OUTCOMES: &str = "
    ChangeOccurrence all: /endDate, done, none, stale
    ChangeOccurrence following: /endDate, done, none, split, stale
    ChangeOccurrence this: /endDate, done, none, stale
    CreateBoard: done
    CreateColumn: done, none
    CreateEvent: /assigneeId, /assigneeId /endDate, /endDate, /participantIds/0, done
    CreateNote: done, none
    CreateNoteCategory: done
    CreateOnceBoard: done, mismatch
    CreateOnceColumn: done, mismatch
    CreateOnceEvent: done, existing, mismatch
    CreateOnceNote: done, existing, mismatch
    CreateOnceNoteCategory: done, mismatch
    CreateOnceShoppingItem: done, existing, mismatch
    CreateOnceShoppingList: done, mismatch
    CreateOnceTask: done, existing, mismatch
    CreateShoppingItem: done, none
    CreateShoppingList: done
    CreateTask: /assigneeId, /assigneeId /columnId, /columnId, done, none
    DeleteBoard: done, none, not empty, stale
    DeleteCheckedItems: none, some
    DeleteColumn: done, none, not empty, stale
    DeleteEvent: done, none, stale
    DeleteNote: done, none, stale
    DeleteNoteCategory: done, none, not empty, stale
    DeleteSession: false, true
    DeleteShoppingItem: done, none, stale
    DeleteShoppingList: done, none, not empty, stale
    DeleteTask: done, none, stale
    FindAccount: none, some
    FindKey: none, some
    FindPassword: none, some
    FindProfile: none, some
    FindSession: none, some
    FindTaskStats: -, open, open today week total, total, week total
    InsertKey: Inserted, LimitReached, NotSignedIn, PersonalApiDisabled, fault
    InsertSession: false, true
    ListEvents: none, some
    ListKeys: none, some
    ListMembers: some
    ListNotes: some
    ListOverlappingEvents: none, some
    ListShopping: some
    ListTasks: some
    Load: boardId, categoryId, columnId, done, email, familyId, id, listId, ownerUserId, parentId, tokenHash, userId
    MoveTask: done, none, stale
    RecordUses: done
    RestoreOccurrence this: done, none, stale
    RestoreEvent: done, existing, none
    RestoreNote: done, existing, none
    RestoreShoppingItem: done, existing, none
    RestoreTask: done, existing, none
    RevokeKey: NotFound, Revoked
    SkipOccurrence following: /scope, done, none, stale
    SkipOccurrence this: done, none, stale
    UpdateBoard: done, none, stale
    UpdateColumn: done, none, stale
    UpdateEvent: /assigneeId, /endDate, /participantIds/0, done, none, stale
    UpdateNote: done, none, stale
    UpdateNoteCategory: done, none, stale
    UpdatePassword: false, true
    UpdateProfile: some
    UpdateShoppingItem: done, none, stale
    UpdateShoppingList: done, none, stale
    UpdateTask: /assigneeId, /dueDate, /isPrivate, done, due again, last time, none, stale";

/// The outcome that two families have records with equal ids.
const EQUAL_IDS: &str = "equal ids in two families";

/// The outcome that a move makes gaps between tasks.
const GAPS: &str = "gaps between tasks";

#[test]
fn the_generated_sequences_reach_every_outcome() {
    let mut runner = TestRunner::deterministic();
    let sequences = StorageStateMachine::sequential_strategy(STEPS);
    let operations = OUTCOMES.trim().lines().map(|line| line.trim().split_once(": ").unwrap());
    let mut missed: BTreeSet<String> = operations
        .flat_map(|(operation, results)| results.split(", ").map(move |result| format!("{operation}: {result}")))
        .chain([EQUAL_IDS, GAPS].map(str::to_owned))
        .collect();
    for _ in 0..MAX_SEQUENCES {
        if missed.is_empty() {
            return;
        }
        let (mut start, steps, _) = sequences.new_tree(&mut runner).unwrap().current();
        if start.model.has_equal_ids_in_two_families() {
            missed.remove(EQUAL_IDS);
        }
        for step in &steps {
            missed.remove(&outcome_label(&step.operation, &start.model.apply(step)));
        }
        if start.model.gaps > 0 {
            missed.remove(GAPS);
        }
    }
    assert!(missed.is_empty(), "no sequence reached these outcomes: {missed:#?}");
}

fn outcome_label(operation: &Operation, result: &StepResult) -> String {
    let name = format!("{operation:?}");
    let name = match operation {
        Operation::Write(_, kind, write) => {
            let verb = match &write.action {
                Action::Create { key: Some(_), .. } if is_answer(result) => "CreateOnce",
                Action::Create { .. } => "Create",
                Action::Update(body, _) if body.get("type").is_some() => "Move",
                Action::Update(..) => "Update",
                Action::Delete(_) => "Delete",
                Action::Restore => "Restore",
            };
            format!("{verb}{kind:?}")
        }
        Operation::ChangeOccurrence(_, write) => {
            let (verb, scope) = match &write.action {
                OccurrenceAction::Change(_, scope) => ("Change", *scope),
                OccurrenceAction::Skip(scope) => ("Skip", *scope),
                OccurrenceAction::Restore => ("Restore", OccurrenceScope::This),
            };
            format!("{verb}Occurrence {}", scope.as_str())
        }
        _ => name.split('(').next().unwrap().to_owned(),
    };
    format!("{name}: {}", result_label(result))
}

/// Returns whether an idempotency key has an effect on the result of a creation.
fn is_answer(result: &StepResult) -> bool {
    matches!(result, StepResult::Record(_) | StepResult::Existing(_) | StepResult::IdempotencyMismatch)
}

fn result_label(result: &StepResult) -> String {
    let some = |is_some: bool| if is_some { "some" } else { "none" }.to_owned();
    match result {
        StepResult::Document(json, _) => some(json != "[]"),
        StepResult::Stats(TaskStats { my_open, done_today, done_week, done_total }, _) => {
            let counts = [("open", my_open), ("today", done_today), ("week", done_week), ("total", done_total)];
            let counted = join_words(counts.into_iter().filter(|(_, count)| **count > 0).map(|(name, _)| name));
            if counted.is_empty() { "-".to_owned() } else { counted }
        }
        // A recurring task is completed.
        StepResult::Changed(before, after) if after["lastCompletedAt"] != before["lastCompletedAt"] => {
            if after["completed"] == true { "last time" } else { "due again" }.to_owned()
        }
        StepResult::Record(_) | StepResult::Changed(..) | StepResult::Written | StepResult::Load(None) => {
            "done".to_owned()
        }
        StepResult::Split(..) => "split".to_owned(),
        StepResult::Existing(_) => "existing".to_owned(),
        StepResult::Items(ids) => some(!ids.is_empty()),
        StepResult::NotEmpty => "not empty".to_owned(),
        StepResult::LimitReached => "limit".to_owned(),
        StepResult::IdempotencyMismatch => "mismatch".to_owned(),
        StepResult::NotFound => some(false),
        StepResult::PreconditionFailed => "stale".to_owned(),
        StepResult::Unauthorized(refusal) => refusal.as_str().to_owned(),
        StepResult::Refused(pointers) => join_words(pointers.iter().map(String::as_str)),
        StepResult::Flag(flag) => flag.to_string(),
        StepResult::KeyRevocation(revocation) => format!("{revocation:?}"),
        StepResult::Account(account) => some(account.is_some()),
        StepResult::Profile(profile) => some(profile.is_some()),
        StepResult::KeyInsert(insert) => format!("{insert:?}"),
        StepResult::Key(key) => some(key.is_some()),
        // A list of one key does not test the sort order.
        StepResult::Keys(keys) => some(keys.len() > 1),
        StepResult::Password(user) => some(user.as_ref().is_some_and(|(_, hash)| hash.is_some())),
        StepResult::User(user) => some(user.is_some()),
        StepResult::Load(Some((_, faults))) => join_words(faults.iter().map(|fault| fault.field.as_str())),
        StepResult::Fault(_) => "fault".to_owned(),
    }
}

fn join_words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
