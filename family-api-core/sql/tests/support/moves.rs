//! A task that moves makes room in its column.

use family_api_core::change::{TaskMove, TaskUpdate};
use family_api_core::key::KeyDigest;
use family_api_core::resource::{Task, TaskFilter};
use family_api_core::storage::{Author, Credential, Operation, ReadStorage, StorageError, Written};
use family_api_core::{EntityTag, EntityTags, Precondition};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Executor};

use crate::family::{Fixture, member, record_with, update, write};
use crate::fixture::after_each_new_order;

fn task(id: &str, order: i64) -> Value {
    record_with("task", &json!({ "id": id, "order": order }))
}

/// Loads the tasks `t1`, `t2` and so on at the positions 0, 1 and so on.
async fn load_tasks(fixture: &Fixture, count: i64) {
    fixture.load((0..count).map(|order| task(&format!("t{}", order + 1), order))).await.unwrap();
}

fn to_position(order: i64) -> TaskUpdate {
    TaskMove::new(&"column-one".parse().unwrap(), order).build().unwrap()
}

/// Moves a task to a position in the column `column-one`.
async fn try_move(
    fixture: &Fixture,
    author: impl Into<Author>,
    id: &str,
    order: i64,
) -> Result<Written<Task>, StorageError> {
    write(&fixture.storage, author, update::<Task>(id, to_position(order))).await
}

async fn move_to(fixture: &Fixture, id: &str, order: i64) {
    let written = try_move(fixture, member("one"), id, order).await.unwrap();
    assert!(matches!(written, Written::Updated { .. }), "{written:?}");
}

/// Returns the tasks in the column `column-one`, as the storage orders them.
async fn tasks(fixture: &Fixture) -> Vec<Task> {
    let boards = fixture.storage.list_tasks(&member("one"), TaskFilter::All).await.unwrap().parse().unwrap();
    let columns = boards.into_iter().flat_map(|board| board.columns);
    columns.filter(|column| column.id.as_str() == "column-one").flat_map(|column| column.tasks).collect()
}

/// Returns the ids and positions of the tasks.
async fn positions(fixture: &Fixture) -> Vec<(String, i64)> {
    tasks(fixture).await.into_iter().map(|task| (task.id.to_string(), task.order)).collect()
}

/// Returns the tasks of [`load_tasks`] in their sequence.
fn loaded(positions: &[(String, i64)]) -> Vec<&str> {
    positions.iter().map(|(id, _)| id.as_str()).filter(|id| id.starts_with('t') && *id != "task-one").collect()
}

tests! {
    async fn a_move_shifts_tasks_only_as_far_as_the_first_free_position() {
        let fixture = Fixture::of("x").await;
        fixture.load([task("a", 7), task("b", 7), task("c", 8), task("d", 10)]).await.unwrap();
        move_to(&fixture, "task-one", 7).await;
        let expected = [("task-one", 7), ("a", 8), ("b", 8), ("c", 9), ("d", 10)];
        assert_eq!(positions(&fixture).await, expected.map(|(id, order)| (id.to_owned(), order)));
    }

    async fn a_move_makes_gaps_between_more_than_64_tasks() {
        let fixture = Fixture::of("x").await;
        let name = |number: i64| format!("t{number:02}");
        fixture.load((1..=65).map(|number| task(&name(number), 3))).await.unwrap();
        fixture.load([task("before", 2), task("after", 9)]).await.unwrap();
        move_to(&fixture, "task-one", 3).await;
        let spread = (1..=65).map(name).chain(["after".to_owned()]).zip((1..).map(|number| 3 + 100 * number));
        let first = [("before".to_owned(), 2), ("task-one".to_owned(), 3)];
        assert_eq!(positions(&fixture).await, first.iter().cloned().chain(spread.clone()).collect::<Vec<_>>());
        // The next move to the same position shifts one task.
        move_to(&fixture, "before", 3).await;
        let first = [("before".to_owned(), 3), ("task-one".to_owned(), 4)];
        assert_eq!(positions(&fixture).await, first.into_iter().chain(spread).collect::<Vec<_>>());
    }

    async fn a_move_changes_only_as_many_tasks_as_need_gaps() {
        let fixture = Fixture::of("x").await;
        load_tasks(&fixture, 300).await;
        fixture.load([task("near", 300 * 8), task("far", 301 * 8 + 1), task("farther", 301 * 8 + 1)]).await.unwrap();
        move_to(&fixture, "task-one", 0).await;
        let spread = (1..=300).map(|number| (format!("t{number}"), 8 * number));
        let others = [("near", 301 * 8), ("far", 301 * 8 + 1), ("farther", 301 * 8 + 1)];
        let rest = others.map(|(id, order)| (id.to_owned(), order));
        let expected = [("task-one".to_owned(), 0)].into_iter().chain(spread).chain(rest);
        assert_eq!(positions(&fixture).await, expected.collect::<Vec<_>>());
    }

    async fn a_move_among_many_tasks_keeps_a_precondition() {
        let fixture = Fixture::of("x").await;
        load_tasks(&fixture, 1_500).await;
        move_to(&fixture, "task-one", 5_000).await;
        let revision = fixture.count("SELECT revision FROM families WHERE id = 'one'").await;
        let task = tasks(&fixture).await.into_iter().find(|task| task.id.as_str() == "task-one").unwrap();
        let precondition = Precondition::Match(EntityTags::single(EntityTag::of_record(&task).unwrap()));
        let update = to_position(0);
        let operation = Operation::<Task>::Update { id: task.id.clone(), update, precondition, new_id: None };
        let written = write(&fixture.storage, member("one"), operation).await.unwrap();
        let after = Task { order: 0, sequence: task.sequence + 1, ..task.clone() };
        assert_eq!(written, Written::Updated { before: task, after });
        let spread = (1..=1_500).map(|number| (format!("t{number}"), 100 * number));
        let expected = [("task-one".to_owned(), 0)].into_iter().chain(spread);
        assert_eq!(positions(&fixture).await, expected.collect::<Vec<_>>());
        assert!(fixture.count("SELECT revision FROM families WHERE id = 'one'").await >= revision + 6);
    }

    async fn each_step_of_a_move_checks_the_key_and_keeps_the_sequence() {
        let fixture = Fixture::of("x").await;
        load_tasks(&fixture, 600).await;
        let key = json!({ "id": "key-moves", "tokenHash": "33".repeat(32), "scopes": ["v1.tasks.write"] });
        fixture.load([record_with("key", &key)]).await.unwrap();
        let mut host = fixture.connect_host().await;
        let enable = "UPDATE users SET personal_api_enabled = NOT personal_api_enabled WHERE id = 'user-one'";
        host.execute(enable).await.unwrap();
        move_to(&fixture, "task-one", 5_000).await;
        let revoke = "UPDATE integration_keys SET revoked_at = created_at WHERE id = 'key-moves'";
        host.execute(AssertSqlSafe(after_each_new_order(revoke))).await.unwrap();
        let author = Author { member: member("one"), credential: Credential::Key(KeyDigest::from_bytes([0x33; 32])) };

        let mut changed = Vec::new();
        for is_last in [false, false, true] {
            let before = tasks(&fixture).await;
            let written = try_move(&fixture, author.clone(), "task-one", 0).await.unwrap();
            let after = positions(&fixture).await;
            let is_changed = |task: &&Task| !after.contains(&(task.id.to_string(), task.order));
            changed.push(before.iter().filter(is_changed).count());
            assert_eq!(loaded(&after), (1..=600).map(|number| format!("t{number}")).collect::<Vec<_>>());
            if is_last {
                assert!(matches!(written, Written::Updated { .. }), "{written:?}");
                assert_eq!(after[0], ("task-one".to_owned(), 0));
            } else {
                assert!(matches!(written, Written::Unauthorized(_)), "{written:?}");
                assert!(after.contains(&("task-one".to_owned(), 5_000)));
            }
            host.execute("UPDATE integration_keys SET revoked_at = NULL WHERE id = 'key-moves'").await.unwrap();
        }
        assert_eq!(changed, [256, 256, 88 + 1]);
    }

    async fn a_move_ends_if_other_writes_fill_the_room() {
        let fixture = Fixture::of("x").await;
        load_tasks(&fixture, 600).await;
        move_to(&fixture, "task-one", 1_000).await;
        let insert = r#"
            INSERT INTO tasks (family_id, id, column_id, title, priority, "order", labels, is_private, creator_id,
                               created_at, updated_at)
            SELECT family_id, 'x' || id || '-' || "order", column_id, title, priority, 0, labels, is_private,
                   creator_id, created_at, updated_at
            FROM tasks WHERE family_id = NEW.family_id AND id = NEW.id"#;
        fixture.connect_host().await.execute(AssertSqlSafe(after_each_new_order(insert))).await.unwrap();
        let written = try_move(&fixture, member("one"), "task-one", 0).await;
        assert!(matches!(written, Err(StorageError::Unavailable(_))), "{written:?}");
        let after = positions(&fixture).await;
        // 600 tasks need three steps, and six are made.
        assert_eq!(after.len(), 1 + 600 + 6 * 256);
        assert_eq!(loaded(&after), (1..=600).map(|number| format!("t{number}")).collect::<Vec<_>>());
        assert!(after.contains(&("task-one".to_owned(), 1_000)));
    }

    async fn concurrent_moves_share_the_room_that_they_make() {
        let fixture = Fixture::of("x").await;
        load_tasks(&fixture, 1_500).await;
        let moved = ["t400", "t800", "t1200", "t1499", "t1500", "task-one"];
        join_all(moved.map(|id| move_to(&fixture, id, 0))).await;
        let after = positions(&fixture).await;
        let (mut first, others) = (after[..6].to_vec(), &after[6..]);
        assert_eq!(first.iter().map(|(_, order)| *order).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
        first.sort();
        let mut ids = moved;
        ids.sort_unstable();
        assert!(first.iter().map(|(id, _)| id).eq(ids), "{first:?}");
        let rest = (1..=1_500).map(|number| format!("t{number}")).filter(|id| !moved.contains(&id.as_str()));
        assert_eq!(loaded(others), rest.collect::<Vec<_>>());
    }
}
