//! Notes: visibility, order, fields.

use family_api_core::resource::{Note, NoteCategory};
use family_api_core::storage::{NoteRecord, Record};

use crate::Subject;
use crate::fixture::{
    MemberView, NOT_OF_THE_HOST, ada, assert_same, days, eve, id, minute, note, person, seconds, seed,
};
use crate::writes::kinds::kept;

fn ids(notes: &[Note]) -> Vec<&str> {
    notes.iter().map(|note| note.id.as_str()).collect()
}

pub(super) async fn notes_of_another_family_are_not_visible(subject: &dyn Subject) {
    let seen = MemberView::of(ada(), subject).notes().await;
    let mut seen = ids(&seen);
    seen.sort_unstable();
    assert_same(&seen, &["ghost-note", "pinned", "recipe"]);
    assert_same(&ids(&MemberView::of(eve(), subject).notes().await), &["south-note"]);
}

pub(super) async fn a_found_note_equals_the_listed_note(subject: &dyn Subject) {
    for member in [ada(), eve()] {
        let listed = subject.storage().list_notes(&member).await.unwrap();
        for note in ["pinned", "recipe", "ghost-note", "south-note", "nowhere", "RECIPE", "0recipe", NOT_OF_THE_HOST] {
            let mut notes = listed.parse().unwrap();
            notes.retain(|other| other.id.as_str() == note);
            let found = subject.storage().find_note(&member, &id(note)).await.unwrap();
            assert_same(&found.parse().unwrap(), &notes);
            assert_eq!(found.revision(), listed.revision(), "{note}");
        }
    }
}

pub(super) async fn notes_are_sorted_pinned_first_then_newest_then_by_id(subject: &dyn Subject) {
    let notes = [
        NoteRecord { updated_at: minute(1), ..note("newest", "south") },
        NoteRecord { updated_at: seconds(1), created_at: minute(5), ..note("newer", "south") },
        note("z", "south"),
        note("Z", "south"),
        note("_", "south"),
        NoteRecord { pinned: true, updated_at: days(-900), ..note("pinned-old", "south") },
        NoteRecord { pinned: true, ..note("pinned-b", "south") },
        NoteRecord { pinned: true, ..note("pinned-B", "south") },
    ];
    seed(subject, notes.map(Record::Note).into()).await;
    let order = ["pinned-B", "pinned-b", "pinned-old", "newest", "newer", "Z", "_", "south-note", "z"];
    assert_same(&ids(&MemberView::of(eve(), subject).notes().await), &order);
}

pub(super) async fn every_field_of_a_note_is_returned(subject: &dyn Subject) {
    let view = MemberView::of(ada(), subject);
    let recipe = Note {
        id: id("recipe"),
        title: "Soup 🍲".to_owned(),
        content: "Salt\nWater\u{1F9C2}".to_owned(),
        emoji: Some("🥣".to_owned()),
        color: Some("#abcdef".to_owned()),
        pinned: false,
        tags: vec!["warm".to_owned(), "Ä".to_owned()],
        author_id: Some(id("ada")),
        author: person(subject, "ada").await,
        category_id: Some(id("food")),
        category: Some(NoteCategory {
            id: id("food"),
            name: "food 🍲".to_owned(),
            emoji: Some("🍲".to_owned()),
            color: Some("#a0b0c0".to_owned()),
            parent_id: Some(id("home")),
        }),
        created_at: days(-100),
        updated_at: days(-100),
    };
    let pinned = Note {
        id: id("pinned"),
        title: "pinned".to_owned(),
        content: String::new(),
        emoji: None,
        color: None,
        pinned: true,
        tags: vec![],
        author_id: Some(id("cid")),
        author: None,
        category_id: None,
        category: None,
        ..recipe.clone()
    };
    let recipe = Note { category: recipe.category.map(|category| kept(subject, category)), ..recipe };
    assert_same(&view.note("recipe").await, &kept(subject, recipe));
    assert_same(&view.note("pinned").await, &kept(subject, pinned));
}

pub(super) async fn a_note_has_the_id_but_no_name_of_an_author_who_left(subject: &dyn Subject) {
    let view = MemberView::of(ada(), subject);
    let pinned = view.note("pinned").await;
    assert_same(&(pinned.author_id, pinned.author), &(Some(id("cid")), None));
    let ghost = view.note("ghost-note").await;
    assert_same(&(ghost.author_id, ghost.author), &(Some(id("gone")), None));
}
