//! Writes with a precondition. They succeed only if an entity tag matches the current version of the record.

use family_api_core::EntityTag;
use family_api_core::Precondition;
use family_api_core::resource::Verb;
use family_api_core::storage::Written;
use futures_util::future::join_all;
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{delete_if, new_update, update, update_if};
use crate::fixture::{Documents, ada, assert_done, assert_outcome, assert_same, bob, eve, expect_done, if_unchanged};
use crate::writes::kinds::{TestRecord, for_each_kind, kept_body, rename, supports};

/// Parses one `If-Match` header line.
fn if_match(line: &str) -> Precondition {
    Precondition::if_match([line.as_bytes()])
}

/// Returns preconditions that a record meets at no version.
fn never_met() -> [Precondition; 2] {
    [if_match(r#""another""#), if_match("damaged")]
}

async fn find<R: TestRecord>(subject: &dyn Subject) -> R {
    R::find(subject, ada(), R::VISIBLE).await.unwrap()
}

/// Changes the record. Returns it, and a precondition with the entity tag from before the change.
async fn change<R: TestRecord>(subject: &dyn Subject) -> (R, Precondition) {
    let stale = if_unchanged(&find::<R>(subject).await);
    let record = expect_done(update::<R>(subject, &bob(), R::VISIBLE, rename::<R>("Renamed")).await);
    (record, stale)
}

pub(super) async fn an_update_with_a_matching_entity_tag_succeeds(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], succeeds_with_its_tag);
}

async fn succeeds_with_its_tag<R: TestRecord>(subject: &dyn Subject) {
    let (mut record, _) = change::<R>(subject).await;
    for update in R::updates(subject) {
        let updated = assert_done(update_if::<R>(subject, &ada(), R::VISIBLE, update, &if_unchanged(&record)).await);
        record = find::<R>(subject).await;
        assert_same(&record, &updated);
    }
}

pub(super) async fn an_update_with_another_entity_tag_fails(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], fails_with_another_tag);
}

async fn fails_with_another_tag<R: TestRecord>(subject: &dyn Subject) {
    let (record, stale) = change::<R>(subject).await;
    let before = Documents::of_all_members(subject).await;
    let weak = if_match(&format!("W/{}", EntityTag::of_record(&record).unwrap()));
    for precondition in never_met().into_iter().chain([stale, weak]) {
        for update in R::updates(subject) {
            let failed = update_if::<R>(subject, &ada(), R::VISIBLE, update, &precondition).await;
            assert_outcome(&failed, &Written::PreconditionFailed);
        }
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn a_deletion_requires_a_matching_entity_tag(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Delete], is_deleted_with_its_tag);
}

async fn is_deleted_with_its_tag<R: TestRecord>(subject: &dyn Subject) {
    if !R::is_listed() && !supports::<R>(subject, &[Verb::Update]) {
        return;
    }
    let mut record = find::<R>(subject).await;
    let mut outdated: Vec<_> = never_met().into();
    if supports::<R>(subject, &[Verb::Update]) {
        let (changed, stale) = change::<R>(subject).await;
        record = changed;
        outdated.push(stale);
    }
    let before = Documents::of_all_members(subject).await;
    for precondition in outdated {
        let failed = delete_if::<R>(subject, &ada(), R::VISIBLE, &precondition).await;
        assert_outcome(&failed, &Written::PreconditionFailed);
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
    let deleted = delete_if::<R>(subject, &ada(), R::VISIBLE, &if_unchanged(&record)).await;
    assert_outcome(&deleted, &Written::Deleted(record));
    assert_same(&R::find(subject, ada(), R::VISIBLE).await, &None);
}

pub(super) async fn if_match_accepts_one_of_several_tags_and_a_star(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], accepts_several_tags_and_a_star);
}

async fn accepts_several_tags_and_a_star<R: TestRecord>(subject: &dyn Subject) {
    let (record, _) = change::<R>(subject).await;
    let several = if_match(&format!(r#""another", {}"#, EntityTag::of_record(&record).unwrap()));
    for precondition in [several, if_match("*")] {
        let update = new_update::<R>(&rename::<R>("Renamed again"));
        assert_done(update_if::<R>(subject, &ada(), R::VISIBLE, update, &precondition).await);
    }
    if supports::<R>(subject, &[Verb::Delete]) {
        assert_done(delete_if::<R>(subject, &ada(), R::VISIBLE, &if_match("*")).await);
    }
}

pub(super) async fn the_returned_record_has_the_entity_tag_for_the_next_write(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], returns_the_next_tag);
}

async fn returns_the_next_tag<R: TestRecord>(subject: &dyn Subject) {
    let mut record = expect_done(update::<R>(subject, &ada(), R::VISIBLE, json!({})).await);
    for (round, member) in [ada(), bob(), ada()].iter().enumerate() {
        let rename = new_update::<R>(&rename::<R>(&format!("Round {round}")));
        for update in [rename].into_iter().chain(R::updates(subject)) {
            let unchanged = if_unchanged(&record);
            record = assert_done(update_if::<R>(subject, member, R::VISIBLE, update, &unchanged).await);
        }
    }
    if supports::<R>(subject, &[Verb::Delete]) {
        assert_done(delete_if::<R>(subject, &bob(), R::VISIBLE, &if_unchanged(&record)).await);
    }
}

pub(super) async fn invisible_records_return_not_found_for_any_precondition(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for_each_kind!(subject, [], is_not_found_for_any_precondition);
    assert_same(&Documents::of_all_members(subject).await, &before);
}

async fn is_not_found_for_any_precondition<R: TestRecord>(subject: &dyn Subject) {
    for record in R::INVISIBLE {
        let mut preconditions = vec![if_match("*"), if_match(r#""another""#)];
        if R::is_listed() {
            let foreign = R::find(subject, eve(), record).await;
            preconditions.extend(foreign.map(|foreign| if_unchanged(&foreign)));
        }
        for precondition in preconditions {
            for update in R::updates(subject).into_iter().filter(|_| supports::<R>(subject, &[Verb::Update])) {
                let update = update_if::<R>(subject, &ada(), record, update, &precondition).await;
                assert_outcome(&update, &Written::NotFound);
            }
            if supports::<R>(subject, &[Verb::Delete]) {
                let deleted = delete_if::<R>(subject, &ada(), record, &precondition).await;
                assert_outcome(&deleted, &Written::NotFound);
            }
        }
    }
}

pub(super) async fn the_precondition_is_checked_before_references_and_rules(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], checks_the_precondition_first);
}

async fn checks_the_precondition_first<R: TestRecord>(subject: &dyn Subject) {
    for body in R::refused_updates() {
        let update = new_update::<R>(&kept_body::<R>(subject, body));
        let failed = update_if::<R>(subject, &bob(), R::VISIBLE, update, &if_match(r#""another""#)).await;
        assert_outcome(&failed, &Written::PreconditionFailed);
    }
}

pub(super) async fn one_of_many_concurrent_updates_with_one_tag_succeeds(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update], is_updated_once);
}

async fn is_updated_once<R: TestRecord>(subject: &dyn Subject) {
    let members = [ada(), bob()];
    let precondition = &if_unchanged(&find::<R>(subject).await);
    let updates = (0..16).zip(members.iter().cycle()).map(|(n, member)| {
        let moves = R::updates(subject).into_iter().nth(2).filter(|_| n % 4 >= 2);
        let update = moves.unwrap_or_else(|| new_update::<R>(&rename::<R>(&format!("T{n}"))));
        update_if::<R>(subject, member, R::VISIBLE, update, precondition)
    });
    let outcomes = join_all(updates).await;
    let (succeeded, others): (Vec<_>, Vec<_>) =
        outcomes.into_iter().partition(|update| matches!(update, Written::Updated { .. }));
    assert!(others.iter().all(|update| *update == Written::PreconditionFailed), "{others:?}");
    assert_eq!(succeeded.len(), 1, "{succeeded:?}");
    for record in succeeded.into_iter().map(expect_done) {
        assert_same(&find::<R>(subject).await, &record);
    }
}

pub(super) async fn one_of_many_concurrent_deletions_with_one_tag_succeeds(subject: &dyn Subject) {
    for_each_kind!(subject, [Verb::Update, Verb::Delete], is_deleted_once);
}

async fn is_deleted_once<R: TestRecord>(subject: &dyn Subject) {
    let ada = ada();
    let precondition = &if_unchanged(&find::<R>(subject).await);
    let deleted = join_all((0..16).map(|_| delete_if::<R>(subject, &ada, R::VISIBLE, precondition))).await;
    let count = deleted.iter().filter(|deleted| matches!(deleted, Written::Deleted(_))).count();
    assert_eq!(count, 1, "{deleted:?}");
}
