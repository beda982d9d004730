//! Checks that the sequences reach every outcome. An outcome that never occurs is never compared.

use std::collections::BTreeSet;

use family_api_core::resource::TaskStats;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use proptest_state_machine::ReferenceStateMachine;

use crate::STEPS;
use crate::state::StorageStateMachine;
use crate::step::{Action, Operation};
use crate::step_result::StepResult;

/// Maximum number of generated sequences.
const MAX_SEQUENCES: usize = 800;

/// The expected operations and results, as `outcome_label` formats them. `stale` is a failed precondition.
const OUTCOMES: [&str; 161] = [
    "CreateBoard: done",
    "CreateColumn: done",
    "CreateColumn: none",
    "CreateEvent: /endDate",
    "CreateEvent: done",
    "CreateEvent: none",
    "CreateNote: done",
    "CreateNote: none",
    "CreateNoteCategory: done",
    "CreateOnceBoard: done",
    "CreateOnceBoard: mismatch",
    "CreateOnceColumn: done",
    "CreateOnceColumn: mismatch",
    "CreateOnceEvent: done",
    "CreateOnceEvent: existing",
    "CreateOnceEvent: mismatch",
    "CreateOnceNote: done",
    "CreateOnceNote: existing",
    "CreateOnceNote: mismatch",
    "CreateOnceNoteCategory: done",
    "CreateOnceNoteCategory: mismatch",
    "CreateOnceShoppingItem: done",
    "CreateOnceShoppingItem: existing",
    "CreateOnceShoppingItem: mismatch",
    "CreateOnceShoppingList: done",
    "CreateOnceShoppingList: mismatch",
    "CreateOnceTask: done",
    "CreateOnceTask: existing",
    "CreateOnceTask: mismatch",
    "CreateShoppingItem: done",
    "CreateShoppingItem: none",
    "CreateShoppingList: done",
    "CreateTask: /assigneeId",
    "CreateTask: /columnId",
    "CreateTask: done",
    "CreateTask: none",
    "DeleteBoard: done",
    "DeleteBoard: none",
    "DeleteBoard: not empty",
    "DeleteBoard: stale",
    "DeleteCheckedItems: none",
    "DeleteCheckedItems: some",
    "DeleteColumn: done",
    "DeleteColumn: none",
    "DeleteColumn: not empty",
    "DeleteColumn: stale",
    "DeleteEvent: done",
    "DeleteEvent: none",
    "DeleteEvent: stale",
    "DeleteNote: done",
    "DeleteNote: none",
    "DeleteNote: stale",
    "DeleteNoteCategory: done",
    "DeleteNoteCategory: none",
    "DeleteNoteCategory: not empty",
    "DeleteNoteCategory: stale",
    "DeleteSession: false",
    "DeleteSession: true",
    "DeleteShoppingItem: done",
    "DeleteShoppingItem: none",
    "DeleteShoppingItem: stale",
    "DeleteShoppingList: done",
    "DeleteShoppingList: none",
    "DeleteShoppingList: not empty",
    "DeleteShoppingList: stale",
    "DeleteTask: done",
    "DeleteTask: none",
    "DeleteTask: stale",
    "FindAccount: none",
    "FindAccount: some",
    "FindKey: none",
    "FindKey: some",
    "FindPassword: none",
    "FindPassword: some",
    "FindProfile: none",
    "FindProfile: some",
    "FindSession: none",
    "FindSession: some",
    "FindTaskStats: ",
    "FindTaskStats: open",
    "FindTaskStats: open today week total",
    "FindTaskStats: total",
    "FindTaskStats: week total",
    "InsertKey: Inserted",
    "InsertKey: LimitReached",
    "InsertKey: NotSignedIn",
    "InsertKey: PersonalApiDisabled",
    "InsertKey: fault",
    "InsertSession: false",
    "InsertSession: true",
    "ListEvents: none",
    "ListEvents: some",
    "ListKeys: none",
    "ListKeys: some",
    "ListMembers: some",
    "ListNotes: some",
    "ListOverlappingEvents: none",
    "ListOverlappingEvents: some",
    "ListShopping: some",
    "ListTasks: some",
    "Load: boardId",
    "Load: categoryId",
    "Load: columnId",
    "Load: done",
    "Load: email",
    "Load: familyId",
    "Load: id",
    "Load: listId",
    "Load: ownerUserId",
    "Load: parentId",
    "Load: tokenHash",
    "Load: userId",
    "MoveTask: done",
    "MoveTask: none",
    "MoveTask: stale",
    "RecordUses: done",
    "RestoreEvent: done",
    "RestoreEvent: existing",
    "RestoreEvent: none",
    "RestoreNote: done",
    "RestoreNote: existing",
    "RestoreNote: none",
    "RestoreShoppingItem: done",
    "RestoreShoppingItem: existing",
    "RestoreShoppingItem: none",
    "RestoreTask: done",
    "RestoreTask: existing",
    "RestoreTask: none",
    "RevokeKey: NotFound",
    "RevokeKey: Revoked",
    "UpdateBoard: done",
    "UpdateBoard: none",
    "UpdateBoard: stale",
    "UpdateColumn: done",
    "UpdateColumn: none",
    "UpdateColumn: stale",
    "UpdateEvent: /endDate",
    "UpdateEvent: done",
    "UpdateEvent: none",
    "UpdateEvent: stale",
    "UpdateNote: done",
    "UpdateNote: none",
    "UpdateNote: stale",
    "UpdateNoteCategory: done",
    "UpdateNoteCategory: none",
    "UpdateNoteCategory: stale",
    "UpdatePassword: false",
    "UpdatePassword: true",
    "UpdateProfile: some",
    "UpdateShoppingItem: done",
    "UpdateShoppingItem: none",
    "UpdateShoppingItem: stale",
    "UpdateShoppingList: done",
    "UpdateShoppingList: none",
    "UpdateShoppingList: stale",
    "UpdateTask: /assigneeId",
    "UpdateTask: /isPrivate",
    "UpdateTask: done",
    "UpdateTask: none",
    "UpdateTask: stale",
    "equal ids in two families",
];

#[test]
fn the_generated_sequences_reach_every_outcome() {
    let mut runner = TestRunner::deterministic();
    let sequences = StorageStateMachine::sequential_strategy(STEPS);
    let mut missed: BTreeSet<String> = OUTCOMES.into_iter().map(str::to_owned).collect();
    for _ in 0..MAX_SEQUENCES {
        if missed.is_empty() {
            return;
        }
        let (mut start, steps, _) = sequences.new_tree(&mut runner).unwrap().current();
        if start.model.has_equal_ids_in_two_families() {
            missed.remove("equal ids in two families");
        }
        for step in &steps {
            missed.remove(&outcome_label(&step.operation, &start.model.apply(step)));
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
            join_words(counts.into_iter().filter(|(_, count)| **count > 0).map(|(name, _)| name))
        }
        StepResult::Record(_) | StepResult::Changed(..) | StepResult::Written | StepResult::Load(None) => {
            "done".to_owned()
        }
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
