//! Accounts, profiles, and the profile fields that can change: the personal API flag and the time zone.

use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::id::UserId;
use family_api_core::resource::Profile;

use crate::Subject;
use crate::fixture::{Call, NOT_OF_THE_HOST, assert_same, id, minute, new_key, now, signed_in};
use crate::keys::{find, insert};

#[track_caller]
fn profile(subject: &dyn Subject, user: &str) -> impl Future<Output = Profile> {
    let (user, call) = (id::<UserId>(user), Call::new("find_profile", user));
    async move { call.result(subject.storage().find_profile(&user).await).unwrap() }
}

#[track_caller]
fn update_profile(subject: &dyn Subject, user: &str, change: ProfileChange) -> impl Future<Output = Option<Profile>> {
    let (user, call) = (signed_in(user), Call::new("update_profile", user));
    async move { call.result(subject.storage().update_profile(&user, &change, now()).await) }
}

#[track_caller]
fn set_personal_api(
    subject: &dyn Subject,
    user: &str,
    personal_api_enabled: Option<bool>,
) -> impl Future<Output = Option<Profile>> {
    let change = match personal_api_enabled {
        None => ProfileChange::new(),
        Some(true) => ProfileChange::new().enable_personal_api(),
        Some(false) => ProfileChange::new().disable_personal_api(),
    };
    update_profile(subject, user, change)
}

pub(super) async fn an_account_has_the_time_zone_api_flag_and_family_of_its_user(subject: &dyn Subject) {
    for (user, family, enabled, zone) in [
        ("ada", Some("north"), true, "Asia/Kolkata"),
        ("bob", Some("north"), false, "UTC"),
        ("cid", None, true, "UTC"),
        ("dee", Some("south"), true, "UTC"),
    ] {
        let account = subject.storage().find_account(&id(user)).await.unwrap().unwrap();
        assert_same(&account.user.as_str(), &user);
        assert_same(&account.membership.as_ref().map(|membership| membership.family.as_str()), &family);
        assert_same(&account.personal_api_enabled, &enabled);
        if subject.storage().capabilities().keeps_profile_field("timeZone") {
            assert_same(account.zone.as_str(), zone);
        }
    }
}

pub(super) async fn an_unknown_user_is_not_found(subject: &dyn Subject) {
    for user in ["gone", "ADA", "0ada", NOT_OF_THE_HOST] {
        assert_eq!(subject.storage().find_account(&id(user)).await.unwrap(), None, "{user}");
        assert_same(&subject.storage().find_profile(&id(user)).await.unwrap(), &None);
        assert_same(&set_personal_api(subject, user, Some(false)).await, &None);
    }
    assert!(profile(subject, "ada").await.personal_api_enabled);
}

pub(super) async fn every_field_of_a_profile_is_returned(subject: &dyn Subject) {
    let ada = Profile {
        id: id("ada"),
        name: "ada 😀".to_owned(),
        email: "ada@example.com".to_owned(),
        image: Some("https://example.com/ada.png".to_owned()),
        color: Some("#102030".to_owned()),
        emoji: Some("🦊".to_owned()),
        family_id: Some(id("north")),
        display_currency: "EUR".to_owned(),
        time_zone: "Asia/Kolkata".parse::<Zone>().unwrap(),
        personal_api_enabled: true,
        llm_model: Some("small-model".to_owned()),
        llm_key_configured: true,
    };
    let bob = Profile {
        id: id("bob"),
        name: "bob 😀".to_owned(),
        email: "bob@example.com".to_owned(),
        image: None,
        color: None,
        emoji: None,
        time_zone: Zone::utc(),
        personal_api_enabled: false,
        llm_model: None,
        llm_key_configured: false,
        ..ada.clone()
    };
    for expected in [ada, bob] {
        let stored = profile(subject, expected.id.as_str()).await;
        let expected = kept_profile(subject, expected, &stored);
        assert_same(&stored, &expected);
    }
    assert_same(&profile(subject, "cid").await.family_id, &None);
}

/// Returns a profile as a storage returns it that does not keep some of its fields. The currency and the zone are then
/// any valid value.
fn kept_profile(subject: &dyn Subject, profile: Profile, stored: &Profile) -> Profile {
    let capabilities = subject.storage().capabilities();
    let keeps = |field: &str| capabilities.keeps_profile_field(field);
    Profile {
        image: profile.image.filter(|_| keeps("image")),
        color: profile.color.filter(|_| keeps("color")),
        emoji: profile.emoji.filter(|_| keeps("emoji")),
        llm_model: profile.llm_model.filter(|_| keeps("llmModel")),
        llm_key_configured: profile.llm_key_configured && keeps("llmKeyConfigured"),
        display_currency: if keeps("displayCurrency") {
            profile.display_currency
        } else {
            stored.display_currency.clone()
        },
        time_zone: if keeps("timeZone") { profile.time_zone } else { stored.time_zone.clone() },
        ..profile
    }
}

pub(super) async fn toggling_the_personal_api_changes_no_other_profile_field(subject: &dyn Subject) {
    let before = profile(subject, "ada").await;
    let bob = profile(subject, "bob").await;
    let off = Profile { personal_api_enabled: false, ..before.clone() };
    // The switch of ada changes nothing of bob, whether his own is on or off.
    for is_on in [true, false] {
        let bob = Profile { personal_api_enabled: is_on, ..bob.clone() };
        assert_same(&set_personal_api(subject, "bob", Some(is_on)).await, &Some(bob.clone()));
        assert_same(&profile(subject, "ada").await, &before);
        assert_same(&set_personal_api(subject, "ada", Some(false)).await, &Some(off.clone()));
        assert_same(&profile(subject, "ada").await, &off);
        assert_same(&profile(subject, "bob").await, &bob);
        assert_same(&set_personal_api(subject, "ada", Some(true)).await, &Some(before.clone()));
        assert_same(&profile(subject, "bob").await, &bob);
    }
}

pub(super) async fn an_empty_profile_change_changes_nothing(subject: &dyn Subject) {
    for user in ["ada", "bob"] {
        let before = profile(subject, user).await;
        assert_same(&set_personal_api(subject, user, None).await, &Some(before.clone()));
        assert_same(&profile(subject, user).await, &before);
    }
}

pub(super) async fn find_key_and_find_account_return_the_current_api_flag(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    assert!(find(subject, "k1").await.unwrap().account.unwrap().personal_api_enabled);
    set_personal_api(subject, "ada", Some(false)).await;
    assert!(!find(subject, "k1").await.unwrap().account.unwrap().personal_api_enabled);
    assert!(!subject.storage().find_account(&id("ada")).await.unwrap().unwrap().personal_api_enabled);
    assert_same(&subject.storage().list_keys(&id("ada"), minute(1)).await.unwrap().len(), &1);
}

pub(super) async fn a_new_time_zone_is_stored_for_one_user(subject: &dyn Subject) {
    // The API refuses the field.
    if !subject.storage().capabilities().keeps_profile_field("timeZone") {
        return;
    }
    let bob = profile(subject, "bob").await;
    for zone in ["America/New_York", "UTC", "Asia/Calcutta"] {
        let before = profile(subject, "ada").await;
        let change = ProfileChange::new().set_time_zone(zone.parse().unwrap());
        let updated = update_profile(subject, "ada", change).await.unwrap();
        let time_zone = zone.parse().unwrap();
        let account = subject.storage().find_account(&id("ada")).await.unwrap().unwrap();
        assert_same(&account.zone, &time_zone);
        assert_same(&updated, &Profile { time_zone, ..before });
        assert_same(&profile(subject, "ada").await, &updated);
        assert_same(&profile(subject, "bob").await, &bob);
    }
}

/// The days of documents that are cached for the family depend on the time zone.
pub(super) async fn a_new_time_zone_changes_the_revision(subject: &dyn Subject) {
    if !subject.storage().capabilities().keeps_profile_field("timeZone") {
        return;
    }
    let mut before = None;
    for zone in ["America/New_York", "UTC"] {
        let change = ProfileChange::new().set_time_zone(zone.parse().unwrap());
        update_profile(subject, "ada", change).await.unwrap();
        let account = subject.storage().find_account(&id("bob")).await.unwrap().unwrap();
        let after = account.membership.unwrap().revision;
        assert!(after.is_none() || after != before, "the revision is still {before:?}");
        before = after;
    }
}
