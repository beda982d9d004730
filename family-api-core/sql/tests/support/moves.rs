//! A task that moves makes room in its column.

use family_api_core::change::TaskMove;
use family_api_core::resource::{Task, TaskFilter};
use family_api_core::storage::{ReadStorage, Written};
use serde_json::{Value, json};

use crate::family::{Fixture, member, record_with, update, write};

fn task(id: &str, order: i64) -> Value {
    record_with("task", &json!({ "id": id, "order": order }))
}

/// Moves a task to a position in the column `column-one`.
async fn move_to(fixture: &Fixture, id: &str, order: i64) {
    let to = TaskMove::new(&"column-one".parse().unwrap(), order).build().unwrap();
    let written = write(&fixture.storage, member("one"), update::<Task>(id, to)).await.unwrap();
    assert!(matches!(written, Written::Updated { .. }), "{written:?}");
}

/// Returns the ids and positions of the tasks in the column `column-one`, as the storage orders them.
async fn positions(fixture: &Fixture) -> Vec<(String, i64)> {
    let boards = fixture.storage.list_tasks(&member("one"), TaskFilter::All).await.unwrap().parse().unwrap();
    let columns = boards.into_iter().flat_map(|board| board.columns);
    let tasks = columns.filter(|column| column.id.as_str() == "column-one").flat_map(|column| column.tasks);
    tasks.map(|task| (task.id.to_string(), task.order)).collect()
}

tests! {
    async fn a_move_shifts_tasks_only_as_far_as_the_first_free_position() {
        let fixture = Fixture::of("x").await;
        fixture.load([task("a", 7), task("b", 7), task("c", 8), task("d", 10)]).await.unwrap();
        move_to(&fixture, "task-one", 7).await;
        let expected = [("task-one", 7), ("a", 8), ("b", 8), ("c", 9), ("d", 10)];
        assert_eq!(positions(&fixture).await, expected.map(|(id, order)| (id.to_owned(), order)));
    }

    async fn more_than_500_tasks_are_numbered_anew_with_gaps() {
        let fixture = Fixture::of("x").await;
        let name = |number: i64| format!("t{number:03}");
        fixture.load((1..=501).map(|number| task(&name(number), 3))).await.unwrap();
        fixture.load([task("before", 2), task("after", 9)]).await.unwrap();
        move_to(&fixture, "task-one", 3).await;
        let renumbered = (1..=501).map(name).chain(["after".to_owned()]).zip((1..).map(|number| 3 + 100 * number));
        let first = [("before".to_owned(), 2), ("task-one".to_owned(), 3)];
        assert_eq!(positions(&fixture).await, first.iter().cloned().chain(renumbered.clone()).collect::<Vec<_>>());
        // The next move to the same position shifts one task.
        move_to(&fixture, "before", 3).await;
        let first = [("before".to_owned(), 3), ("task-one".to_owned(), 4)];
        assert_eq!(positions(&fixture).await, first.into_iter().chain(renumbered).collect::<Vec<_>>());
    }
}
