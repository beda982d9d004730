//! The rules that depend on the stored note.

use crate::calendar::Zone;
use crate::change::{Editable, NoteChange, NoteFacts, Verdict, WriteContext};
use crate::resource::{Note, NoteCategory};
use crate::validation::{Field, Reference};

use super::{at, now};

fn category(name: &str) -> NoteCategory {
    NoteCategory { id: name.parse().unwrap(), name: name.to_owned(), emoji: None, color: None, parent_id: None }
}

fn note() -> Note {
    Note {
        id: "n".parse().unwrap(),
        title: "t".to_owned(),
        content: "c".to_owned(),
        emoji: Some("e".to_owned()),
        color: None,
        pinned: false,
        tags: vec!["a".to_owned()],
        author_id: None,
        author: None,
        category_id: Some("old".parse().unwrap()),
        category: Some(category("old")),
        created_at: at("2026-01-01T00:00:00Z"),
        updated_at: at("2026-01-01T00:00:00Z"),
    }
}

fn decide(change: &NoteChange, found: Option<NoteCategory>) -> Verdict<Note> {
    let context = WriteContext { user: &"ada".parse().unwrap(), zone: &Zone::utc(), now: now() };
    Note::decide(change.build().unwrap(), NoteFacts { note: note(), category: found }, &context)
}

fn change_category(category: Field<Reference<crate::id::CategoryId>>) -> NoteChange {
    NoteChange { category, ..NoteChange::default() }
}

#[test]
fn an_empty_change_keeps_the_note_and_its_updated_at() {
    assert_eq!(decide(&NoteChange::default(), None), Verdict::Write(note()));
}

#[test]
fn a_missing_category_is_not_found() {
    for reference in [Reference::from("new"), Reference::Invalid] {
        assert_eq!(decide(&change_category(Field::Set(reference)), None), Verdict::NotFound);
    }
}

#[test]
fn the_category_and_its_id_are_set_and_cleared_together() {
    let set = Note {
        category_id: Some("new".parse().unwrap()),
        category: Some(category("new")),
        updated_at: now(),
        ..note()
    };
    assert_eq!(decide(&change_category(Field::Set("new".into())), Some(category("new"))), Verdict::Write(set));
    let cleared = Note { category_id: None, category: None, updated_at: now(), ..note() };
    assert_eq!(decide(&change_category(Field::Clear), None), Verdict::Write(cleared));
}

#[test]
fn only_the_fields_in_the_change_are_updated() {
    let change = NoteChange { pinned: Some(true), color: Some("#000000".to_owned()), ..NoteChange::default() };
    let expected = Note { pinned: true, color: Some("#000000".to_owned()), updated_at: now(), ..note() };
    assert_eq!(decide(&change, None), Verdict::Write(expected));
}
