//! Accounts, profiles, and the personal API flag, which is the only profile field that can change.

use family_api_core::calendar::Zone;
use family_api_core::change::ProfileChange;
use family_api_core::resource::Profile;

use crate::Subject;
use crate::fixture::{id, minute, new_key, now, signed_in};
use crate::keys::{find, insert};

async fn profile(subject: &dyn Subject, user: &str) -> Profile {
    subject.storage().find_profile(&id(user)).await.unwrap().unwrap()
}

async fn set_personal_api(subject: &dyn Subject, user: &str, personal_api_enabled: Option<bool>) -> Option<Profile> {
    let change = match personal_api_enabled {
        None => ProfileChange::new(),
        Some(true) => ProfileChange::new().enable_personal_api(),
        Some(false) => ProfileChange::new().disable_personal_api(),
    };
    subject.storage().update_profile(&signed_in(user), &change, now()).await.unwrap()
}

pub(super) async fn an_account_has_the_time_zone_api_flag_and_family_of_its_user(subject: &dyn Subject) {
    for (user, family, enabled, zone) in [
        ("ada", Some("north"), true, "Asia/Kolkata"),
        ("bob", Some("north"), false, "UTC"),
        ("cid", None, true, "UTC"),
        ("dee", Some("south"), true, "UTC"),
    ] {
        let account = subject.storage().find_account(&id(user)).await.unwrap().unwrap();
        assert_eq!(account.user.as_str(), user);
        assert_eq!(account.membership.as_ref().map(|membership| membership.family.as_str()), family);
        assert_eq!((account.personal_api_enabled, account.zone.as_str()), (enabled, zone));
    }
}

pub(super) async fn an_unknown_user_is_not_found(subject: &dyn Subject) {
    assert_eq!(subject.storage().find_account(&id("gone")).await.unwrap(), None);
    assert_eq!(subject.storage().find_account(&id("ADA")).await.unwrap(), None);
    assert_eq!(subject.storage().find_profile(&id("gone")).await.unwrap(), None);
    assert_eq!(set_personal_api(subject, "gone", Some(true)).await, None);
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
    assert_eq!(profile(subject, "ada").await, ada);
    let bob = profile(subject, "bob").await;
    assert_eq!((bob.image, bob.color, bob.emoji, bob.llm_model), (None, None, None, None));
    assert_eq!((bob.personal_api_enabled, bob.llm_key_configured), (false, false));
    assert_eq!(profile(subject, "cid").await.family_id, None);
}

pub(super) async fn toggling_the_personal_api_changes_no_other_profile_field(subject: &dyn Subject) {
    let before = profile(subject, "ada").await;
    let bob = profile(subject, "bob").await;
    let off = Profile { personal_api_enabled: false, ..before.clone() };
    assert_eq!(set_personal_api(subject, "ada", Some(false)).await, Some(off.clone()));
    assert_eq!(profile(subject, "ada").await, off);
    assert_eq!(set_personal_api(subject, "ada", Some(true)).await, Some(before));
    assert_eq!(profile(subject, "bob").await, bob);
}

pub(super) async fn an_empty_profile_change_changes_nothing(subject: &dyn Subject) {
    for user in ["ada", "bob"] {
        let before = profile(subject, user).await;
        assert_eq!(set_personal_api(subject, user, None).await, Some(before.clone()));
        assert_eq!(profile(subject, user).await, before);
    }
}

pub(super) async fn find_key_and_find_account_return_the_current_api_flag(subject: &dyn Subject) {
    insert(subject, &new_key("k1", "ada")).await;
    assert!(find(subject, "k1").await.unwrap().account.unwrap().personal_api_enabled);
    set_personal_api(subject, "ada", Some(false)).await;
    assert!(!find(subject, "k1").await.unwrap().account.unwrap().personal_api_enabled);
    assert!(!subject.storage().find_account(&id("ada")).await.unwrap().unwrap().personal_api_enabled);
    assert_eq!(subject.storage().list_keys(&id("ada"), minute(1)).await.unwrap().len(), 1);
}
