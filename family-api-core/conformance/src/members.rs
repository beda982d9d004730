//! Members of a family: visibility, order, fields.

use family_api_core::bytes::Bytes;
use family_api_core::calendar::StatsPeriods;
use family_api_core::resource::{Document, Person, ResourceKind, TaskStats};
use family_api_core::storage::{Member, Record, UserRecord};

use crate::Subject;
use crate::fixture::{
    Call, MemberView, ada, assert_same, days, eve, id, person, seed_families, seed_families_and, user,
};

fn ids(people: &[Person]) -> Vec<&str> {
    people.iter().map(|person| person.id.as_str()).collect()
}

pub(super) async fn only_the_current_members_of_the_own_family_are_listed(subject: &dyn Subject) {
    seed_families(subject).await;
    assert_same(&ids(&MemberView::of(ada(), subject).members().await), &["ada", "bob"]);
    assert_same(&ids(&MemberView::of(eve(), subject).members().await), &["dee", "eve"]);
}

/// The user can leave the family between the authorization of a request and its read.
pub(super) async fn a_user_who_left_the_family_reads_none_of_its_data(subject: &dyn Subject) {
    seed_families(subject).await;
    let storage = subject.storage();
    for user in ["cid", "dee", "gone"] {
        let member = Member { user: id(user), family: id("north") };
        let view = MemberView::of(member.clone(), subject);
        let mut read = view.documents().await;
        read.add_members(&view).await;
        for record in ["shared", "todo", "open", "left", "trip", "groceries", "milk", "recipe", "pinned", "ada"] {
            let id = format!("\"id\":\"{record}\"");
            let contains_id = |document: &Bytes| String::from_utf8_lossy(document).contains(&id);
            assert!(!read.bytes().any(contains_id), "{user} reads {record}");
        }
        for (method, found) in [
            ("find_task", storage.find_task(&member, &id("open")).await.map(Document::into_bytes)),
            ("find_event", storage.find_event(&member, &id("trip")).await.map(Document::into_bytes)),
            ("find_shopping_item", storage.find_shopping_item(&member, &id("milk")).await.map(Document::into_bytes)),
            ("find_note", storage.find_note(&member, &id("recipe")).await.map(Document::into_bytes)),
        ] {
            assert_eq!(Call::new(method, user).result(found), "[]", "{method} as {user}");
        }
        if storage.capabilities().keeps_resource(ResourceKind::TaskStats) {
            let periods = StatsPeriods { today: days(0)..days(1), week: days(-4)..days(3) };
            let stats = Call::new("find_task_stats", user).result(storage.find_task_stats(&member, &periods).await);
            assert_same(&stats.parse().unwrap(), &TaskStats::default());
        }
    }
}

pub(super) async fn members_are_sorted_by_id(subject: &dyn Subject) {
    let users = [
        UserRecord { name: "Aaron".to_owned(), ..user("zoe", Some("north")) },
        user("_", Some("north")),
        user("Z", Some("north")),
    ];
    seed_families_and(subject, users.map(Record::User).into()).await;
    assert_same(&ids(&MemberView::of(ada(), subject).members().await), &["Z", "_", "ada", "bob", "zoe"]);
}

pub(super) async fn every_field_of_a_member_is_returned(subject: &dyn Subject) {
    seed_families(subject).await;
    let members = MemberView::of(ada(), subject).members().await;
    let expected = [person(subject, "ada").await.unwrap(), person(subject, "bob").await.unwrap()];
    assert_same(&members, &expected);
    let keeps_image = subject.storage().capabilities().keeps_profile_field("image");
    assert_same(&[members[0].image.is_some(), members[1].image.is_some()], &[keeps_image, false]);
}
