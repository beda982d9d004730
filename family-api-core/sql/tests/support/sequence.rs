//! The `sequence` of an event or a task rises with each change, also with those of a host.

use family_api_core::change::{TaskChange, TaskMove};
use family_api_core::resource::Task;
use family_api_core::storage::table::{Table, TableColumn};
use family_api_core::storage::value::Type;
use family_api_core::storage::{EventRecord, Operation, TaskRecord};
use serde_json::json;
use sqlx::{AssertSqlSafe, Executor};

use crate::family::{AT, Fixture, delete, member, update, write};
use crate::fixture::EMPTY_LIST;

/// The highest number.
const MAX: i64 = 2_147_483_647;

/// The columns whose change by a host is no change of the record.
const NOT_COUNTED: [&str; 4] = ["id", "family_id", "order", "sequence"];

async fn sequence(fixture: &Fixture, table: &'static str) -> i64 {
    fixture
        .count(match table {
            "tasks" => "SELECT sequence FROM tasks WHERE family_id = 'one'",
            _ => "SELECT sequence FROM events WHERE family_id = 'one'",
        })
        .await
}

/// Returns SQL of a value that the record of the family `one` does not have in this column.
fn other_value(column: &TableColumn) -> String {
    match (column.name, column.value) {
        ("priority", _) => "'LOW'".to_owned(),
        (_, Type::Text) => "'other'".to_owned(),
        (_, Type::Instant) => "'2027-01-01T00:00:00.000Z'".to_owned(),
        (name, Type::Boolean) => format!("NOT {name}"),
        (_, Type::Texts) => EMPTY_LIST.to_owned(),
        (_, Type::Json) => "NULL".to_owned(),
        (name, other) => panic!("{name} is {other:?}"),
    }
}

/// Executes `UPDATE` with this `SET` list, and returns by how much the sequence of the record rises.
async fn rise(fixture: &Fixture, table: &'static str, set: &str) -> i64 {
    let before = sequence(fixture, table).await;
    let sql = format!("UPDATE {table} SET {set} WHERE family_id = 'one'");
    fixture.connect_host().await.execute(AssertSqlSafe(sql)).await.unwrap();
    sequence(fixture, table).await - before
}

async fn fixture() -> Fixture {
    let fixture = Fixture::with_revision_triggers("x").await;
    let column = format!(
        "INSERT INTO columns (family_id, id, board_id, name, \"order\", created_at)
             VALUES ('one', 'other', 'board-one', '', 0, '{AT}')"
    );
    fixture.connect_host().await.execute(AssertSqlSafe(column)).await.unwrap();
    fixture
}

const TABLES: [&Table; 2] = [&TaskRecord::TABLE, &EventRecord::TABLE];

tests! {
    async fn a_host_that_changes_any_column_raises_the_sequence() {
        let fixture = fixture().await;
        for table in TABLES {
            for column in table.columns.iter().filter(|column| !NOT_COUNTED.contains(&column.name)) {
                let name = column.name;
                let set = format!("{name} = {}", other_value(column));
                assert_eq!(rise(&fixture, table.name, &set).await, 1, "{set} of {}", table.name);
                let same = format!("{name} = {name}");
                assert_eq!(rise(&fixture, table.name, &same).await, 0, "{same} of {}", table.name);
            }
        }
    }

    async fn a_new_order_alone_does_not_raise_the_sequence() {
        let fixture = fixture().await;
        assert_eq!(rise(&fixture, "tasks", "\"order\" = \"order\" + 1").await, 0);
        assert_eq!(rise(&fixture, "tasks", "\"order\" = \"order\" + 1, title = 'moved'").await, 1);
    }

    async fn a_host_that_raises_the_sequence_keeps_its_number() {
        let fixture = fixture().await;
        for table in TABLES.map(|table| table.name) {
            assert_eq!(rise(&fixture, table, "title = 'a', sequence = sequence + 1").await, 1);
            assert_eq!(rise(&fixture, table, "title = 'b', sequence = sequence + 5").await, 5);
            assert_eq!(rise(&fixture, table, "title = 'c', sequence = sequence - 1").await, 1);
            rise(&fixture, table, &format!("sequence = {MAX}")).await;
            assert_eq!(sequence(&fixture, table).await, MAX);
            assert_eq!(rise(&fixture, table, "title = 'd'").await, 0);
            assert_eq!(rise(&fixture, table, "title = 'e', sequence = 0").await, 0);
            let refused = format!("UPDATE {table} SET sequence = {MAX} + 1 WHERE family_id = 'one'");
            assert!(fixture.connect_host().await.execute(AssertSqlSafe(refused)).await.is_err());
        }
    }

    async fn an_update_of_the_service_raises_the_sequence_once() {
        let fixture = fixture().await;
        let before = sequence(&fixture, "tasks").await;
        let rename = TaskChange::new().title("renamed").build().unwrap();
        write::<Task>(&fixture.storage, member("one"), update("task-one", rename)).await.unwrap();
        assert_eq!(sequence(&fixture, "tasks").await, before + 1);
        let shift = TaskMove::new(&"column-one".parse().unwrap(), 0).build().unwrap();
        write::<Task>(&fixture.storage, member("one"), update("task-one", shift)).await.unwrap();
        assert_eq!(sequence(&fixture, "tasks").await, before + 2);
    }

    async fn a_record_that_was_deleted_without_a_sequence_is_restored_with_the_first_one() {
        let fixture = fixture().await;
        let (storage, author) = (&fixture.storage, member("one"));
        write(storage, author.clone(), delete::<Task>("task-one")).await.unwrap();
        let forget = "UPDATE deleted_records SET record = replace(record, ',\"sequence\":3', '')
             WHERE record LIKE '%,\"sequence\":3%'";
        let forgotten = fixture.connect_host().await.execute(forget).await.unwrap();
        assert_eq!(forgotten.rows_affected(), 1);
        write::<Task>(storage, author, Operation::Restore { id: "task-one".parse().unwrap() }).await.unwrap();
        assert_eq!(sequence(&fixture, "tasks").await, 1);
    }

    async fn the_zone_that_an_import_gives_an_event_is_no_change() {
        let fixture = fixture().await;
        let event = json!({
            "type": "event", "id": "without", "familyId": "one", "title": "x", "startDate": AT, "endDate": AT,
            "allDay": false, "createdAt": AT, "updatedAt": AT, "sequence": 9,
        });
        fixture.load([event]).await.unwrap();
        let zoned = "SELECT sequence FROM events WHERE id = 'without' AND time_zone = 'Europe/Kyiv'";
        assert_eq!(fixture.count(zoned).await, 9);
    }
}
