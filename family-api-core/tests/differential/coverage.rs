//! Checks that the sequences reach every outcome. Outcomes that never occur are not compared.

use std::collections::HashSet;

use family_api_core::change::TaskUpdate;
use family_api_core::resource::TaskStats;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use proptest_state_machine::ReferenceStateMachine;

use crate::STEPS;
use crate::answer::Answer;
use crate::state::Contract;
use crate::step::Operation;

const SEQUENCES: usize = 150;

const OUTCOMES: [&str; 63] = [
    "DeleteNote: done",
    "DeleteNote: none",
    "DeleteNote: stale",
    "DeleteSession: false",
    "DeleteSession: true",
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
    "ListNotes: some",
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
    "RevokeKey: NotFound",
    "RevokeKey: Revoked",
    "UpdateNote: done",
    "UpdateNote: none",
    "UpdateNote: stale",
    "UpdatePassword: false",
    "UpdatePassword: true",
    "UpdateProfile: some",
    "UpdateTask: /assigneeId",
    "UpdateTask: /isPrivate",
    "UpdateTask: done",
    "UpdateTask: none",
    "UpdateTask: stale",
];

#[test]
fn the_sequences_reach_every_outcome() {
    let mut runner = TestRunner::deterministic();
    let sequences = Contract::sequential_strategy(STEPS);
    let mut reached = HashSet::new();
    for _ in 0..SEQUENCES {
        let (mut start, steps, _) = sequences.new_tree(&mut runner).unwrap().current();
        reached.extend(steps.iter().map(|step| outcome(&step.operation, &start.model.apply(step))));
    }
    let missed: Vec<_> = OUTCOMES.iter().filter(|outcome| !reached.contains(**outcome)).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

fn outcome(operation: &Operation, answer: &Answer) -> String {
    let name = format!("{operation:?}");
    let name = match operation {
        Operation::UpdateTask(_, _, update, ..) if matches!(**update, TaskUpdate::Move(_)) => "MoveTask",
        _ => name.split('(').next().unwrap(),
    };
    format!("{name}: {}", said(answer))
}

fn said(answer: &Answer) -> String {
    let some = |is_some: bool| if is_some { "some" } else { "none" }.to_owned();
    match answer {
        Answer::Document(json, _) => some(json != "[]"),
        Answer::Stats(TaskStats { my_open, done_today, done_week, done_total }, _) => {
            let counts = [("open", my_open), ("today", done_today), ("week", done_week), ("total", done_total)];
            joined(counts.into_iter().filter(|(_, count)| **count > 0).map(|(name, _)| name))
        }
        Answer::Task(_) | Answer::Note(_) | Answer::Written | Answer::Load(None) => "done".to_owned(),
        Answer::NotFound => some(false),
        Answer::PreconditionFailed => "stale".to_owned(),
        Answer::Unauthorized(refusal) => refusal.as_str().to_owned(),
        Answer::Refused(pointers) => joined(pointers.iter().map(String::as_str)),
        Answer::Flag(flag) => flag.to_string(),
        Answer::KeyRevocation(revocation) => format!("{revocation:?}"),
        Answer::Account(account) => some(account.is_some()),
        Answer::Profile(profile) => some(profile.is_some()),
        Answer::KeyInsert(insert) => format!("{insert:?}"),
        Answer::Key(key) => some(key.is_some()),
        Answer::Keys(keys) => some(keys.len() > 1),
        Answer::Password(user) => some(user.as_ref().is_some_and(|(_, hash)| hash.is_some())),
        Answer::User(user) => some(user.is_some()),
        Answer::Load(Some((_, faults))) => joined(faults.iter().map(|fault| fault.field.as_str())),
        Answer::Fault(_) => "fault".to_owned(),
    }
}

fn joined<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
