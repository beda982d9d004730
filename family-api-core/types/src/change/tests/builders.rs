//! Changes that are built in code follow the same rules as bodies.

use std::fmt::Debug;

use jiff::civil::date;
use serde::Serialize;

use crate::calendar::Zone;
use crate::change::task::Kind;
use crate::change::{
    BoardChange, ColumnChange, Editable, EventChange, New, NoteCategoryChange, NoteChange, ProfileChange,
    ShoppingItemChange, ShoppingItemUpdate, ShoppingListChange, TaskChange, TaskMove, TaskUpdate, ValidChange,
};
use crate::key::{KeyDraft, KeyMode};
use crate::resource::{Board, Column, Event, NoteCategory, Priority, ShoppingItem, ShoppingList, Task};
use crate::timestamp::Timestamp;
use crate::validation::{Field, Json, Reference};

use super::bodies::{body, pointers};

fn task_changes_of_all_fields() -> [TaskChange; 3] {
    let set = TaskChange::new().title("T").description("D").priority(Priority::Urgent).complete().order(7);
    let set = set.column(&"c".parse().unwrap()).assignee(&"u".parse().unwrap()).labels(["a", "b"]).make_private();
    let due_at = set.clone().due_date("2026-11-20T10:00:00.123Z".parse::<Timestamp>().unwrap());
    let cleared = TaskChange::new().clear_description().clear_assignee().clear_due_date().reopen().make_shared();
    [set.due_date(date(1, 1, 1)), due_at, cleared]
}

#[test]
fn a_built_change_is_unchanged_after_parsing_its_body() {
    for change in task_changes_of_all_fields() {
        assert_eq!(change.build(), Ok(TaskUpdate(Kind::Fields(change))));
    }
    let to = TaskMove::new(&"c".parse().unwrap(), 3);
    assert_eq!(to.build(), Task::parse_update(Json::of(&to)));
    let note = NoteChange::new().title("").content("C").pin().category(&"c".parse().unwrap());
    let note = note.emoji("E").color("#00ff00").tags(["a"]);
    for change in [note, NoteChange::new().unpin().clear_category(), NoteChange::new()] {
        assert_eq!(change.build(), Ok(ValidChange(change)));
    }
    for change in [
        ProfileChange::new().enable_personal_api(),
        ProfileChange::new().disable_personal_api().set_time_zone("Asia/Tokyo".parse().unwrap()),
        ProfileChange::new(),
    ] {
        assert_eq!(ProfileChange::from_body(Json::of(&change)), Ok(change));
    }
    let now: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    let draft = KeyDraft::new(KeyMode::McpRead).name(" n\u{3000}").expires_at(now.saturating_add_years(1));
    assert_eq!(KeyDraft::from_body(Json::of(&draft), KeyMode::STANDARD, now), Ok(draft.clone()));
    assert_eq!(draft.name.as_deref(), Some("n"));
}

/// Checks that a change is unchanged after its body is parsed as an update, except for fields of new records only.
fn check_update<R, C>(changes: impl IntoIterator<Item = C>)
where
    R: Editable<Change = C, Update = ValidChange<C>>,
    C: Clone + PartialEq + Debug + Serialize,
{
    for change in changes {
        assert_eq!(R::parse_update(Json::of(&change)), Ok(ValidChange(change)));
    }
}

#[test]
fn a_built_change_of_any_kind_is_unchanged_after_parsing_its_body() {
    let event = EventChange::new().title("T").description("D").emoji("E").color("#00ff00").location("L").all_day();
    let event = event.recurrence("FREQ=DAILY").assignee(&"u".parse().unwrap()).start_date(date(2026, 11, 20));
    let users = ["u", "v"].map(|id| id.parse().unwrap());
    let event = event.time_zone(Zone::utc()).participants(&users);
    let cleared =
        EventChange::new().participants([]).clear_description().clear_emoji().clear_color().clear_location().timed();
    check_update::<Event, _>([
        event.end_date(Timestamp::MAX),
        cleared.clear_recurrence().clear_assignee(),
        EventChange::new(),
    ]);
    let item = ShoppingItemChange::new().name("N").quantity("Q").category("C").check().list(&"l".parse().unwrap());
    check_update::<ShoppingItem, _>([item, ShoppingItemChange::new().clear_quantity().clear_category().uncheck()]);
    let board = BoardChange::new().name("N").description("D").emoji("E").color("#00ff00").order(7);
    check_update::<Board, _>([board, BoardChange::new().clear_description().clear_emoji().clear_color()]);
    let column = ColumnChange::new().name("N").emoji("E").color("#00ff00").order(7);
    check_update::<Column, _>([column, ColumnChange::new().clear_emoji().clear_color()]);
    let list = ShoppingListChange::new().name("N").emoji("E").sort_order(7);
    check_update::<ShoppingList, _>([list, ShoppingListChange::new().clear_emoji()]);
    let category = NoteCategoryChange::new().name("N").emoji("E").color("#00ff00");
    check_update::<NoteCategory, _>([category, NoteCategoryChange::new().clear_emoji().clear_color()]);
}

#[test]
fn a_built_record_is_unchanged_after_parsing_its_body() {
    for board in [BoardChange::new().name("N").make_private(), BoardChange::new().name("N").make_shared()] {
        assert_eq!(board.build_new(), Ok(New(ValidChange(board.clone()))));
        assert_eq!(pointers(board.build()), ["/isPrivate"]);
    }
    for list in [ShoppingListChange::new().name("N").make_private(), ShoppingListChange::new().name("N").make_shared()]
    {
        assert_eq!(list.build_new(), Ok(New(ValidChange(list.clone()))));
        assert_eq!(pointers(list.build()), ["/isPrivate"]);
    }
    let task = TaskChange::new().title("T");
    assert_eq!(task.build_new(), Ok(New(TaskUpdate(Kind::Fields(task)))));
    assert_eq!(pointers(TaskChange::new().build_new()), ["/title"]);
    let item = ShoppingItemChange::new().name("N");
    let in_list = item.clone().list(&"l".parse().unwrap());
    assert_eq!(item.build_new(&"l".parse().unwrap()), Ok(New(ValidChange(in_list.clone()))));
    assert_eq!(pointers(in_list.build_new(&"l".parse().unwrap())), ["/listId"]);
}

#[test]
fn an_invalid_reference_does_not_clear_the_field() {
    let mut change = TaskChange::new();
    change.assignee = Field::Set(Reference::Invalid);
    assert_eq!(change.build(), Ok(TaskUpdate(Kind::Fields(change))));
}

#[test]
fn a_change_with_invalid_values_is_not_built() {
    let long = "x".repeat(200_001);
    let task = TaskChange::new().title(" ").description(&long).order(-1).due_date(date(0, 12, 31)).labels(["", "a\0"]);
    let expected = ["/title", "/description", "/order", "/dueDate", "/labels/0", "/labels/1"];
    assert_eq!(pointers(task.build()), expected);
    assert_eq!(pointers(TaskMove::new(&"c".parse().unwrap(), 1_000_001).build()), ["/order"]);
    let note = NoteChange::new().title(&long).content(&long).emoji("").color("red").tags(vec!["t"; 51]);
    assert_eq!(pointers(note.build()), ["/title", "/content", "/emoji", "/color", "/tags"]);
    let now: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    let draft = KeyDraft::new(KeyMode::McpRead).name("a\nb").expires_at(now);
    assert_eq!(pointers(KeyDraft::from_body(Json::of(&draft), KeyMode::STANDARD, now)), ["/name", "/expiresAt"]);
}

#[test]
fn an_update_of_one_field_equals_its_body() {
    let task = |json: &str| Task::parse_update(body(json)).unwrap();
    let column = || Reference::from("c");
    assert_eq!(TaskUpdate::completed(true), task(r#"{"completed":true}"#));
    assert_eq!(TaskUpdate::to_column(column()), task(r#"{"columnId":"c"}"#));
    let to = TaskUpdate::to_position(column(), 3).unwrap();
    assert_eq!(to, task(r#"{"type":"move-task","columnId":"c","order":3}"#));
    assert_eq!(pointers(TaskUpdate::to_position(column(), -1)), ["/order"]);
    let item = ShoppingItem::parse_update(body(r#"{"checked":false}"#)).unwrap();
    assert_eq!(ShoppingItemUpdate::checked(false), item);
}

#[test]
fn a_new_record_is_put_into_a_container() {
    let task = |json: &str| Task::parse_new(None, body(json)).unwrap();
    let (placed, unplaced) = (task(r#"{"title":"T","columnId":"c"}"#), task(r#"{"title":"T"}"#));
    assert_eq!(unplaced.or_in_column("c".into()), placed);
    assert_eq!(placed.clone().or_in_column("d".into()), placed);
    let item = |list| ShoppingItem::parse_new(list, body(r#"{"name":"N"}"#)).unwrap();
    assert_eq!(item(None).in_list("l".into()), item(Some("l")));
}
