//! Room in a column for a task that moves.

use std::sync::LazyLock;

use family_api_core::change::{MAX_SHIFTED, Room, Spread};
use family_api_core::resource::Task;
use family_api_core::storage::value::{Datum, Values};
use family_api_core::storage::{Member, StorageError};

use crate::changes::Shifted;
use crate::sql_connection::SqlConnection;

/// The other tasks in the column `$2` at the position `$3` or after it.
macro_rules! following {
    () => {
        r#"FROM tasks o WHERE o.family_id = $1 AND o.column_id = $2 AND o."order" >= $3 AND o.id <> $4"#
    };
}

/// Returns the orders of the other tasks at the position or after it, as many as [`Room::at`] needs.
pub(super) static FIND_FOLLOWING: LazyLock<String> = LazyLock::new(|| {
    format!(concat!(r#"SELECT o."order" "#, following!(), r#" ORDER BY o."order" LIMIT {}"#), MAX_SHIFTED + 1)
});

/// Adds 1 to the positions of the other tasks from `$3` to `$5`.
pub(super) const SHIFT_TASKS: &str = r#"UPDATE tasks SET "order" = "order" + 1
    WHERE family_id = $1 AND column_id = $2 AND "order" >= $3 AND id <> $4 AND "order" <= $5"#;

/// Returns how many of the first `$6` other tasks at the position or after it there are, and the smallest number of
/// tasks that have space for the distance `$5` before the next task.
pub(super) const FIND_SPREAD: &str = concat!(
    r#"SELECT count(*), min(CASE WHEN f.number > 1 AND f."order" > $3 + (f.number - 1) * $5 THEN f.number - 1 END)
    FROM (SELECT o."order", row_number() OVER (ORDER BY o."order", o.id) AS number "#,
    following!(),
    r#" ORDER BY o."order", o.id LIMIT $6) AS f"#
);

/// Counts the other tasks from the position to `$5`.
pub(super) const COUNT_FOLLOWING: &str = concat!("SELECT count(*) ", following!(), r#" AND o."order" <= $5"#);

/// Spreads the last `$8` of the `$6` other tasks from the position to `$5`, at the distance `$7`.
pub(super) const SPREAD_TASKS: &str = concat!(
    r#"UPDATE tasks SET "order" = $3 + f.number * $7
    FROM (SELECT o.id, o."order", $6 + 1 - row_number() OVER (ORDER BY o."order" DESC, o.id DESC) AS number "#,
    following!(),
    r#" AND o."order" <= $5 ORDER BY o."order" DESC, o.id DESC LIMIT $8) AS f
    WHERE tasks.family_id = $1 AND tasks.id = f.id AND f."order" < $3 + f.number * $7"#
);

/// What remains of a spread after a transaction.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RestOfSpread {
    spread: Spread,
    /// The maximum number of transactions.
    transactions: i64,
}

/// How there is room for a task.
pub(crate) enum RoomMade {
    /// No other task has moved.
    Free,
    /// The tasks of a few positions have moved by 1.
    Shifted(Shifted),
    /// Other tasks have moved, perhaps many.
    Spread,
    /// Another transaction must go on.
    Rest(RestOfSpread),
}

/// Makes room for a task at its new position.
pub(super) struct MakeRoom<'a, C> {
    pub(super) connection: &'a mut C,
    pub(super) member: &'a Member,
    pub(super) task: &'a Task,
}

impl<'a, C: SqlConnection> MakeRoom<'a, C> {
    /// If the transaction must end before there is room, no other task has another place, and the task itself still has
    /// its old `order`, so a precondition also holds in the next transaction.
    ///
    /// Other writes can come between two transactions, also moves that have already made the room.
    pub(super) async fn run(&mut self, rest: Option<RestOfSpread>) -> Result<RoomMade, StorageError> {
        let mut orders: Vec<i64> = Vec::new();
        for row in self.connection.find_rows(&FIND_FOLLOWING, self.arguments(&[])).await? {
            orders.push(Values::of(&row).take()?);
        }
        match Room::at(self.task.order, orders) {
            Room::Free => Ok(RoomMade::Free),
            Room::Shift { last } => {
                self.connection.execute(SHIFT_TASKS, self.arguments(&[last])).await?;
                let (column, first) = (self.task.column_id.clone(), self.task.order);
                Ok(RoomMade::Shifted(Shifted { column, first, last: last.saturating_add(1) }))
            }
            Room::Spread => Ok(self.spread(rest).await?.map_or(RoomMade::Spread, RoomMade::Rest)),
        }
    }

    async fn spread(&mut self, rest: Option<RestOfSpread>) -> Result<Option<RestOfSpread>, StorageError> {
        if rest.is_some_and(|rest| rest.transactions == 0) {
            return Err(StorageError::unavailable("other writes fill the room that a move makes"));
        }
        let resumed = match rest {
            Some(RestOfSpread { spread, .. }) => spread.resize(self.count(spread.last).await?),
            None => None,
        };
        let spread = match resumed {
            Some(spread) => spread,
            None => self.find_spread().await?,
        };
        // Other writes can insert tasks between the steps, so there may be twice as many.
        let transactions = rest.map_or(2 * (spread.tasks / Spread::STEP + 1), |rest| rest.transactions) - 1;
        let rest = spread.rest();
        let step = spread.tasks - rest.map_or(0, |rest| rest.tasks);
        let arguments = self.arguments(&[spread.last, spread.tasks, spread.distance, step]);
        self.connection.execute(SPREAD_TASKS, arguments).await?;
        Ok(rest.map(|spread| RestOfSpread { spread, transactions }))
    }

    /// Finds the same as [`Spread::of`]. Reads no more rows than it needs, up to a factor.
    async fn find_spread(&mut self) -> Result<Spread, StorageError> {
        let position = self.task.order;
        let mut following = 0;
        for (most, distance) in Spread::LEVELS {
            let limit = most.saturating_add(1);
            let row = self.connection.find_row(FIND_SPREAD, self.arguments(&[distance, limit])).await?;
            let row = row.ok_or_else(no_count)?;
            let mut values = Values::of(&row);
            following = values.take()?;
            if let Some(tasks) = values.take()? {
                return Ok(Spread::new(position, tasks, distance));
            }
            if following <= most {
                break;
            }
        }
        let all = Spread::of_all(position, following);
        let tasks = self.count(all.last).await?;
        Ok(all.resize(tasks).unwrap_or(all))
    }

    /// Counts the other tasks from the position to `last`.
    async fn count(&mut self, last: i64) -> Result<i64, StorageError> {
        let row = self.connection.find_row(COUNT_FOLLOWING, self.arguments(&[last])).await?;
        Values::of(&row.ok_or_else(no_count)?).take()
    }

    /// Returns the arguments `$1` to `$4`, and the numbers after them.
    fn arguments(&self, numbers: &[i64]) -> Vec<Datum<'a>> {
        let Self { member, task, .. } = *self;
        let mut arguments =
            vec![Datum::of(&member.family), Datum::of(&task.column_id), Datum::of(&task.order), Datum::of(&task.id)];
        arguments.extend(numbers.iter().map(|number| Datum::Integer(Some(*number))));
        arguments
    }
}

fn no_count() -> StorageError {
    StorageError::backend("a count returned no row")
}
