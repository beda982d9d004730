//! The revision of a family changes with every change that a member can read.

use family_api_core::change::ProfileChange;
use family_api_core::key::{IntegrationKey, KeyDigest, KeyMode};
use family_api_core::resource::Note;
use family_api_core::storage::{KeyCondition, KeyStorage, Membership, NewKey, Operation, UserStorage, Written};
use sqlx::{AssertSqlSafe, Executor};

use crate::family::{AT, Fixture, delete, member, write};
use crate::fixture::EMPTY_LIST;

async fn revision(fixture: &Fixture, family: &str) -> i64 {
    let account = fixture.storage.find_account(&member(family).user).await.unwrap().unwrap();
    let Some(Membership { revision: Some(revision), .. }) = account.membership else {
        panic!("{family} has no revision");
    };
    revision.get()
}

/// Returns SQL statements with which a host changes each table of the family `one`. Each statement changes one row.
fn host_changes() -> [String; 30] {
    [
        "INSERT INTO note_categories (family_id, id, name) VALUES ('one', 'new', 'x')".to_owned(),
        "UPDATE note_categories SET name = 'y' WHERE id = 'new'".to_owned(),
        "DELETE FROM note_categories WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO notes (family_id, id, title, content, pinned, tags, created_at, updated_at)
                 VALUES ('one', 'new', '', '', FALSE, {EMPTY_LIST}, '{AT}', '{AT}')"
        ),
        "UPDATE notes SET pinned = TRUE WHERE id = 'new'".to_owned(),
        "DELETE FROM notes WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO boards (family_id, id, name, \"order\", is_private, created_at, updated_at)
                 VALUES ('one', 'new', '', 0, FALSE, '{AT}', '{AT}')"
        ),
        "UPDATE boards SET is_private = TRUE WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO columns (family_id, id, board_id, name, \"order\", created_at)
                 VALUES ('one', 'new', 'new', '', 0, '{AT}')"
        ),
        "UPDATE columns SET \"order\" = 1 WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO tasks (family_id, id, column_id, title, priority, \"order\", labels, is_private, created_at,
                 updated_at) VALUES ('one', 'new', 'new', '', 'LOW', 0, {EMPTY_LIST}, FALSE, '{AT}', '{AT}')"
        ),
        format!("UPDATE tasks SET completed_at = '{AT}' WHERE id = 'new'"),
        "DELETE FROM tasks WHERE id = 'new'".to_owned(),
        "DELETE FROM columns WHERE id = 'new'".to_owned(),
        "DELETE FROM boards WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO events (family_id, id, title, start_date, end_date, all_day, created_at, updated_at)
                 VALUES ('one', 'new', '', '{AT}', '{AT}', FALSE, '{AT}', '{AT}')"
        ),
        "UPDATE events SET location = 'y' WHERE id = 'new'".to_owned(),
        "DELETE FROM events WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO shopping_lists (family_id, id, name, sort_order, is_private, created_at, updated_at)
                 VALUES ('one', 'new', '', 0, FALSE, '{AT}', '{AT}')"
        ),
        "UPDATE shopping_lists SET name = 'y' WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO shopping_items (family_id, id, list_id, name, checked, is_private, created_at)
                 VALUES ('one', 'new', 'new', '', FALSE, FALSE, '{AT}')"
        ),
        "UPDATE shopping_items SET checked = TRUE WHERE id = 'new'".to_owned(),
        "DELETE FROM shopping_items WHERE id = 'new'".to_owned(),
        "DELETE FROM shopping_lists WHERE id = 'new'".to_owned(),
        format!(
            "INSERT INTO users (id, family_id, name, email, display_currency, time_zone, personal_api_enabled,
                 llm_key_configured, created_at, updated_at)
                 VALUES ('new', 'one', '', 'new@example.org', 'EUR', 'UTC', FALSE, FALSE, '{AT}', '{AT}')"
        ),
        "UPDATE users SET name = 'y' WHERE id = 'new'".to_owned(),
        "UPDATE users SET time_zone = 'Europe/Kyiv' WHERE id = 'new'".to_owned(),
        "UPDATE users SET family_id = NULL WHERE id = 'new'".to_owned(),
        "UPDATE users SET family_id = 'one' WHERE id = 'new'".to_owned(),
        "DELETE FROM users WHERE id = 'new'".to_owned(),
    ]
}

tests! {
    async fn every_host_write_changes_only_the_revision_of_the_written_family() {
        let fixture = Fixture::with_revision_triggers("x").await;
        let mut host = fixture.connect_host().await;
        let other = revision(&fixture, "two").await;
        for sql in host_changes() {
            let before = revision(&fixture, "one").await;
            let done = host.execute(AssertSqlSafe(sql.clone())).await.unwrap();
            assert_eq!(done.rows_affected(), 1, "{sql}");
            assert_ne!(revision(&fixture, "one").await, before, "{sql}");
        }
        assert_eq!(revision(&fixture, "two").await, other);
    }

    async fn a_recreated_family_starts_with_another_revision() {
        let fixture = Fixture::with_revision_triggers("x").await;
        let mut host = fixture.connect_host().await;
        let insert =
            format!("INSERT INTO families (id, name, created_at, updated_at) VALUES ('recreated', '', '{AT}', '{AT}')");
        let mut first_revisions = std::collections::BTreeSet::new();
        for _ in 0..3 {
            host.execute(AssertSqlSafe(insert.clone())).await.unwrap();
            first_revisions.insert(fixture.count("SELECT revision FROM families WHERE id = 'recreated'").await);
            host.execute("DELETE FROM families WHERE id = 'recreated'").await.unwrap();
        }
        assert_eq!(first_revisions.len(), 3, "{first_revisions:?}");
    }

    async fn a_cascading_deletion_changes_the_revision() {
        let fixture = Fixture::with_revision_triggers("x").await;
        let before = revision(&fixture, "one").await;
        fixture.connect_host().await.execute("DELETE FROM boards WHERE id = 'board-one'").await.unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM tasks WHERE family_id = 'one'").await, 0);
        assert_eq!(revision(&fixture, "one").await, before + 3);
    }

    async fn moving_a_user_changes_the_revision_of_both_families() {
        let fixture = Fixture::with_revision_triggers("x").await;
        let before = (revision(&fixture, "one").await, revision(&fixture, "two").await);
        let mut host = fixture.connect_host().await;
        host.execute(
            "INSERT INTO users SELECT 'mover', 'one', name, 'mover@example.org', image, color, emoji, display_currency,
             time_zone, personal_api_enabled, llm_model, llm_key_configured, created_at, updated_at FROM users
             WHERE id = 'user-one'",
        )
        .await
        .unwrap();
        host.execute("UPDATE users SET family_id = 'two' WHERE id = 'mover'").await.unwrap();
        assert_eq!((revision(&fixture, "one").await, revision(&fixture, "two").await), (before.0 + 2, before.1 + 1));
    }

    async fn changes_that_no_member_can_read_keep_the_revision() {
        let fixture = Fixture::with_revision_triggers("x").await;
        let before = revision(&fixture, "one").await;
        let (storage, user, now) = (&fixture.storage, member("one").user, AT.parse().unwrap());
        storage.update_profile(&user.clone().into(), &ProfileChange::new().enable_personal_api(), now).await.unwrap();
        storage.insert_key(&new_key(), 50).await.unwrap();
        storage.revoke_key(&user.clone().into(), &"key-one".parse().unwrap(), now).await.unwrap();
        let one = member("one");
        write::<Note>(storage, one.clone(), delete("note-two")).await.unwrap();
        write::<Note>(storage, one.clone(), Operation::Restore { id: "note-one".parse().unwrap() }).await.unwrap();
        storage.record_uses(&[KeyDigest::from_bytes([0x11; 32])], now).await.unwrap();
        fixture.connect_host().await.execute("UPDATE families SET name = 'y' WHERE id = 'one'").await.unwrap();
        assert_eq!(revision(&fixture, "one").await, before);

        let deleted = write::<Note>(storage, one.clone(), delete("note-one")).await.unwrap();
        assert!(matches!(deleted, Written::Deleted(_)), "{deleted:?}");
        assert_ne!(revision(&fixture, "one").await, before);
    }
}

/// Returns a key of the user of the family `one`.
pub(crate) fn new_key() -> NewKey {
    let key = IntegrationKey {
        id: "another".parse().unwrap(),
        mode: Some(KeyMode::McpRead),
        scopes: KeyMode::McpRead.scopes(),
        name: None,
        hint: "fam_…k3Qz".to_owned(),
        created_at: AT.parse().unwrap(),
        expires_at: None,
        last_used_at: None,
    };
    NewKey {
        key,
        owner: member("one").user.into(),
        digest: KeyDigest::of("another"),
        condition: KeyCondition::UserExists,
    }
}
