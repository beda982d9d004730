//! Members of a family: visibility, order, fields.

use family_api_core::resource::Person;
use family_api_core::storage::{Record, UserRecord};

use crate::Subject;
use crate::fixture::{MemberView, ada, assert_same, eve, person, seed_families, seed_families_and, user};

fn ids(people: &[Person]) -> Vec<&str> {
    people.iter().map(|person| person.id.as_str()).collect()
}

pub(super) async fn only_the_current_members_of_the_own_family_are_listed(subject: &dyn Subject) {
    seed_families(subject).await;
    assert_same(&ids(&MemberView::of(ada(), subject).members().await), &["ada", "bob"]);
    assert_same(&ids(&MemberView::of(eve(), subject).members().await), &["dee", "eve"]);
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
