//! The revisions of families after updates. A storage without revisions passes.

use family_api_core::resource::Revision;
use family_api_core::storage::{Member, Record};

use crate::UpdateSubject;
use crate::changes::{Follower, nothing};
use crate::fixture::{ada, assert_same, family, id, seed, seed_families, user};
use crate::update::{Counts, delete, east, keep, renamed_east};

async fn revision_for(subject: &dyn UpdateSubject, user: &str) -> Option<Revision> {
    subject.storage().find_account(&id(user)).await.unwrap().unwrap().membership.unwrap().revision
}

/// Asserts that an update with one change in `east` changes the revision of `east`, and keeps the revision of `north`.
async fn assert_changes_east(subject: &dyn UpdateSubject, kind: &str, update: impl Future<Output = Counts>) {
    let east = revision_for(subject, "eva").await;
    let north = revision_for(subject, "ada").await;
    let [created, changed, _, deleted] = update.await;
    assert_eq!(created + changed + deleted, 1, "{kind}");
    assert!(east.is_none() || east != revision_for(subject, "eva").await, "{kind}: the revision is still {east:?}");
    assert_eq!(revision_for(subject, "ada").await, north, "{kind}");
}

pub(crate) async fn an_update_changes_the_revision_of_the_changed_family_only(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let records = east();
    let renamed = renamed_east();
    // No document contains the name of the family, a key or a feed.
    let is_in_documents =
        |record: &&Record| !matches!(record, Record::Family(_) | Record::Key(_) | Record::CalendarFeed(_));
    keep(subject, records[..4].to_vec()).await;
    for record in &records[4..] {
        assert_changes_east(subject, record.kind(), keep(subject, vec![record.clone()])).await;
    }
    keep(subject, vec![renamed[0].clone(), renamed[2].clone(), renamed[3].clone()]).await;
    for record in renamed.iter().filter(is_in_documents) {
        assert_changes_east(subject, record.kind(), keep(subject, vec![record.clone()])).await;
    }
    for end in (4..records.len()).rev() {
        assert_changes_east(subject, records[end].kind(), delete(subject, renamed[..end].to_vec())).await;
    }
}

pub(crate) async fn an_update_without_changes_keeps_the_revision(subject: &dyn UpdateSubject) {
    seed(subject, east()).await;
    let before = revision_for(subject, "eva").await;
    let unchanged = [0, 0, east().len() as u64, 0];
    assert_eq!((keep(subject, east()).await, delete(subject, east()).await), (unchanged, unchanged));
    assert_eq!(revision_for(subject, "eva").await, before);
}

pub(crate) async fn an_update_expires_the_earlier_revisions_of_its_families(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    keep(subject, east()).await;
    let eva = Member { user: id("eva"), family: id("east") };
    let mut followers = [Follower::new(subject, eva).await, Follower::new(subject, ada()).await];
    keep(subject, renamed_east()).await;
    assert!(followers[0].is_expired().await, "a follower does not learn of the updated records");
    assert_same(&followers[1].learn().await, &nothing());
}

pub(crate) async fn a_user_who_moves_changes_the_revisions_of_both_families(subject: &dyn UpdateSubject) {
    seed_families(subject).await;
    let north = revision_for(subject, "bob").await;
    let south = revision_for(subject, "eve").await;
    keep(subject, vec![Record::Family(family("north")), Record::User(user("ada", Some("south")))]).await;
    assert!(north.is_none() || north != revision_for(subject, "bob").await);
    assert!(south.is_none() || south != revision_for(subject, "eve").await);
}
