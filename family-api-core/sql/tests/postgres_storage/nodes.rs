//! Concurrent writes of several nodes, each with its own pool.

use family_api_core::calendar::Zone;
use family_api_core::change::{ColumnChange, TaskChange};
use family_api_core::idempotency::IdempotentRequest;
use family_api_core::resource::{Column, Task};
use family_api_core::storage::{Operation, RecordWrite, Writable, Written};
use family_api_sql::postgres::PostgresStorage;
use futures_util::future::{join, join_all};

use crate::family::{AT, Fixture, delete, member, write};

/// The number of rounds of a race.
const ROUNDS: usize = 10;

async fn two_nodes(fixture: &Fixture) -> [PostgresStorage; 2] {
    [fixture.reopen().await.unwrap(), fixture.reopen().await.unwrap()]
}

fn create_task(id: &str, column: &str, idempotency: Option<IdempotentRequest>) -> RecordWrite<Task> {
    let column = column.parse().unwrap();
    let new = TaskChange::new().title("new").column(&column).build_new().unwrap();
    let operation = Operation::Create { id: id.parse().unwrap(), new, idempotency };
    RecordWrite::new(operation, Zone::utc(), AT.parse().unwrap())
}

tests! {
    async fn two_nodes_create_one_record_for_one_idempotency_key() {
        let fixture = Fixture::of("x").await;
        let nodes = two_nodes(&fixture).await;
        for round in 0..ROUNDS {
            let key = format!("key-{round}").parse().unwrap();
            let request = IdempotentRequest { key, digest: [7; 32] };
            let create = |n| create_task(&format!("task-{round}-{n}"), "column-one", Some(request.clone()));
            let writes: Vec<_> = (0..8).map(create).collect();
            let author = member("one").into();
            let created = writes.iter().zip(nodes.iter().cycle()).map(|(write, node)| Task::write(node, &author, write));
            let created: Vec<_> = join_all(created).await.into_iter().map(Result::unwrap).collect();
            assert_eq!(created.iter().filter(|outcome| outcome.is_change()).count(), 1, "{created:?}");
            let is_first = |outcome: &Written<Task>| match (outcome, &created[0]) {
                (Written::Created(task) | Written::Existing(task), Written::Created(first) | Written::Existing(first)) => task == first,
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
            let created = Operation::<Column>::create(column.parse().unwrap(), new);
            assert!(write(&first, member("one"), created).await.unwrap().is_change());
            let restored = format!("restored-{round}");
            let author = member("one").into();
            assert!(Task::write(&first, &author, &create_task(&restored, &column, None)).await.unwrap().is_change());
            assert!(write(&first, member("one"), delete::<Task>(&restored)).await.unwrap().is_change());

            let creation = create_task(&format!("created-{round}"), &column, None);
            let restoration = Operation::<Task>::Restore { id: restored.parse().unwrap() };
            let additions = join(Task::write(&first, &author, &creation), write(&first, member("one"), restoration));
            let deletion = write(&second, member("one"), delete::<Column>(&column));
            let ((created, restored), deleted) = join(additions, deletion).await;
            let (created, restored, deleted) = (created.unwrap(), restored.unwrap(), deleted.unwrap());
            match deleted {
                Written::Deleted(_) => assert_eq!((created, restored), (Written::NotFound, Written::NotFound)),
                Written::NotEmpty => assert!(created.is_change() || restored.is_change(), "{created:?} {restored:?}"),
                other => panic!("{other:?}"),
            }
        }
        let orphans = "SELECT count(*) FROM tasks t WHERE NOT EXISTS (
            SELECT 1 FROM columns c WHERE c.family_id = t.family_id AND c.id = t.column_id)";
        assert_eq!(fixture.count(orphans).await, 0);
    }
}
