//! The body of a task's PATCH request.

use jiff::tz::offset;

use crate::change::task::Kind;
use crate::change::{DateOrInstant, Editable, TaskChange, TaskMove, TaskUpdate};
use crate::resource::{Priority, Task};
use crate::validation::{Faults, Field, Json, Reference};

use super::bodies::{body, body_with, emojis, pointers, string_array};

fn read(body: Json) -> Result<TaskUpdate, Faults> {
    Task::parse_update(body)
}

fn change(json: &str) -> TaskChange {
    match read(body(json)) {
        Ok(TaskUpdate(Kind::Fields(change))) => change,
        other => panic!("{json}: {other:?}"),
    }
}

#[test]
fn every_invalid_label_is_reported_with_its_index() {
    let long = emojis(51);
    let labels = format!(r#"["ok","",{long},7,null,"\u0000","ok"]"#);
    let expected = ["/labels/1", "/labels/2", "/labels/3", "/labels/4", "/labels/5"];
    assert_eq!(pointers(read(body_with("labels", &labels))), expected);
}

#[test]
fn all_faults_are_listed_with_unknown_fields_last() {
    let json = r#"{"a/b":1,"isPrivate":0,"c~d":2,"title":"","":3,"labels":["",1],"order":-1,"updatedAt":null}"#;
    let expected = ["/title", "/order", "/labels/0", "/labels/1", "/isPrivate", "/a~1b", "/c~0d", "/", "/updatedAt"];
    assert_eq!(pointers(read(body(json))), expected);
}

#[test]
fn a_body_that_is_not_an_object_is_refused() {
    for json in ["null", "[]", "7", r#""{}""#, "true"] {
        assert_eq!(pointers(read(body(json))), [""], "{json}");
    }
}

#[test]
fn an_absent_field_is_kept_and_null_or_empty_clears_it() {
    assert_eq!(change("{}"), TaskChange::default());
    for json in [r#"{"assigneeId":null,"dueDate":null}"#, r#"{"assigneeId":"","dueDate":""}"#] {
        let cleared = TaskChange { assignee: Field::Clear, due_date: Field::Clear, ..TaskChange::default() };
        assert_eq!(change(json), cleared);
    }
    assert_eq!(change(r#"{"description":null}"#).description, Field::Clear);
    assert_eq!(change(r#"{"description":""}"#).description, Field::Set(String::new()));
}

#[test]
fn values_are_parsed_and_only_the_title_is_trimmed() {
    let json = r#"{"title":" a ","description":"d","priority":"HIGH","completed":true,"columnId":"c","order":7,
        "assigneeId":"u","dueDate":"2026-11-20","recurrence":"FREQ=DAILY","labels":["b","a","b"," "],"isPrivate":false}"#;
    let expected = TaskChange {
        title: Some("a".to_owned()),
        description: Field::Set("d".to_owned()),
        priority: Some(Priority::High),
        completed: Some(true),
        column: Some("c".into()),
        order: Some(7),
        assignee: Field::Set("u".into()),
        due_date: Field::Set(DateOrInstant::On(jiff::civil::date(2026, 11, 20))),
        recurrence: Field::Set("FREQ=DAILY".to_owned()),
        labels: Some(["b", "a", "b", " "].map(str::to_owned).into()),
        is_private: Some(false),
    };
    assert_eq!(change(json), expected);
    let instant = change(r#"{"dueDate":"2026-11-20T10:00:00.1239+02:00"}"#).due_date;
    assert_eq!(instant, Field::Set(DateOrInstant::At("2026-11-20T08:00:00.123Z".parse().unwrap(), Some(offset(2)))));
    assert_eq!(change(r#"{"columnId":"no id"}"#).column, Some(Reference::Invalid));
    assert_eq!(change(r#"{"assigneeId":"no id"}"#).assignee, Field::Set(Reference::Invalid));
}

#[test]
fn a_move_has_exactly_three_fields() {
    let to = TaskMove { column: "c".into(), order: 3 };
    let update = read(body(r#"{"order":3,"type":"move-task","columnId":"c"}"#)).unwrap();
    assert_eq!(update, TaskUpdate(Kind::Move(to)));
    assert!(!Task::is_empty(&update));
    for (json, expected) in [
        (r#"{"type":"move-task"}"#, vec!["/columnId", "/order"]),
        (r#"{"type":"move-task","columnId":"c"}"#, vec!["/order"]),
        (r#"{"type":"move-task","columnId":null,"order":null}"#, vec!["/columnId", "/order"]),
        (r#"{"type":"move-task","columnId":"c","order":1000001}"#, vec!["/order"]),
        (r#"{"type":"move-task","columnId":"c","order":3,"title":"t"}"#, vec!["/title"]),
        (r#"{"type":"Move-Task","columnId":"c","order":3}"#, vec!["/type"]),
        (r#"{"type":null,"title":"t"}"#, vec!["/type", "/columnId", "/order", "/title"]),
    ] {
        assert_eq!(pointers(read(body(json))), expected, "{json}");
    }
}

#[test]
fn too_many_labels_are_a_single_fault() {
    let labels = string_array(50).replace(']', r#","",7]"#);
    assert_eq!(pointers(Task::parse_update(body_with("labels", &labels))), ["/labels"]);
}
