//! How many statements a write takes; alone in its process, because the driver tells it from threads of its own.
#![cfg(feature = "sqlite")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod count;
#[path = "../support/family.rs"]
#[expect(dead_code, reason = "others count rows too")]
mod family;
#[path = "../sqlite_storage/house.rs"]
#[expect(dead_code, reason = "others open it again")]
mod house;

use family_api_core::Precondition;
use family_api_core::calendar::Zone;
use family_api_core::change::{NoteChange, TaskChange, TaskMove, TaskUpdate};
use family_api_core::storage::{Update, Writes};

use crate::count::Statements;
use crate::family::{AT, House, member};

#[tokio::test]
async fn a_write_takes_its_facts_and_its_change_and_a_move_makes_room_between_them() {
    let house = House::of("x").await;
    let (one, zone, now) = (member("one"), Zone::utc(), AT.parse().unwrap());
    let (task, note) = ("task-one".parse().unwrap(), "note-one".parse().unwrap());
    let statements = Statements::counted();

    let update = TaskUpdate::Fields(TaskChange::new().title("new"));
    let done = house.storage.update_task(&one, &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 2);

    let update = TaskUpdate::Move(TaskMove::new(&"column-one".parse().unwrap(), 0));
    let done = house.storage.update_task(&one, &task, update, &Precondition::None, &zone, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 3);

    let change = NoteChange::new().title("new");
    let done = house.storage.update_note(&one, &note, change, &Precondition::None, now).await;
    assert!(matches!(done, Ok(Update::Done(_))), "{done:?}");
    assert_eq!(statements.take(), 2);

    let done = house.storage.delete_note(&one, &note, &Precondition::None).await;
    assert!(matches!(done, Ok(Update::Done(()))), "{done:?}");
    assert_eq!(statements.take(), 1);
}
