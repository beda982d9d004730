//! Calendar feeds.

use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::feed::{CalendarFeed, FeedDetail, FeedLanguage, FeedSettings, FeedShows, FeedUpdate};
use family_api_core::key::{KeyDigest, RevokedAccess};
use family_api_core::storage::{FeedInsert, FeedWrite, FoundFeed, NewFeed, SignedIn};
use futures_util::future::join_all;

use crate::FeedsSubject;
use crate::fixture::{feed, id, minute, seconds, signed_in};

/// Returns a feed of the user that was created at noon and does not end.
fn new_feed(name: &str, user: &str) -> NewFeed {
    let record = feed(name, user);
    NewFeed { digest: record.digest, owner: signed_in(user), feed: record.into() }
}

fn digest(name: &str) -> KeyDigest {
    feed(name, "ada").digest
}

/// Returns a feed that ends at this minute.
fn until(minutes: i64, mut new: NewFeed) -> NewFeed {
    new.feed.expires_at = Some(minute(minutes));
    new
}

fn with_dead_session(user: &str) -> SignedIn {
    SignedIn { session: Some(KeyDigest::of("dead")), ..signed_in(user) }
}

async fn insert(subject: &dyn FeedsSubject, new: &NewFeed) {
    let inserted = subject.feeds().insert_feed(new, 50).await.unwrap();
    assert_eq!(inserted, FeedInsert::Inserted, "expected the preparation to succeed");
}

async fn find(subject: &dyn FeedsSubject, name: &str) -> Option<FoundFeed> {
    subject.feeds().find_feed(&digest(name)).await.unwrap()
}

async fn sequence(subject: &dyn FeedsSubject, name: &str) -> u32 {
    find(subject, name).await.unwrap().sequence
}

async fn listed_ids(subject: &dyn FeedsSubject, user: &str) -> Vec<String> {
    let feeds = subject.feeds().list_feeds(&id(user), seconds(30)).await.unwrap();
    feeds.into_iter().map(|feed| feed.id.to_string()).collect()
}

async fn delete(subject: &dyn FeedsSubject, user: SignedIn, feed: &str) -> FeedWrite<()> {
    subject.feeds().delete_feed(&user, &id(feed), seconds(30)).await.unwrap()
}

async fn update(subject: &dyn FeedsSubject, user: SignedIn, feed: &str) -> FeedWrite<CalendarFeed> {
    let busy = FeedUpdate::new().detail(FeedDetail::Busy);
    subject.feeds().update_feed(&user, &id(feed), &busy, seconds(30)).await.unwrap()
}

pub(super) async fn a_feed_is_found_by_its_digest(subject: &dyn FeedsSubject) {
    let first = until(60, new_feed("f1", "ada"));
    let mut without_lists = new_feed("f2", "bob");
    without_lists.feed.settings = FeedSettings::new("x");
    for new in [&first, &without_lists] {
        insert(subject, new).await;
        let found = find(subject, new.feed.id.as_str()).await.unwrap();
        let account = subject.storage().find_account(&new.owner.user).await.unwrap();
        assert_eq!((&found.feed, found.sequence, &found.user), (&new.feed, 0, &new.owner.user));
        assert_eq!(found.account, found.account.clone().and(account));
        assert_eq!(
            subject.feeds().list_feeds(&new.owner.user, minute(0)).await.unwrap(),
            std::slice::from_ref(&new.feed)
        );
    }
    let ids = [find(subject, "f1").await.unwrap().calendar_id, find(subject, "f2").await.unwrap().calendar_id];
    let is_allowed = |character: char| character.is_ascii_alphanumeric() || "_-".contains(character);
    assert!((1..=64).contains(&ids[0].len()) && ids[0].chars().all(is_allowed), "{ids:?}");
    assert_eq!(ids[0], ids[1]);
    assert_eq!(find(subject, "unknown").await, None);
}

pub(super) async fn inserting_an_existing_feed_digest_fails(subject: &dyn FeedsSubject) {
    insert(subject, &new_feed("f1", "ada")).await;
    let second = NewFeed { digest: digest("f1"), ..new_feed("f2", "bob") };
    assert!(subject.feeds().insert_feed(&second, 50).await.is_err());
    assert_eq!(find(subject, "f1").await.unwrap().user, id("ada"));
}

pub(super) async fn a_feed_is_written_only_in_a_session_that_has_not_ended(subject: &dyn FeedsSubject) {
    let new = NewFeed { owner: with_dead_session("ada"), ..new_feed("f1", "ada") };
    assert_eq!(subject.feeds().insert_feed(&new, 50).await.unwrap(), FeedInsert::NotSignedIn);
    assert_eq!(find(subject, "f1").await, None);
    insert(subject, &new_feed("f1", "ada")).await;
    assert_eq!(update(subject, with_dead_session("ada"), "f1").await, FeedWrite::NotSignedIn);
    assert_eq!(delete(subject, with_dead_session("ada"), "f1").await, FeedWrite::NotSignedIn);
    assert_eq!(find(subject, "f1").await.unwrap().feed, new.feed);
}

pub(super) async fn only_current_feeds_count_towards_the_limit(subject: &dyn FeedsSubject) {
    let try_insert = async |new: NewFeed| subject.feeds().insert_feed(&new, 2).await.unwrap();
    let mut expired = until(0, new_feed("expired", "ada"));
    expired.feed.created_at = minute(-2);
    assert_eq!(try_insert(expired).await, FeedInsert::Inserted);
    assert_eq!(try_insert(until(1, new_feed("f1", "ada"))).await, FeedInsert::Inserted);
    assert_eq!(try_insert(new_feed("f2", "ada")).await, FeedInsert::Inserted);
    assert_eq!(find(subject, "expired").await, None);
    assert_eq!(try_insert(new_feed("f3", "ada")).await, FeedInsert::LimitReached);
    assert_eq!(try_insert(new_feed("f4", "bob")).await, FeedInsert::Inserted);
    assert_eq!(delete(subject, signed_in("ada"), "f1").await, FeedWrite::Written(()));
    assert_eq!(try_insert(new_feed("f3", "ada")).await, FeedInsert::Inserted);
}

pub(super) async fn concurrent_insertions_do_not_exceed_the_feed_limit(subject: &dyn FeedsSubject) {
    let attempts = (0..8).map(async |n: u32| {
        let new = new_feed(&format!("f{n}"), "ada");
        subject.feeds().insert_feed(&new, 3).await.unwrap()
    });
    let inserted = join_all(attempts).await;
    assert_eq!(inserted.iter().filter(|inserted| **inserted == FeedInsert::Inserted).count(), 3);
    assert_eq!(listed_ids(subject, "ada").await.len(), 3);
}

pub(super) async fn current_feeds_are_listed_newest_first_then_by_id(subject: &dyn FeedsSubject) {
    for (name, created_at) in [("a", minute(-3)), ("c", minute(-2)), ("b", minute(-2))] {
        let mut new = new_feed(name, "ada");
        new.feed.created_at = created_at;
        insert(subject, &new).await;
    }
    let mut expired = until(0, new_feed("expired", "ada"));
    expired.feed.created_at = minute(-1);
    insert(subject, &expired).await;
    insert(subject, &new_feed("bobs", "bob")).await;
    assert_eq!(listed_ids(subject, "ada").await, ["c", "b", "a"]);
    assert_eq!(listed_ids(subject, "bob").await, ["bobs"]);
    assert_eq!(find(subject, "expired").await.unwrap().feed, expired.feed);
}

pub(super) async fn only_the_owner_changes_a_current_feed(subject: &dyn FeedsSubject) {
    insert(subject, &new_feed("f1", "ada")).await;
    let mut expired = until(0, new_feed("expired", "ada"));
    expired.feed.created_at = minute(-1);
    insert(subject, &expired).await;
    for (user, feed) in [("bob", "f1"), ("ada", "unknown"), ("ada", "expired")] {
        assert_eq!(update(subject, signed_in(user), feed).await, FeedWrite::NotFound);
        assert_eq!(delete(subject, signed_in(user), feed).await, FeedWrite::NotFound);
    }
    assert_eq!(find(subject, "f1").await.unwrap().feed, new_feed("f1", "ada").feed);
}

pub(super) async fn a_change_of_a_feed_keeps_what_it_does_not_name(subject: &dyn FeedsSubject) {
    let new = until(60, new_feed("f1", "ada"));
    insert(subject, &new).await;
    insert(subject, &new_feed("f2", "ada")).await;
    subject.feeds().record_feed_uses(&[digest("f1")], seconds(10)).await.unwrap();
    let mut expected = CalendarFeed { updated_at: seconds(30), last_used_at: Some(seconds(10)), ..new.feed };
    expected.settings.detail = FeedDetail::Busy;
    assert_eq!(update(subject, signed_in("ada"), "f1").await, FeedWrite::Written(expected.clone()));
    let mut rest = FeedUpdate::new();
    rest.name = Some("Rest".to_owned());
    rest.shows = Some(FeedShows::Events);
    rest.person_ids = Some(Vec::new());
    rest.board_ids = Some(vec![id("b1"), id("b2")]);
    rest.language = Some(FeedLanguage::Uk);
    rest.clone().apply(&mut expected.settings);
    expected.updated_at = seconds(40);
    let updated = subject.feeds().update_feed(&signed_in("ada"), &id("f1"), &rest, seconds(40)).await.unwrap();
    assert_eq!(updated, FeedWrite::Written(expected.clone()));
    let found = find(subject, "f1").await.unwrap();
    assert_eq!((found.feed, found.sequence), (expected, 2));
    let other = find(subject, "f2").await.unwrap();
    assert_eq!((other.feed, other.sequence), (new_feed("f2", "ada").feed, 0));
}

pub(super) async fn a_new_time_zone_raises_the_sequence_of_a_feed(subject: &dyn FeedsSubject) {
    insert(subject, &new_feed("f1", "ada")).await;
    insert(subject, &new_feed("f2", "bob")).await;
    if find(subject, "f1").await.unwrap().account.is_none() {
        return;
    }
    for (zone, expected) in [("Pacific/Auckland", 1), ("Pacific/Auckland", 1), ("America/Lima", 2)] {
        let zone: Zone = zone.parse().unwrap();
        let change = ProfileChange::new().set_time_zone(zone.clone());
        subject.storage().update_profile(&signed_in("ada"), &change, seconds(30)).await.unwrap();
        let found = find(subject, "f1").await.unwrap();
        assert_eq!((found.sequence, found.account.unwrap().zone), (expected, zone));
    }
    let disable = ProfileChange::new().disable_personal_api();
    subject.storage().update_profile(&signed_in("ada"), &disable, seconds(40)).await.unwrap();
    assert_eq!(sequence(subject, "f1").await, 2);
    assert_eq!(sequence(subject, "f2").await, 0);
}

pub(super) async fn a_deleted_feed_is_not_found(subject: &dyn FeedsSubject) {
    insert(subject, &new_feed("f1", "ada")).await;
    insert(subject, &new_feed("f2", "ada")).await;
    assert_eq!(delete(subject, signed_in("ada"), "f1").await, FeedWrite::Written(()));
    assert_eq!(find(subject, "f1").await, None);
    assert_eq!(delete(subject, signed_in("ada"), "f1").await, FeedWrite::NotFound);
    assert_eq!(listed_ids(subject, "ada").await, ["f2"]);
}

pub(super) async fn all_access_of_a_user_includes_current_feeds(subject: &dyn FeedsSubject) {
    insert(subject, &new_feed("f1", "ada")).await;
    insert(subject, &until(60, new_feed("f2", "ada"))).await;
    let mut expired = until(0, new_feed("expired", "ada"));
    expired.feed.created_at = minute(-1);
    insert(subject, &expired).await;
    insert(subject, &new_feed("f3", "bob")).await;
    let revoked = subject.storage().revoke_access(&signed_in("ada"), seconds(40)).await.unwrap();
    assert_eq!(revoked, Some(RevokedAccess { keys: 0, connections: 0, feeds: 2 }));
    assert_eq!((find(subject, "f1").await, find(subject, "f2").await), (None, None));
    assert_eq!(listed_ids(subject, "bob").await, ["f3"]);
}

pub(super) async fn the_last_use_of_a_feed_never_moves_backwards(subject: &dyn FeedsSubject) {
    for name in ["f1", "f2"] {
        insert(subject, &new_feed(name, "ada")).await;
    }
    for (at, expected) in [(minute(2), minute(2)), (minute(1), minute(2)), (minute(3), minute(3))] {
        subject.feeds().record_feed_uses(&[digest("f1"), digest("unknown")], at).await.unwrap();
        assert_eq!(find(subject, "f1").await.unwrap().feed.last_used_at, Some(expected));
    }
    let found = find(subject, "f2").await.unwrap();
    assert_eq!((found.feed.last_used_at, found.sequence), (None, 0));
}

pub(super) async fn the_number_of_left_out_records_is_stored(subject: &dyn FeedsSubject) {
    for name in ["f1", "f2"] {
        insert(subject, &new_feed(name, "ada")).await;
    }
    for left_out in [7, 7, u32::MAX, 0, 3] {
        subject.feeds().record_left_out(&digest("f1"), left_out).await.unwrap();
        let found = find(subject, "f1").await.unwrap();
        assert_eq!((found.feed.left_out, found.sequence), (left_out, 0));
    }
    subject.feeds().record_left_out(&digest("unknown"), 1).await.unwrap();
    assert_eq!(find(subject, "f2").await.unwrap().feed.left_out, 0);
}

pub(super) async fn a_purge_deletes_only_expired_feeds(subject: &dyn FeedsSubject) {
    for (name, user, minutes) in [("f1", "ada", 1), ("f2", "bob", 2), ("f3", "eve", 3), ("f4", "ada", 4)] {
        insert(subject, &until(minutes, new_feed(name, user))).await;
    }
    insert(subject, &new_feed("endless", "ada")).await;
    let purge = async |limit| subject.feeds().delete_expired_feeds(minute(3), limit).await.unwrap();
    assert_eq!([purge(2).await, purge(2).await, purge(2).await], [2, 1, 0]);
    for (name, is_left) in [("f1", false), ("f2", false), ("f3", false), ("f4", true), ("endless", true)] {
        assert_eq!(find(subject, name).await.is_some(), is_left, "{name}");
    }
}
