//! The body of a task's PATCH request.

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
fn each_field_accepts_valid_values() {
    let (title, padded) = (emojis(500), format!(r#""  {}\t""#, "ä".repeat(500)));
    let (description, label) = (emojis(20_000), format!("[{}]", emojis(50)));
    let labels = string_array(50);
    let accepted: [(&str, &[&str]); 10] = [
        ("title", &[r#""x""#, &title, &padded, r#""\u200b""#, r#""line\nbreak""#]),
        ("description", &["null", r#""""#, r#"" ""#, &description]),
        ("priority", &[r#""LOW""#, r#""MEDIUM""#, r#""HIGH""#, r#""URGENT""#]),
        ("completed", &["true", "false"]),
        ("columnId", &[r#""c""#, r#""""#, r#""no id""#]),
        ("order", &["0", "1", "1000000"]),
        ("assigneeId", &["null", r#""""#, r#""u""#, r#""no id""#]),
        ("dueDate", &["null", r#""""#, r#""2026-11-20""#, r#""2026-11-20T10:00:00.123456+02:00""#]),
        ("labels", &["[]", &label, &labels, r#"["a","a"]"#]),
        ("isPrivate", &["true", "false"]),
    ];
    for (field, values) in accepted {
        for value in values {
            let update = read(body_with(field, value)).unwrap_or_else(|faults| panic!("{field} {value}: {faults:?}"));
            assert!(!Task::is_empty(&update), "{field} {value}");
        }
    }
}

#[test]
fn each_field_rejects_invalid_values() {
    let (title, description) = (emojis(501), emojis(20_001));
    let labels = string_array(51);
    let invalid: [(&str, &[&str]); 10] = [
        (
            "title",
            &["null", r#""""#, r#""  ""#, r#""\u00a0\u2003\n""#, &title, "7", "true", "[]", "{}", r#""a\u0000""#],
        ),
        ("description", &[&description, "7", "false", "[]", r#""\u0000""#]),
        ("priority", &["null", r#""""#, r#""low""#, r#""LOW ""#, "1"]),
        ("completed", &["null", r#""true""#, "1", "0"]),
        ("columnId", &["null", "7", "[]"]),
        ("order", &["null", "-1", "1000001", "1.0", "1e3", r#""1""#, "99999999999999999999", "true"]),
        ("assigneeId", &["7", "[]", "false"]),
        ("dueDate", &[r#"" ""#, r#""2026-02-30""#, r#""2026-11-20T10:00:00""#, r#""0000-01-01""#, "0", "{}"]),
        ("labels", &["null", r#""x""#, "{}", &labels]),
        ("isPrivate", &["null", r#""false""#, "0"]),
    ];
    for (field, values) in invalid {
        for value in values {
            assert_eq!(pointers(read(body_with(field, value))), [format!("/{field}")], "{field} {value}");
        }
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
        "assigneeId":"u","dueDate":"2026-11-20","labels":["b","a","b"," "],"isPrivate":false}"#;
    let expected = TaskChange {
        title: Some("a".to_owned()),
        description: Field::Set("d".to_owned()),
        priority: Some(Priority::High),
        completed: Some(true),
        column: Some("c".into()),
        order: Some(7),
        assignee: Field::Set("u".into()),
        due_date: Field::Set(DateOrInstant::On(jiff::civil::date(2026, 11, 20))),
        labels: Some(["b", "a", "b", " "].map(str::to_owned).into()),
        is_private: Some(false),
    };
    assert_eq!(change(json), expected);
    let instant = change(r#"{"dueDate":"2026-11-20T10:00:00.1239+02:00"}"#).due_date;
    assert_eq!(instant, Field::Set(DateOrInstant::At("2026-11-20T08:00:00.123Z".parse().unwrap())));
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
