//! The cases that fail for each flaw of a flat storage.

use std::collections::BTreeSet;

use family_api_core::Timestamp;
use family_api_core::resource::{RecordKind, ShoppingItem, Task};
use serde_json::json;

use crate::failure::{runs, wrong_outcomes};
use crate::flawed::{Flaw, Flawed};
use crate::keeps_less::flat_tasks_and_items;

/// Flaws of a flat storage of tasks and shopping items, each with cases that fail by a check.
const FLAT_FLAWS: [(Flaw, &[&str]); 9] = [
    (Flaw::DeletesTheWholeKind, &["a_deleted_record_is_in_no_document"]),
    (Flaw::DeletesOnlyCheckedItems, &["a_deleted_record_is_in_no_document"]),
    (
        Flaw::IgnoresIdempotencyKeys,
        &[
            "a_key_of_a_deleted_record_returns_not_found",
            "a_repeated_creation_returns_the_first_record",
            "an_idempotency_key_is_valid_for_24_hours",
        ],
    ),
    (
        Flaw::IgnoresCredentials,
        &[
            "a_write_by_an_author_who_left_the_family_is_refused",
            "a_write_with_a_key_is_refused_while_the_personal_api_is_off",
            "a_write_with_a_key_of_another_user_returns_not_found",
            "a_write_with_a_key_that_lacks_the_scope_is_refused",
            "a_write_with_a_revoked_key_is_refused",
            "a_write_with_an_expired_key_is_refused",
        ],
    ),
    (
        Flaw::IgnoresPreconditions,
        &["a_deletion_requires_a_matching_entity_tag", "an_update_with_another_entity_tag_fails"],
    ),
    (
        Flaw::IgnoresTheFamily,
        &["invisible_records_can_be_neither_updated_nor_deleted", "tasks_of_another_family_are_not_visible"],
    ),
    (Flaw::ReturnsTheRecordBefore, &["an_update_of_any_record_is_stored_and_returned"]),
    (
        Flaw::StoresNothing,
        &["a_created_record_has_the_given_fields_and_its_author", "a_deleted_record_is_in_no_document"],
    ),
    (
        Flaw::WritesWithoutLock,
        &[
            "concurrent_creations_do_not_exceed_the_limit",
            "concurrent_creations_with_one_key_create_one_record",
            "each_update_returns_the_record_that_its_transaction_found",
            "one_of_many_concurrent_deletions_of_any_record_succeeds",
        ],
    ),
];

/// The fields that a flat storage keeps of tasks and shopping items.
const FLAT_FIELDS: [(RecordKind, &[&str]); 2] = [
    (
        RecordKind::Task,
        &[
            "title",
            "description",
            "priority",
            "dueDate",
            "completed",
            "completedAt",
            "labels",
            "assigneeId",
            "creatorId",
            "createdAt",
            "updatedAt",
        ],
    ),
    (RecordKind::ShoppingItem, &["name", "quantity", "category", "checked", "addedById", "createdAt"]),
];

async fn assert_named_fail(flaw: Flaw, names: &[&str]) {
    let subject = async move || Flawed::new(flat_tasks_and_items(), flaw);
    let mut runs = runs!(subject(); storage_cases);
    runs.retain(|(name, _)| names.contains(name));
    let wrong = wrong_outcomes(runs, names).await;
    assert!(wrong.is_empty(), "{flaw:?}: {wrong:#?}");
}

#[tokio::test]
async fn the_named_cases_fail_for_each_flaw_of_a_flat_storage() {
    for (flaw, names) in FLAT_FLAWS {
        assert_named_fail(flaw, names).await;
    }
}

#[tokio::test]
async fn two_cases_fail_for_each_field_that_a_flat_storage_loses() {
    for (kind, fields) in FLAT_FIELDS {
        for field in fields {
            let created = "a_created_record_has_the_given_fields_and_its_author";
            assert_named_fail(Flaw::Loses(kind, field), &[created, "an_update_of_any_record_is_stored_and_returned"])
                .await;
        }
    }
}

#[tokio::test]
async fn two_cases_fail_for_a_flat_storage_that_does_not_count_the_changes() {
    let names = ["an_update_of_any_record_is_stored_and_returned", "each_change_raises_the_sequence"];
    assert_named_fail(Flaw::Loses(RecordKind::Task, "sequence"), &names).await;
}

#[test]
fn every_field_of_a_flat_storage_is_listed() {
    let at = Timestamp::UNIX_EPOCH;
    let records =
        [json!(Task::new("t".parse().unwrap(), "T", at)), json!(ShoppingItem::new("i".parse().unwrap(), "I", at))];
    for ((kind, listed), record) in FLAT_FIELDS.into_iter().zip(records) {
        let is_derived = |field: &str| ["id", "columnId", "listId", "assignee", "creator", "addedBy"].contains(&field);
        // A case of its own sets these fields.
        let has_own_case = |field: &str| ["recurrence", "lastCompletedAt", "sequence"].contains(&field);
        let is_listed = |field: &&str| !is_derived(field) && !has_own_case(field);
        let fields = record.as_object().unwrap().keys().map(String::as_str);
        let kept: BTreeSet<_> =
            fields.filter(|field| flat_tasks_and_items().keeps_field(kind, field)).filter(is_listed).collect();
        assert_eq!(kept, listed.iter().copied().collect());
    }
}
