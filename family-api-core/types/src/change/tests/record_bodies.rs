//! The bodies of all kinds of records: the limits of every field.

use serde_json::json;

use crate::change::Editable;
use crate::resource::{Board, Column, Event, Note, NoteCategory, RecordKind, ShoppingItem, ShoppingList, Task};
use crate::validation::{Faults, Json};

use super::bodies::{body, body_with, emojis, pointers, string_array};

/// The values that a field accepts and rejects.
struct Values {
    field: &'static str,
    accepted: Vec<String>,
    rejected: Vec<String>,
}

fn values(field: &'static str, accepted: &[&str], rejected: &[&str]) -> Values {
    let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    Values { field, accepted: owned(accepted), rejected: owned(rejected) }
}

/// A text that is stored trimmed, with 1 to `max` characters.
fn trimmed(field: &'static str, max: usize) -> Values {
    let padded = format!(r#""  {}\t""#, "ä".repeat(max));
    let accepted = [r#""x""#, r#""\u200b""#, &emojis(max), &padded];
    let rejected = ["null", r#""""#, r#"" \u00a0\n""#, &emojis(max + 1), "7", "[]", r#""a\u0000""#];
    values(field, &accepted, &rejected)
}

/// A text that can be `null`, with at most `max` characters.
fn nullable_text(field: &'static str, max: usize) -> Values {
    values(field, &["null", r#""""#, r#"" ""#, &emojis(max)], &[&emojis(max + 1), "7", "false", r#""\u0000""#])
}

/// At most 50 texts.
fn texts(field: &'static str) -> Values {
    let longest = format!("[{}]", emojis(50));
    values(field, &["[]", &longest, &string_array(50), r#"["a","a"]"#], &["null", r#""x""#, "{}", &string_array(51)])
}

fn boolean(field: &'static str) -> Values {
    values(field, &["true", "false"], &["null", r#""true""#, "1"])
}

fn order(field: &'static str) -> Values {
    let rejected = ["null", "-1", "1000001", "1.0", "1e3", r#""1""#, "99999999999999999999", "true"];
    values(field, &["0", "1000000"], &rejected)
}

/// The id of a record, which can also be no valid id.
fn reference(field: &'static str) -> Values {
    values(field, &[r#""x""#, r#""no id""#, r#""""#], &["null", "7", "[]"])
}

/// The id of a record, or `null`.
fn nullable_reference(field: &'static str) -> Values {
    values(field, &["null", r#""x""#, r#""no id""#, r#""""#], &["7", "[]", "{}", "false"])
}

fn emoji() -> Values {
    values("emoji", &["null", r#"" ""#, &emojis(32)], &[r#""""#, &emojis(33), "7", r#""\u0000""#])
}

fn color() -> Values {
    let rejected =
        [r#""""#, r#""red""#, r##""#fff""##, r#""a1b2c3""#, r##""#a1b2cg""##, r##""#a1b2c3 ""##, r##""#ééé""##, "7"];
    values("color", &["null", r##""#a1B2c3""##], &rejected)
}

/// A field of a note cannot be `null`, as it can in other records.
fn not_null(mut values: Values) -> Values {
    values.accepted.retain(|value| value != "null");
    values.rejected.push("null".to_owned());
    values
}

fn date(field: &'static str) -> Values {
    let accepted = [r#""2026-11-20""#, r#""2026-11-20T10:00""#, r#""2026-11-20T10:00:00.123456+02:00""#];
    let rejected = ["null", r#""""#, r#""2026-02-30""#, r#""2026-11-20T10""#, r#""0000-01-01""#, "0", "{}"];
    values(field, &accepted, &rejected)
}

fn recurrence() -> Values {
    let accepted =
        ["null", r#""FREQ=WEEKLY;BYDAY=MO""#, r#""RRULE:FREQ=DAILY\nEXDATE;TZID=Europe/Kyiv:20261124T183000""#];
    let never = r#""FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30""#;
    let long = format!(r#""FREQ=DAILY;BYMONTH={}12""#, "1,".repeat(2_100));
    values("recurrence", &accepted, &[r#""""#, r#""weekly""#, r#""FREQ=HOURLY""#, never, &long, "7", r#""\u0000""#])
}

/// The recurrence of a task can have a start.
fn with_start(mut values: Values) -> Values {
    values.accepted.push(r#""DTSTART;TZID=Europe/Kyiv:20261123T090000\nRRULE:FREQ=DAILY""#.to_owned());
    values
}

fn time_zone() -> Values {
    let rejected = ["null", r#""""#, r#""utc""#, r#""Europe/Nowhere""#, r#""+02:00""#, "2"];
    values("timeZone", &[r#""UTC""#, r#""Europe/Kyiv""#], &rejected)
}

/// At most 30 ids of users, which can also be no valid ids.
fn participants() -> Values {
    let ids = |count: usize| json!((0..count).map(|number| format!("u{number}")).collect::<Vec<_>>()).to_string();
    let accepted = ["[]", r#"["x","no id",""]"#, &ids(30)];
    values("participantIds", &accepted, &["null", r#""x""#, "{}", &ids(31)])
}

/// Checks that each value alone is accepted or rejected, with the pointer of the field.
fn check<R: Editable>(fields: &[Values]) {
    for Values { field, accepted, rejected } in fields {
        for value in accepted {
            let update = R::parse_update(body_with(field, value));
            let update = update.unwrap_or_else(|faults| panic!("{:?} {field} {value}: {faults:?}", R::KIND));
            assert!(!R::is_empty(&update), "{:?} {field} {value}", R::KIND);
        }
        for value in rejected {
            let expected = [format!("/{field}")];
            assert_eq!(pointers(R::parse_update(body_with(field, value))), expected, "{:?} {value}", R::KIND);
        }
    }
    let names: Vec<&str> = fields.iter().map(|values| values.field).collect();
    let schema = R::update_schema();
    // An update of a task is a change or a move.
    let change = schema.pointer("/oneOf/0").unwrap_or(&schema);
    let mut declared: Vec<&str> = change["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    declared.sort_by_key(|name| names.iter().position(|other| other == name));
    assert_eq!(declared, names, "{:?}", R::KIND);
}

#[test]
fn each_field_of_an_update_has_its_limits() {
    let priority = [r#""LOW""#, r#""MEDIUM""#, r#""HIGH""#, r#""URGENT""#];
    let due_date =
        ["null", r#""""#, r#""2026-11-20""#, r#""2026-11-20T10:00""#, r#""2026-11-20T10:00:00.123456+02:00""#];
    let no_date = [r#"" ""#, r#""2026-02-30""#, r#""2026-11-20T10""#, r#""0000-01-01""#, "0", "{}"];
    check::<Task>(&[
        trimmed("title", 500),
        nullable_text("description", 20_000),
        values("priority", &priority, &["null", r#""""#, r#""low""#, r#""LOW ""#, "1"]),
        boolean("completed"),
        reference("columnId"),
        order("order"),
        nullable_reference("assigneeId"),
        values("dueDate", &due_date, &no_date),
        with_start(recurrence()),
        texts("labels"),
        boolean("isPrivate"),
    ]);
    let long = |length| format!(r#""{}""#, "x".repeat(length));
    let content = [r#""""#, r#""a\r\n\tb""#, &emojis(60_000), &long(200_000)];
    check::<Note>(&[
        values("title", &[r#""""#, r#"" ""#, &emojis(500)], &["null", &emojis(501), "7", r#""\u0000""#]),
        values("content", &content, &["null", &long(200_001), "[]", r#""\u0000""#]),
        boolean("pinned"),
        nullable_reference("categoryId"),
        not_null(emoji()),
        not_null(color()),
        texts("tags"),
    ]);
    check::<Event>(&[
        trimmed("title", 500),
        nullable_text("description", 20_000),
        emoji(),
        color(),
        date("startDate"),
        date("endDate"),
        boolean("allDay"),
        time_zone(),
        nullable_text("location", 1_000),
        recurrence(),
        nullable_reference("assigneeId"),
        participants(),
    ]);
    check::<ShoppingItem>(&[
        trimmed("name", 500),
        boolean("checked"),
        reference("listId"),
        nullable_text("quantity", 100),
        nullable_text("category", 100),
    ]);
    check::<Board>(&[trimmed("name", 200), nullable_text("description", 20_000), emoji(), color(), order("order")]);
    check::<Column>(&[trimmed("name", 200), emoji(), color(), order("order")]);
    check::<ShoppingList>(&[trimmed("name", 200), emoji(), order("sortOrder")]);
    check::<NoteCategory>(&[trimmed("name", 200), emoji(), color()]);
}

#[test]
fn each_participant_is_a_text() {
    let parsed = Event::parse_update(body(r#"{"participantIds":["a","b",7,"a",null,"B"]}"#));
    assert_eq!(pointers(parsed), ["/participantIds/2", "/participantIds/4"]);
}

/// Returns the pointers of the faults of a new record.
fn new_faults<R: Editable>(json: &str) -> Vec<String> {
    let parsed: Result<_, Faults> = R::parse_new(Some("c"), body(json));
    parsed.err().map(|faults| faults.listed().iter().map(|fault| fault.pointer.clone()).collect()).unwrap_or_default()
}

#[test]
fn a_new_record_has_every_required_field() {
    assert_eq!(new_faults::<Task>("{}"), ["/title"]);
    assert_eq!(new_faults::<Note>("{}"), ["/title"]);
    assert_eq!(new_faults::<Event>("{}"), ["/title", "/startDate", "/endDate"]);
    assert_eq!(new_faults::<ShoppingItem>("{}"), ["/name"]);
    assert_eq!(new_faults::<Board>("{}"), ["/name"]);
    assert_eq!(new_faults::<Column>("{}"), ["/name"]);
    assert_eq!(new_faults::<ShoppingList>("{}"), ["/name"]);
    assert_eq!(new_faults::<NoteCategory>("{}"), ["/name"]);
    assert_eq!(
        new_faults::<Event>(r#"{"title":"","startDate":null,"x":1}"#),
        ["/title", "/startDate", "/endDate", "/x"]
    );
}

#[test]
fn some_fields_belong_to_only_one_of_the_bodies() {
    let private = r#"{"name":"n","isPrivate":true}"#;
    assert!(new_faults::<Board>(private).is_empty() && new_faults::<ShoppingList>(private).is_empty());
    assert_eq!(pointers(Board::parse_update(body(private))), ["/isPrivate"]);
    assert_eq!(pointers(ShoppingList::parse_update(body(private))), ["/isPrivate"]);
    assert_eq!(new_faults::<ShoppingItem>(r#"{"name":"n","listId":"l"}"#), ["/listId"]);
    assert_eq!(new_faults::<Column>(r#"{"name":"n","boardId":"b"}"#), ["/boardId"]);
    assert_eq!(pointers(Column::parse_update(body(r#"{"boardId":"b"}"#))), ["/boardId"]);
    assert_eq!(new_faults::<Task>(r#"{"type":"move-task","columnId":"c","order":1}"#), ["/title", "/type"]);
}

#[test]
fn the_container_of_a_new_record_is_the_id_in_the_path() {
    let item = |list| ShoppingItem::parse_new(list, body(r#"{"name":"n"}"#)).unwrap().into_fields();
    assert_eq!(item(Some("l")).named_list().unwrap().as_str(), "l");
    let column = |board| Column::parse_new(board, body(r#"{"name":"n"}"#)).unwrap().into_fields();
    assert_eq!(column(Some("b")).named_board().unwrap().as_str(), "b");
    for invalid in [None, Some(""), Some("no id")] {
        assert_eq!((item(invalid).named_list(), column(invalid).named_board()), (None, None));
    }
}

/// Checks that the examples of the bodies are accepted.
fn check_examples<R: Editable>() {
    for (schema, is_new) in [(R::update_schema(), false), (R::new_schema(), true)] {
        let parse = |value: &serde_json::Value| {
            let json = Json::parse(value.to_string().as_bytes()).unwrap();
            if is_new { R::parse_new(Some("c"), json).err() } else { R::parse_update(json).err() }
        };
        assert_eq!(parse(&schema["example"]), None, "{:?}", R::KIND);
        let fields = schema.pointer("/oneOf/0").unwrap_or(&schema);
        for (name, field) in fields["properties"].as_object().unwrap() {
            for example in field["examples"].as_array().unwrap_or_else(|| panic!("{:?} {name}", R::KIND)) {
                let mut example_body = schema["example"].clone();
                example_body[name] = example.clone();
                assert_eq!(parse(&example_body), None, "{:?} {name}", R::KIND);
            }
        }
    }
}

#[test]
fn the_example_of_each_body_and_field_is_accepted() {
    check_examples::<Task>();
    check_examples::<Note>();
    check_examples::<Event>();
    check_examples::<ShoppingItem>();
    check_examples::<Board>();
    check_examples::<Column>();
    check_examples::<ShoppingList>();
    check_examples::<NoteCategory>();
    assert_eq!(RecordKind::ALL.len(), 8);
}
