//! Changing notes.

use family_api_core::change::NoteChange;
use family_api_core::resource::{Note, NoteCategory};
use family_api_core::storage::Written;
use futures_util::future::join_all;
use serde_json::json;

use crate::Subject;
use crate::fixture::calls::update;
use crate::fixture::{Documents, MemberView, ada, assert_outcome, assert_same, bob, expect_done, id, now};
use crate::writes::kinds::{kept, kept_body};

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
    let after = Note { category: after.category.map(|category| kept(subject, category)), ..after };
    let (change, after) = (kept_body::<Note>(subject, change), kept(subject, after));
    assert_same(&expect_done(update::<Note>(subject, &bob(), "pinned", change).await), &after);
    assert_same(&MemberView::of(ada(), subject).note("pinned").await, &after);
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
        let change = kept_body::<Note>(subject, change);
        if change == json!({}) {
            continue;
        }
        apply(&mut expected);
        expected = kept(subject, expected);
        assert_same(&expect_done(update::<Note>(subject, &ada(), "recipe", change).await), &expected);
        assert_same(&MemberView::of(ada(), subject).note("recipe").await, &expected);
    }
}

pub(super) async fn null_clears_the_category_of_a_note(subject: &dyn Subject) {
    let before = MemberView::of(ada(), subject).note("recipe").await;
    let change = NoteChange::new().clear_category();
    let after = Note { category_id: None, category: None, updated_at: now(), ..before };
    assert_same(&expect_done(update::<Note>(subject, &ada(), "recipe", change).await), &after);
    assert_same(&MemberView::of(ada(), subject).note("recipe").await, &after);
}

pub(super) async fn setting_a_category_of_another_family_returns_not_found(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    for category in ["south-cat", "nowhere", "no id", "FOOD"] {
        let change = json!({ "title": "sorted", "categoryId": category });
        assert_outcome(&update::<Note>(subject, &ada(), "recipe", change).await, &Written::NotFound);
    }
    assert_same(&Documents::of_all_members(subject).await, &before);
}

pub(super) async fn an_empty_note_change_changes_nothing_and_returns_the_note(subject: &dyn Subject) {
    let before = Documents::of_all_members(subject).await;
    let recipe = MemberView::of(ada(), subject).note("recipe").await;
    assert_same(&expect_done(update::<Note>(subject, &bob(), "recipe", NoteChange::new()).await), &recipe);
    assert_same(&Documents::of_all_members(subject).await, &before);
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
    let before = MemberView::of(ada.clone(), subject).note("recipe").await;
    let changes = changes.map(|change| kept_body::<Note>(subject, change));
    let changes = changes.into_iter().zip([&ada, &bob].into_iter().cycle());
    join_all(
        changes.map(
            |(change, member)| async move { expect_done(update::<Note>(subject, member, "recipe", change).await) },
        ),
    )
    .await;
    let note = MemberView::of(ada, subject).note("recipe").await;
    let expected = Note {
        title: "T".to_owned(),
        content: "C".to_owned(),
        emoji: Some("E".to_owned()),
        color: Some("#123456".to_owned()),
        tags: vec!["t".to_owned()],
        updated_at: now(),
        ..before
    };
    assert_same(&note, &kept(subject, expected));
}
