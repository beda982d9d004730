//! Storages that keep less than others.

use family_api_conformance::storage_cases;
use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;

use crate::flawed::{Flaw, Flawed};

#[tokio::test]
async fn every_case_passes_for_a_storage_that_keeps_less() {
    let all = Capabilities::all;
    let mut capabilities = vec![
        Capabilities::updates(),
        all().without_resource(ResourceKind::Tasks),
        all().without_resource(ResourceKind::Notes),
        all()
            .without_resource(ResourceKind::Events)
            .without_resource(ResourceKind::Shopping)
            .without_resource(ResourceKind::TaskStats)
            .without_field(RecordKind::Task, "labels"),
    ];
    // Every storage supports `Capabilities::updates()`, and only an update reads a category.
    let is_needed = |kind, verb| {
        Capabilities::updates().supports(kind, verb) || (kind, verb) == (RecordKind::NoteCategory, Verb::Update)
    };
    for verb in Verb::ALL {
        let removed = RecordKind::ALL.into_iter().filter(|kind| !is_needed(*kind, verb));
        capabilities.push(removed.fold(all(), |kept, kind| kept.without(kind, verb)));
    }
    for kept in capabilities {
        for case in storage_cases().into_iter().filter(|case| case.applies_to(&kept)) {
            let name = case.name();
            let subject = Flawed::new(kept.clone(), Flaw::None);
            let outcome = tokio::spawn(async move { case.run(&subject).await }).await;
            assert!(outcome.is_ok(), "{name} fails for a storage with {kept:?}");
        }
    }
}

#[test]
fn a_case_applies_only_to_a_storage_with_the_needed_capabilities() {
    let applies = |capabilities: Capabilities| {
        let cases = storage_cases().into_iter().filter(move |case| case.applies_to(&capabilities));
        cases.map(|case| case.name()).collect::<Vec<_>>()
    };
    assert_eq!(applies(Capabilities::all()).len(), storage_cases().len());
    let without_shopping = applies(Capabilities::all().without_resource(ResourceKind::Shopping));
    assert!(!without_shopping.contains(&"a_private_list_is_visible_only_to_its_owner"));
    assert!(without_shopping.contains(&"a_private_task_is_visible_only_to_its_creator"));
    let without_labels = applies(Capabilities::all().without_field(RecordKind::Task, "labels"));
    assert!(!without_labels.contains(&"every_field_of_a_task_is_returned"));
    assert!(without_labels.contains(&"a_created_record_has_the_given_fields_and_its_author"));
}
