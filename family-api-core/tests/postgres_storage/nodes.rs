//! Concurrent writes of several nodes, each with its own pool.

use family_api_core::calendar::Zone;
use family_api_core::change::{ColumnChange, TaskChange};
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::resource::{Column, Task};
use family_api_core::storage::postgres::PostgresStorage;
use family_api_core::storage::{Operation, RecordWrite, Update, Writable};
use futures_util::future::{join, join_all};

use crate::family::{AT, Fixture, delete, member, write};

/// The number of rounds of a race.
const ROUNDS: usize = 10;

async fn two_nodes(fixture: &Fixture) -> [PostgresStorage; 2] {
    [fixture.reopen().await.unwrap(), fixture.reopen().await.unwrap()]
}

fn create_task(id: &str, column: &str) -> RecordWrite<Task> {
    let column = column.parse().unwrap();
    let new = TaskChange::new().title("new").column(&column).build_new().unwrap();
    RecordWrite::new(Operation::Create { id: id.parse().unwrap(), new }, Zone::utc(), AT.parse().unwrap())
}

fn is_done<T>(update: &Update<T>) -> bool {
    matches!(update, Update::Done(_))
}

tests! {
    async fn two_nodes_create_one_record_for_one_idempotency_key() {
        let fixture = Fixture::of("x").await;
        let nodes = two_nodes(&fixture).await;
        for round in 0..ROUNDS {
            let key = format!("key-{round}").parse().unwrap();
            let idempotency = Some(IdempotentRequest { key, digest: [7; 32] });
            let writes: Vec<_> = (0..8).map(|n| RecordWrite {
                idempotency: idempotency.clone(),
                ..create_task(&format!("task-{round}-{n}"), "column-one")
            }).collect();
            let author = member("one").into();
            let created = writes.iter().zip(nodes.iter().cycle()).map(|(write, node)| Task::write(node, &author, write));
            let created: Vec<_> = join_all(created).await.into_iter().map(Result::unwrap).collect();
            assert_eq!(created.iter().filter(|outcome| is_done(outcome)).count(), 1, "{created:?}");
            let is_first = |outcome: &Update<Task>| match (outcome, &created[0]) {
                (Update::Done(task) | Update::Existing(task), Update::Done(first) | Update::Existing(first)) => task == first,
                _ => false,
            };
            assert!(created.iter().all(is_first), "{created:?}");
        }
        let rounds = i64::try_from(ROUNDS).unwrap();
        assert_eq!(fixture.count("SELECT count(*) FROM tasks WHERE family_id = 'one' AND title = 'new'").await, rounds);
        assert_eq!(fixture.count("SELECT count(*) FROM idempotency_keys").await, rounds);
    }

    async fn a_task_is_never_left_without_its_column() {
        let fixture = Fixture::of("x").await;
        let [first, second] = two_nodes(&fixture).await;
        for round in 0..ROUNDS {
            let column = format!("column-{round}");
            let new = ColumnChange::new().name("new").build_new(&"board-one".parse().unwrap()).unwrap();
            let created = Operation::<Column>::Create { id: column.parse().unwrap(), new };
            assert!(is_done(&write(&first, member("one"), created).await.unwrap()));
            let restored = format!("restored-{round}");
            let author = member("one").into();
            assert!(is_done(&Task::write(&first, &author, &create_task(&restored, &column)).await.unwrap()));
            assert!(is_done(&write(&first, member("one"), delete::<Task>(&restored)).await.unwrap()));

            let creation = create_task(&format!("created-{round}"), &column);
            let restoration = Operation::<Task>::Restore { id: restored.parse().unwrap() };
            let additions = join(Task::write(&first, &author, &creation), write(&first, member("one"), restoration));
            let deletion = write(&second, member("one"), delete::<Column>(&column));
            let ((created, restored), deleted) = join(additions, deletion).await;
            let (created, restored, deleted) = (created.unwrap(), restored.unwrap(), deleted.unwrap());
            match deleted {
                Update::Done(_) => assert_eq!((created, restored), (Update::NotFound, Update::NotFound)),
                Update::NotEmpty => assert!(is_done(&created) || is_done(&restored), "{created:?} {restored:?}"),
                other => panic!("{other:?}"),
            }
        }
        let orphans = "SELECT count(*) FROM tasks t WHERE NOT EXISTS (
            SELECT 1 FROM columns c WHERE c.family_id = t.family_id AND c.id = t.column_id)";
        assert_eq!(fixture.count(orphans).await, 0);
    }
}
