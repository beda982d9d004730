//! Changes built in code follow the same rules as changes parsed from a body.

use jiff::civil::date;
use serde::Serialize;

use crate::Timestamp;
use crate::change::{Field, Json, NoteChange, ProfileChange, Reference, TaskChange, TaskMove, TaskUpdate};
use crate::key::{KeyDraft, KeyMode};
use crate::resource::Priority;

use super::bodies::pointers;

fn body(change: &impl Serialize) -> Json {
    Json::parse(&serde_json::to_vec(change).unwrap()).unwrap()
}

fn every_task_change() -> [TaskChange; 3] {
    let set = TaskChange::new().title("T").description("D").priority(Priority::Urgent).complete().order(7);
    let set = set.column(&"c".parse().unwrap()).assignee(&"u".parse().unwrap()).labels(["a", "b"]).make_private();
    let due_at = set.clone().due_date("2026-11-20T10:00:00.123Z".parse::<Timestamp>().unwrap());
    let cleared = TaskChange::new().clear_description().clear_assignee().clear_due_date().reopen().make_shared();
    [set.due_date(date(1, 1, 1)), due_at, cleared]
}

#[test]
fn a_built_change_is_unchanged_after_parsing_its_body() {
    for change in every_task_change() {
        let update = TaskUpdate::from(change);
        assert_eq!(TaskUpdate::from_body(body(&update)), Ok(update.clone()));
        assert_eq!(update.check(), Ok(()));
    }
    let to = TaskUpdate::from(TaskMove::new(&"c".parse().unwrap(), 3));
    assert_eq!(TaskUpdate::from_body(body(&to)), Ok(to));
    let note = NoteChange::new().title("").content("C").pin().category(&"c".parse().unwrap());
    let note = note.emoji("E").color("#00ff00").tags(["a"]);
    for change in [note, NoteChange::new().unpin().clear_category(), NoteChange::new()] {
        assert_eq!(NoteChange::from_body(body(&change)), Ok(change.clone()));
        assert_eq!(change.check(), Ok(()));
    }
    for change in
        [ProfileChange::new().enable_personal_api(), ProfileChange::new().disable_personal_api(), ProfileChange::new()]
    {
        assert_eq!(ProfileChange::from_body(body(&change)), Ok(change));
    }
    let now: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    let draft = KeyDraft::new(KeyMode::McpRead).name(" n\u{3000}").expires_at(now.saturating_add_years(1));
    assert_eq!(KeyDraft::from_body(body(&draft), now), Ok(draft.clone()));
    assert_eq!(draft.name.as_deref(), Some("n"));
}

#[test]
fn an_invalid_reference_does_not_become_a_blank() {
    let mut change = TaskChange::new();
    change.assignee = Field::Set(Reference::Nothing);
    let update = TaskUpdate::from(change);
    assert_eq!(TaskUpdate::from_body(body(&update)), Ok(update));
}

#[test]
fn a_built_change_has_the_same_faults_as_its_body() {
    let long = "x".repeat(200_001);
    let task = TaskChange::new().title(" ").description(&long).order(-1).due_date(date(0, 12, 31)).labels(["", "a\0"]);
    let task = TaskUpdate::from(task);
    let expected = ["/title", "/description", "/order", "/dueDate", "/labels/0", "/labels/1"];
    assert_eq!(pointers(task.check()), expected);
    assert_eq!(pointers(TaskUpdate::from_body(body(&task))), expected);
    let to = TaskUpdate::from(TaskMove::new(&"c".parse().unwrap(), 1_000_001));
    assert_eq!(pointers(to.check()), ["/order"]);
    let note = NoteChange::new().title(&long).content(&long).emoji("").color("red").tags(vec!["t"; 51]);
    assert_eq!(note.check(), NoteChange::from_body(body(&note)).map(|_| ()));
    assert_eq!(pointers(note.check()), ["/title", "/content", "/emoji", "/color", "/tags"]);
    let now: Timestamp = "2026-11-20T10:00:00Z".parse().unwrap();
    let draft = KeyDraft::new(KeyMode::McpRead).name("a\nb").expires_at(now);
    assert_eq!(pointers(draft.check(now)), ["/name", "/expiresAt"]);
    assert_eq!(pointers(KeyDraft::from_body(body(&draft), now)), ["/name", "/expiresAt"]);
}
