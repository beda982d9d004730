//! Users whose family a host deleted while foreign keys were disabled.

use family_api_core::change::{NoteChange, ProfileChange, TaskChange};
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Note, Task};
use family_api_core::storage::{KeyRevocation, KeyStorage, Operation, UserStorage, Written};
use sqlx::Executor;

use crate::family::{AT, Fixture, delete, member, update, write};
use crate::fixture::WITHOUT_FOREIGN_KEYS;

/// Creates a database in which the user `user-one` refers to a family that does not exist.
async fn without_family() -> Fixture {
    let fixture = Fixture::of("x").await;
    let mut host = fixture.connect_host().await;
    host.execute(WITHOUT_FOREIGN_KEYS).await.unwrap();
    host.execute("DELETE FROM families WHERE id = 'one'").await.unwrap();
    fixture
}

tests! {
    async fn a_user_whose_family_does_not_exist_has_no_family() {
        let fixture = without_family().await;
        let user = member("one").user;
        let key = fixture.storage.find_key(&KeyDigest::from_bytes([0x11; 32])).await.unwrap().unwrap();
        assert_eq!(key.account.unwrap().membership, None);
        assert_eq!(fixture.storage.find_account(&user).await.unwrap().unwrap().membership, None);
        assert_eq!(fixture.storage.find_profile(&user).await.unwrap().unwrap().family_id, None);
    }

    async fn records_of_a_deleted_family_cannot_be_written() {
        let fixture = without_family().await;
        let (storage, one) = (&fixture.storage, member("one"));
        let title = TaskChange::new().title("y").build().unwrap();
        let updated = write::<Task>(storage, one.clone(), update("task-one", title)).await.unwrap();
        assert_eq!(updated, Written::NotFound);
        let title = NoteChange::new().title("y").build().unwrap();
        let updated = write::<Note>(storage, one.clone(), update("note-one", title)).await.unwrap();
        assert_eq!(updated, Written::NotFound);
        assert_eq!(write::<Note>(storage, one.clone(), delete("note-one")).await.unwrap(), Written::NotFound);
        let new = NoteChange::new().title("y").build_new().unwrap();
        let created = Operation::create("new".parse().unwrap(), new);
        assert_eq!(write::<Note>(storage, one, created).await.unwrap(), Written::NotFound);
        assert_eq!(fixture.count("SELECT count(*) FROM notes WHERE title <> 'y'").await, 2);
        assert_eq!(fixture.count("SELECT count(*) FROM tasks WHERE title <> 'y'").await, 2);
    }

    async fn a_user_of_a_deleted_family_can_change_profile_and_revoke_keys() {
        let fixture = without_family().await;
        let (user, now) = (member("one").user.into(), AT.parse().unwrap());
        let change = ProfileChange::new().disable_personal_api();
        for change in [change, ProfileChange::default()] {
            let profile = fixture.storage.update_profile(&user, &change, now).await.unwrap().unwrap();
            assert_eq!((profile.family_id, profile.personal_api_enabled), (None, false));
        }
        let revocation = fixture.storage.revoke_key(&user, &"key-one".parse().unwrap(), now).await.unwrap();
        assert_eq!(revocation, KeyRevocation::Revoked);
    }
}
