//! Changing and deleting notes.

use family_api_core::change::NoteChange;
use family_api_core::resource::{Note, NoteCategory};
use family_api_core::storage::Written;
use futures_util::future::join_all;
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::{delete, update};
use crate::fixture::{MemberView, ada, assert_done, bob, eve, expect_done, id, now};

/// A change and its expected effect on the note.
type ChangeCase = (NoteChange, fn(&mut Note));

pub(super) async fn a_note_change_sets_every_given_field(subject: &dyn Subject) {
    let before = MemberView::of(ada(), subject).note("pinned").await;
    let change = NoteChange::new()
        .title(" Tîtle 🍲 ")
        .content("a\r\n\"b\"\u{1F9C2}")
        .unpin()
        .category(&id("food"))
        .emoji("🥣")
        .color("#A1b2C3")
        .tags(["b", "a", "b"]);
    let after = Note {
        title: " Tîtle 🍲 ".to_owned(),
        content: "a\r\n\"b\"\u{1F9C2}".to_owned(),
        pinned: false,
        category_id: Some(id("food")),
        category: Some(NoteCategory {
            id: id("food"),
            name: "food 🍲".to_owned(),
            emoji: Some("🍲".to_owned()),
            color: Some("#a0b0c0".to_owned()),
            parent_id: Some(id("home")),
        }),
        emoji: Some("🥣".to_owned()),
        color: Some("#A1b2C3".to_owned()),
        tags: vec!["b".to_owned(), "a".to_owned(), "b".to_owned()],
        updated_at: now(),
        ..before
    };
    assert_eq!(expect_done(update::<Note>(subject, &bob(), "pinned", change).await), after);
    assert_eq!(MemberView::of(ada(), subject).note("pinned").await, after);
}

pub(super) async fn a_note_change_keeps_omitted_fields(subject: &dyn Subject) {
    let keep = NoteChange::new;
    let changes: [ChangeCase; 6] = [
        (keep().title(""), |note| note.title.clear()),
        (keep().content("C"), |note| "C".clone_into(&mut note.content)),
        (keep().pin(), |note| note.pinned = true),
        (keep().emoji("E"), |note| note.emoji = Some("E".to_owned())),
        (keep().color("#000000"), |note| note.color = Some("#000000".to_owned())),
        (keep().tags::<&str>([]), |note| note.tags = vec![]),
    ];
    let mut expected = MemberView::of(ada(), subject).note("recipe").await;
    expected.updated_at = now();
    for (change, apply) in changes {
        apply(&mut expected);
        assert_eq!(expect_done(update::<Note>(subject, &ada(), "recipe", change).await), expected);
        assert_eq!(MemberView::of(ada(), subject).note("recipe").await, expected);
    }
}

pub(super) async fn null_clears_the_category_of_a_note(subject: &dyn Subject) {
    let before = MemberView::of(ada(), subject).note("recipe").await;
    let change = NoteChange::new().clear_category();
    let after = Note { category_id: None, category: None, updated_at: now(), ..before };
    assert_eq!(expect_done(update::<Note>(subject, &ada(), "recipe", change).await), after);
    assert_eq!(MemberView::of(ada(), subject).note("recipe").await, after);
}

pub(super) async fn setting_a_category_of_another_family_returns_not_found(subject: &dyn Subject) {
    let before = MemberView::documents_of_all_members(subject).await;
    for category in ["south-cat", "nowhere", "no id", "FOOD"] {
        let change = json!({ "title": "sorted", "categoryId": category });
        assert_eq!(update::<Note>(subject, &ada(), "recipe", change).await, Written::NotFound, "{category}");
    }
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(super) async fn an_empty_note_change_changes_nothing_and_returns_the_note(subject: &dyn Subject) {
    let before = MemberView::documents_of_all_members(subject).await;
    let recipe = MemberView::of(ada(), subject).note("recipe").await;
    assert_eq!(expect_done(update::<Note>(subject, &bob(), "recipe", NoteChange::new()).await), recipe);
    assert_eq!(MemberView::documents_of_all_members(subject).await, before);
}

pub(super) async fn a_deletion_removes_only_one_note_and_succeeds_once(subject: &dyn Subject) {
    assert_done(delete::<Note>(subject, &bob(), "recipe").await);
    assert_eq!(delete::<Note>(subject, &bob(), "recipe").await, Written::NotFound);
    let remaining: Vec<_> =
        MemberView::of(ada(), subject).notes().await.into_iter().map(|note| note.id.to_string()).collect();
    assert_eq!(remaining, ["pinned", "ghost-note"]);
    assert_eq!(update::<Note>(subject, &ada(), "recipe", NoteChange::new()).await, Written::NotFound);
    assert_eq!(MemberView::of(eve(), subject).notes().await.len(), 1);
}

pub(super) async fn concurrent_changes_to_different_note_fields_are_all_kept(subject: &dyn Subject) {
    let (ada, bob) = (ada(), bob());
    let changes = [
        NoteChange::new().title("T"),
        NoteChange::new().content("C"),
        NoteChange::new().emoji("E"),
        NoteChange::new().color("#123456"),
        NoteChange::new().tags(["t"]),
    ];
    let changes = changes.into_iter().zip([&ada, &bob].into_iter().cycle());
    join_all(
        changes.map(
            |(change, member)| async move { expect_done(update::<Note>(subject, member, "recipe", change).await) },
        ),
    )
    .await;
    let note = MemberView::of(ada, subject).note("recipe").await;
    let actual = [Some(note.title), Some(note.content), note.emoji, note.color, note.tags.into_iter().next()];
    assert_eq!(actual, ["T", "C", "E", "#123456", "t"].map(|text| Some(text.to_owned())));
}
