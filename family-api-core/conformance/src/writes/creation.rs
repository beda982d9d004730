//! Defaults and references of new records.

use family_api_core::resource::{Board, Column, Event, Note, RecordKind, ShoppingItem, ShoppingList, Task, Verb};
use family_api_core::storage::{
    BoardRecord, ColumnRecord, Member, Operation, Record, RecordWrite, ShoppingListRecord, Written,
};
use serde_json::{Value, json};

use crate::Subject;
use crate::fixture::calls::{create, new, record_write, update, write_as};
use crate::fixture::{
    Documents, MemberView, ada, assert_outcome, assert_same, board, bob, column, eve, existing, expect_done, family,
    faults, id, list, seed, user,
};
use crate::writes::kinds::{TestRecord, container, kept_body, new_body, supports};

#[track_caller]
fn create_with<R: TestRecord>(
    subject: &dyn Subject,
    member: &Member,
    id: &str,
    body: &Value,
) -> impl Future<Output = Written<R>> {
    create::<R>(subject, member, id, new::<R>(container::<R>(subject), &kept_body::<R>(subject, body)))
}

fn creates<R: TestRecord>(subject: &dyn Subject) -> bool {
    supports::<R>(subject, &[Verb::Create])
}

pub(crate) async fn a_new_task_is_appended_to_the_first_visible_column(subject: &dyn Subject) {
    for (member, name, body, column, order) in [
        (ada(), "first", json!({ "title": "T" }), "todo", 6),
        (bob(), "second", json!({ "title": "T" }), "todo", 7),
        (eve(), "third", json!({ "title": "T" }), "south-col", 1),
        (ada(), "fourth", json!({ "title": "T", "order": 2 }), "todo", 2),
        (bob(), "fifth", json!({ "title": "T", "columnId": "doing" }), "doing", 0),
        (ada(), "sixth", json!({ "title": "T", "columnId": "doing", "order": 9 }), "doing", 9),
    ] {
        let task = expect_done(create_with::<Task>(subject, &member, name, &body).await);
        assert_same(&(task.column_id.as_str(), task.order), &(column, order));
        assert_same(&Task::find(subject, member, name).await, &Some(task));
    }
    assert_same(&MemberView::of(ada(), subject).task("left").await.order, &4);
}

pub(crate) async fn a_new_task_needs_a_column(subject: &dyn Subject) {
    seed(subject, vec![Record::Family(family("east")), Record::User(user("fay", Some("east")))]).await;
    let fay = Member { user: id("fay"), family: id("east") };
    let refused = create_with::<Task>(subject, &fay, "first", &json!({ "title": "T" })).await;
    assert_same(&faults(refused), &["/columnId"]);
}

/// Returns the position of a new board or list of ada and then of bob. Those that the caller does not see do not count.
fn new_positions(subject: &dyn Subject, private_of_ada: &str) -> [(Member, &'static str, i64); 2] {
    let last_of_ada = i64::from(!existing(subject, &[private_of_ada]).is_empty());
    [(ada(), "new", last_of_ada + 1), (bob(), "newer", last_of_ada + 2)]
}

pub(crate) async fn a_new_board_or_column_without_an_order_is_the_last_one(subject: &dyn Subject) {
    let body = json!({ "name": "N" });
    if creates::<Column>(subject) {
        assert_same(&expect_done(create_with::<Column>(subject, &ada(), "new", &body).await).order, &2);
    }
    for (member, record, position) in new_positions(subject, "adas").into_iter().filter(|_| creates::<Board>(subject)) {
        let board = expect_done(create_with::<Board>(subject, &member, record, &body).await);
        assert_same(&board.order, &position);
    }
}

pub(crate) async fn a_new_list_without_an_order_is_the_last_one(subject: &dyn Subject) {
    for (member, record, position) in new_positions(subject, "adas-list") {
        let list = create_with::<ShoppingList>(subject, &member, record, &json!({ "name": "N" })).await;
        assert_same(&expect_done(list).sort_order, &position);
    }
}

pub(crate) async fn the_position_of_a_new_board_or_column_is_at_most_1000000(subject: &dyn Subject) {
    let last = vec![
        Record::Board(BoardRecord { order: 1_000_000, ..board("last-board", "north") }),
        Record::Column(ColumnRecord { order: 1_000_000, ..column("last-column", "shared") }),
    ];
    seed(subject, last).await;
    let body = json!({ "name": "N" });
    if creates::<Board>(subject) {
        assert_same(&expect_done(create_with::<Board>(subject, &ada(), "new", &body).await).order, &1_000_000);
    }
    if creates::<Column>(subject) {
        assert_same(&expect_done(create_with::<Column>(subject, &ada(), "new", &body).await).order, &1_000_000);
    }
}

pub(crate) async fn the_position_of_a_new_list_is_at_most_1000000(subject: &dyn Subject) {
    let last = ShoppingListRecord { sort_order: 1_000_000, ..list("last-list", "north") };
    seed(subject, vec![Record::ShoppingList(last)]).await;
    let created = create_with::<ShoppingList>(subject, &ada(), "new", &json!({ "name": "N" })).await;
    assert_same(&expect_done(created).sort_order, &1_000_000);
}

pub(crate) async fn a_new_private_record_is_visible_only_to_its_creator(subject: &dyn Subject) {
    if creates::<Task>(subject) && subject.storage().capabilities().keeps_field(RecordKind::Task, "isPrivate") {
        let body = json!({ "title": "T", "isPrivate": true });
        let task = expect_done(create_with::<Task>(subject, &ada(), "new", &body).await);
        if subject.storage().capabilities().keeps_field(RecordKind::Task, "assigneeId") {
            assert_same(&task.assignee_id, &Some(id("ada")));
        }
        assert_is_hidden_from_bob(subject, &task).await;
    }
    let body = json!({ "name": "N", "isPrivate": true });
    let keeps_private = |kind| subject.storage().capabilities().keeps_field(kind, "isPrivate");
    if creates::<Board>(subject) && keeps_private(RecordKind::Board) {
        assert_is_hidden_from_bob(subject, &expect_done(create_with::<Board>(subject, &ada(), "new", &body).await))
            .await;
    }
    if creates::<ShoppingList>(subject) && keeps_private(RecordKind::ShoppingList) {
        let list = expect_done(create_with::<ShoppingList>(subject, &ada(), "new", &body).await);
        assert_is_hidden_from_bob(subject, &list).await;
    }
}

async fn assert_is_hidden_from_bob<R: TestRecord>(subject: &dyn Subject, record: &R) {
    assert_same(&R::find(subject, ada(), "new").await.as_ref(), &Some(record));
    assert_same(&R::find(subject, bob(), "new").await, &None);
}

pub(crate) async fn a_creation_with_an_invisible_reference_is_not_found(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for column in ["bob-col", "south-col", "nowhere", "no id", "unknown"] {
        refuses::<Task>(subject, "columnId", column).await;
    }
    for category in ["south-cat", "nowhere", "no id"] {
        refuses::<Note>(subject, "categoryId", category).await;
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(crate) async fn a_creation_with_an_assignee_outside_of_the_family_is_refused(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for user in ["eve", "gone", "cid", "no id"] {
        refuses_assignee::<Task>(subject, user).await;
        refuses_assignee::<Event>(subject, user).await;
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

async fn refuses_assignee<R: TestRecord>(subject: &dyn Subject, user: &str) {
    if creates::<R>(subject) && subject.storage().capabilities().keeps_field(R::KIND, "assigneeId") {
        let mut body = new_body::<R>(subject);
        body["assigneeId"] = json!(user);
        let created = create_with::<R>(subject, &ada(), "created", &body).await;
        assert_eq!(faults(created), ["/assigneeId"], "{} {user}", R::KIND.as_str());
    }
}

async fn refuses<R: TestRecord>(subject: &dyn Subject, field: &str, reference: &str) {
    if creates::<R>(subject) && subject.storage().capabilities().keeps_field(R::KIND, field) {
        let mut body = new_body::<R>(subject);
        body[field] = json!(reference);
        let created = create_with::<R>(subject, &ada(), "created", &body).await;
        assert_outcome(&created, &Written::NotFound);
    }
}

pub(crate) async fn an_item_moves_only_to_a_visible_list(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for list in ["bobs-list", "south-list", "nowhere", "no id"] {
        let moved = update::<ShoppingItem>(subject, &ada(), "milk", &json!({ "listId": list, "checked": false })).await;
        assert_outcome(&moved, &Written::NotFound);
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
    let moved = expect_done(update::<ShoppingItem>(subject, &ada(), "milk", &json!({ "listId": "adas-list" })).await);
    assert_same(&moved.list_id, &id("adas-list"));
    assert_same(&ShoppingItem::find(subject, ada(), "milk").await, &Some(moved));
    assert_same(&ShoppingItem::find(subject, bob(), "milk").await, &None);
}

pub(crate) async fn all_day_events_begin_in_the_time_zone_of_the_caller(subject: &dyn Subject) {
    let body = json!({ "title": "T", "startDate": "2026-12-24", "endDate": "2026-12-24", "allDay": true });
    let operation = Operation::create(id("new"), new::<Event>(None, &body));
    let write = RecordWrite { zone: id("Asia/Kolkata"), ..record_write::<Event>(operation) };
    let event = expect_done(write_as(subject, &ada().into(), &write).await);
    assert_same(&event.start_date, &id("2026-12-23T18:30:00Z"));
    assert_same(&Event::find(subject, bob(), "new").await, &Some(event));
}

pub(crate) async fn a_new_event_has_the_time_zone_of_the_caller_or_its_own(subject: &dyn Subject) {
    let create = async |name: &str, fields: serde_json::Value| {
        let mut body = json!({ "title": "T", "startDate": "2026-12-24", "endDate": "2026-12-24" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let operation = Operation::create(id(name), new::<Event>(None, &body));
        let write = RecordWrite { zone: id("Asia/Kolkata"), ..record_write::<Event>(operation) };
        expect_done(write_as(subject, &ada().into(), &write).await)
    };
    let of_caller = create("of-caller", json!({})).await;
    assert_same(&of_caller.time_zone, &Some(id("Asia/Kolkata")));
    let own = create("own", json!({ "timeZone": "Europe/Kyiv" })).await;
    assert_same(&own.time_zone, &Some(id("Europe/Kyiv")));
    assert_same(&Event::find(subject, bob(), "own").await, &Some(own));
}

pub(crate) async fn only_members_of_the_family_take_part_in_an_event(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for user in ["eve", "gone", "cid", "no id"] {
        let body = json!({ "participantIds": ["bob", user] });
        let mut new = new_body::<Event>(subject);
        new.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        let created = create_with::<Event>(subject, &ada(), "created", &new).await;
        assert_eq!(faults(created), ["/participantIds/1"], "{user}");
        let updated = update::<Event>(subject, &ada(), "farewell", &body).await;
        assert_eq!(faults(updated), ["/participantIds/1"], "{user}");
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
    // Dee takes part already, and has left the family.
    let ids = json!({ "participantIds": ["dee", "ada"] });
    let trip = expect_done(update::<Event>(subject, &ada(), "trip", &ids).await);
    assert_same(&trip.participant_ids, &vec![id("dee"), id("ada")]);
    assert_same(&Event::find(subject, bob(), "trip").await, &Some(trip));
    let none = expect_done(update::<Event>(subject, &ada(), "trip", &json!({ "participantIds": [] })).await);
    assert_same(&Event::find(subject, bob(), "trip").await, &Some(none));
}
