//! Storages that keep less than others.

use std::collections::BTreeSet;

use family_api_conformance::{left_out_cases, storage_cases};
use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;

use crate::failure::failure;
use crate::flawed::{Flaw, Flawed};

/// Returns the capabilities of a flat app with tasks and shopping items only.
pub(crate) fn flat_tasks_and_items() -> Capabilities {
    Capabilities::flat().without_resource(ResourceKind::Events).without_resource(ResourceKind::Notes)
}

/// Returns a storage that keeps one resource, and supports no operation.
fn only(kept: ResourceKind) -> Capabilities {
    let lost = ResourceKind::ALL.into_iter().filter(|resource| *resource != kept);
    lost.fold(Capabilities::reads(), Capabilities::without_resource)
}

fn without_every_profile_field() -> Capabilities {
    let fields = ["image", "color", "emoji", "displayCurrency", "timeZone", "llmModel", "llmKeyConfigured"];
    fields.into_iter().fold(Capabilities::all(), Capabilities::without_profile_field)
}

/// Returns storages that keep everything, and do not support an operation on any kind. Only an update reads a category.
fn without_a_verb() -> impl Iterator<Item = Capabilities> {
    Verb::ALL.into_iter().map(|verb| {
        let is_needed = |kind| (kind, verb) == (RecordKind::NoteCategory, Verb::Update);
        let removed = RecordKind::ALL.into_iter().filter(|kind| !is_needed(*kind));
        removed.fold(Capabilities::all(), |kept, kind| kept.without(kind, verb))
    })
}

async fn assert_pass(storages: impl IntoIterator<Item = Capabilities>) {
    let mut failures = Vec::new();
    for kept in storages {
        for case in storage_cases() {
            let name = case.name();
            let subject = Flawed::new(kept.clone(), Flaw::None);
            if let Some(message) = failure(Box::pin(async move { case.run(&subject).await })).await {
                let first_line = message.lines().next().unwrap_or_default();
                failures.push(format!("{name}: {first_line}\n{kept:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[tokio::test]
async fn every_case_passes_for_a_storage_that_only_reads() {
    assert_pass(ResourceKind::ALL.map(only).into_iter().chain([Capabilities::reads()])).await;
}

#[tokio::test]
async fn every_case_passes_for_a_flat_storage() {
    assert_pass([
        Capabilities::flat(),
        flat_tasks_and_items(),
        Capabilities::flat().without_participants(),
        flat_tasks_and_items().without_participants(),
        Capabilities::flat().with_changes(),
    ])
    .await;
}

#[tokio::test]
async fn every_case_passes_for_a_storage_without_a_field_or_a_container() {
    let all = Capabilities::all;
    assert_pass([
        all().without_privacy(),
        all().without_boards(),
        all().without_lists(),
        all().without_categories(),
        all().without_order(),
        all().without_participants(),
        all().with_changes(),
        all().with_changes().without_privacy(),
        all().with_changes().without_boards().without_lists(),
        all().without_field(RecordKind::Task, "labels"),
        without_every_profile_field(),
    ])
    .await;
}

#[tokio::test]
async fn every_case_passes_for_a_storage_without_an_operation() {
    let all = Capabilities::all;
    let without_most = all()
        .without_resource(ResourceKind::Events)
        .without_resource(ResourceKind::Shopping)
        .without_resource(ResourceKind::TaskStats);
    let without_a_resource = [
        Capabilities::updates(),
        Capabilities::updates().with_changes(),
        all().without_resource(ResourceKind::Tasks),
        all().without_resource(ResourceKind::Notes),
    ];
    assert_pass(without_a_verb().chain(without_a_resource).chain([without_most])).await;
}

#[test]
fn a_case_that_is_left_out_names_the_reason() {
    let left_out = |kept: Capabilities| left_out_cases(&storage_cases(), &kept);
    assert_eq!(left_out(Capabilities::all().with_changes()), []);
    let logs_nothing: BTreeSet<_> = left_out(Capabilities::all()).into_iter().map(|(_, reason)| reason).collect();
    assert_eq!(logs_nothing.into_iter().collect::<Vec<_>>(), ["needs a log of changes"]);
    let flat: BTreeSet<_> = left_out(Capabilities::flat()).into_iter().map(|(_, reason)| reason).collect();
    for reason in [
        "needs boards",
        "needs shopping lists",
        "needs the field categoryId of notes",
        "needs the field isPrivate of tasks",
        "needs the field order of tasks",
        "needs to delete and restore records of some kind",
    ] {
        assert!(flat.contains(reason), "{reason} is not in {flat:#?}");
    }
    let of = |kept: Capabilities, name: &str| {
        let case = storage_cases().into_iter().find(|case| case.name() == name).unwrap();
        case.left_out(&kept)
    };
    let reads = of(Capabilities::reads(), "a_valid_key_allows_writes");
    assert_eq!(reads.as_deref(), Some("needs to write records"));
    let creates = of(Capabilities::updates(), "each_user_has_separate_idempotency_keys");
    assert_eq!(creates.as_deref(), Some("needs to create records of some kind"));
    let events = of(flat_tasks_and_items(), "events_are_sorted_by_start_then_id");
    assert_eq!(events.as_deref(), Some("needs the resource events"));
    let moves = of(Capabilities::flat(), "a_move_to_a_free_order_shifts_nothing");
    assert_eq!(moves.as_deref(), Some("needs the field columnId of tasks"));
    assert_eq!(of(Capabilities::flat(), "every_field_of_a_task_is_returned"), None);
}
