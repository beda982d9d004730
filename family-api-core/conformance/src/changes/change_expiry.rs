//! What is not in the log expires the earlier revisions. No reader misses a change without notice.

use family_api_core::change::ProfileChange;
use family_api_core::resource::Revision;

use crate::Subject;
use crate::changes::{Follower, nothing};
use crate::fixture::{assert_same, bob, now, signed_in};

pub(crate) async fn an_unknown_revision_is_expired(subject: &dyn Subject) {
    let mut follower = Follower::new(subject, bob()).await;
    let current = follower.since.get();
    // The records that the case has seeded are not in the log.
    for revision in [current - 1, current + 1, i64::MIN, i64::MAX] {
        let follower = Follower { subject, member: bob(), since: Revision::new(revision) };
        assert!(follower.is_expired().await, "{revision} is known, and the current revision is {current}");
    }
    assert_same(&follower.learn().await, &nothing());
}

pub(crate) async fn a_new_time_zone_expires_earlier_revisions(subject: &dyn Subject) {
    if !subject.storage().capabilities().keeps_profile_field("timeZone") {
        return;
    }
    let before = Follower::new(subject, bob()).await;
    let change = ProfileChange::new().set_time_zone("America/New_York".parse().unwrap());
    assert!(subject.storage().update_profile(&signed_in("ada"), &change, now()).await.unwrap().is_some());
    assert!(before.is_expired().await, "the days of documents have changed, and a follower does not learn of it");
    assert!(!Follower::new(subject, bob()).await.is_expired().await);
}
