//! Each write is in the log once, with every record that it changes.

use family_api_core::Precondition;
use family_api_core::change::OccurrenceScope;
use family_api_core::id::Id;
use family_api_core::resource::{Event, ShoppingItem, Task, Verb};
use family_api_core::storage::{Operation, Record, Written};
use serde_json::json;

use crate::Subject;
use crate::changes::{Follower, Learned, changed, current_revision, deleted, nothing};
use crate::fixture::calls::{new_update, record_write, run, update, write_as};
use crate::fixture::{MemberView, ada, assert_outcome, assert_same, bob, expect_done, id, move_task, seed, task};
use crate::writes::checked_items::delete_checked;
use crate::writes::guarantees::refuses_writes;
use crate::writes::kinds::{TestRecord, container, for_each_kind, kept_body, new_record, rename, supports};

pub(crate) async fn each_write_is_logged_once_with_the_present_record(subject: &dyn Subject) {
    for_each_kind!(subject, [], logs_each_write);
}

/// Makes each supported write. The record is the created one, or one without content.
async fn logs_each_write<R: TestRecord>(subject: &dyn Subject) {
    let creates = supports::<R>(subject, &[Verb::Create]);
    let record: R::Id = id(if creates { "created" } else { R::VISIBLE });
    let mut follower = Follower::new(subject, bob()).await;
    for operation in [
        Operation::<R>::create(record.clone(), new_record::<R>(subject)),
        Operation::update(record.clone(), new_update::<R>(&rename::<R>("Renamed"))),
        Operation::delete(record.clone()),
        Operation::Restore { id: record.clone() },
    ] {
        let verb = operation.verb();
        if !supports::<R>(subject, &[verb]) {
            continue;
        }
        let written = write_as(subject, &ada().into(), &record_write(operation)).await;
        // A record that was not deleted is not restored.
        if matches!(written, Written::Existing(_)) {
            continue;
        }
        let written = expect_done(written);
        let changes = follower.follow(500).await;
        if verb == Verb::Delete {
            assert_same(&Learned::from(&changes), &deleted::<R>(&[written.id().text()]));
        } else {
            let record = R::find(subject, bob(), written.id().text()).await;
            let expected = json!([{ "kind": R::KIND, "id": written.id().text(), "record": record }]);
            assert_same(&json!(changes.changed), &expected);
            assert_same(&changes.deleted.len(), &0);
        }
        assert!(!changes.has_more, "{} of a {}", verb.as_str(), R::KIND.as_str());
        assert_eq!(changes.revision, current_revision(subject, &bob()).await);
    }
    assert_same(&follower.learn().await, &nothing());
}

pub(crate) async fn a_write_without_an_effect_is_not_logged(subject: &dyn Subject) {
    for_each_kind!(subject, [], logs_no_write_without_an_effect);
}

async fn logs_no_write_without_an_effect<R: TestRecord>(subject: &dyn Subject) {
    let mut followers = [Follower::new(subject, ada()).await, Follower::new(subject, bob()).await];
    refuses_writes::<R>(subject).await;
    if supports::<R>(subject, &[Verb::Update]) {
        let record = json!(R::find(subject, ada(), R::VISIBLE).await);
        let field = if record.get("title").is_some() { "title" } else { "name" };
        let same = rename::<R>(record[field].as_str().unwrap_or_default());
        expect_done(update::<R>(subject, &ada(), R::VISIBLE, same).await);
        for refused in R::refused_updates() {
            let refused = new_update::<R>(&kept_body::<R>(subject, refused));
            run(subject, &bob(), Operation::<R>::update(id("nowhere"), refused)).await;
        }
    }
    for follower in &mut followers {
        assert_same(&follower.learn().await, &nothing());
    }
}

pub(crate) async fn a_split_event_is_two_changes_of_one_write(subject: &dyn Subject) {
    let weekly = json!({
        "title": "Choir", "startDate": "2026-12-01T17:30:00Z", "endDate": "2026-12-01T18:30:00Z",
        "timeZone": "Europe/Madrid", "recurrence": "FREQ=WEEKLY",
    });
    expect_done(update::<Event>(subject, &ada(), "farewell", &weekly).await);
    let mut follower = Follower::new(subject, bob()).await;
    let start = "20261215T173000Z".parse().unwrap();
    let rename = new_update::<Event>(&json!({ "title": "Recital" }));
    let update = rename.of_occurrence(start, OccurrenceScope::Following).unwrap();
    let new_id = Some(id("following"));
    let split = Operation::<Event>::Update { id: id("farewell"), update, precondition: Precondition::None, new_id };
    expect_done(run(subject, &ada(), split).await);
    let changes = follower.follow(1).await;
    assert_same(&Learned::from(&changes), &changed::<Event>(&["farewell", "following"]));
    assert!(!changes.has_more);
}

pub(crate) async fn a_move_logs_the_tasks_that_it_shifts(subject: &dyn Subject) {
    seed(subject, vec![Record::Task(task("there", "doing", 7))]).await;
    let followers = [Follower::new(subject, ada()).await, Follower::new(subject, bob()).await];
    let mut before = Vec::new();
    for member in [ada(), bob()] {
        before.push(MemberView::of(member, subject).tasks().await);
    }
    expect_done(move_task(subject, &bob(), "there", "todo", 0).await);
    for ((mut follower, before), member) in followers.into_iter().zip(before).zip([ada(), bob()]) {
        let mut moved = Vec::new();
        for task in before {
            let after = Task::find(subject, member.clone(), task.id.as_str()).await;
            moved.extend(after.filter(|after| *after != task));
        }
        assert!(moved.len() > 1, "{moved:?}");
        // The changes of one write are listed together.
        let changes = follower.follow(1).await;
        assert!(!changes.has_more);
        let ids: Vec<_> = moved.iter().map(|task| task.id.as_str()).collect();
        assert_same(&Learned::from(&changes), &changed::<Task>(&ids));
        for task in &moved {
            let listed = changes.changed.iter().find(|changed| changed.id == task.id.as_str());
            assert_same(&listed.map(|listed| json!(listed.record)), &Some(json!({ "kind": "task", "record": task })));
        }
    }
}

pub(crate) async fn deleted_checked_items_are_changes_of_one_write(subject: &dyn Subject) {
    let list = container::<ShoppingItem>(subject).unwrap();
    let mut followers = [Follower::new(subject, ada()).await, Follower::new(subject, bob()).await];
    let ids = expect_done(delete_checked(subject, ada(), list).await);
    let of_ada: Vec<_> = ids.iter().map(String::as_str).collect();
    let expected = [deleted::<ShoppingItem>(&of_ada), deleted::<ShoppingItem>(&["milk"])];
    for (follower, expected) in followers.iter_mut().zip(expected) {
        let changes = follower.follow(1).await;
        assert_same(&Learned::from(&changes), &expected);
        assert!(!changes.has_more);
    }
    // A call that finds no checked item is no write.
    assert_outcome(&delete_checked(subject, ada(), list).await, &Written::Deleted(Vec::new()));
    assert_same(&followers[0].learn().await, &nothing());
}
