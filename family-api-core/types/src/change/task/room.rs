//! Room for a task that moves to an `order` of a column.

/// The maximum number of tasks to which a move adds 1.
pub const MAX_SHIFTED: usize = 500;

/// The distance between the tasks of a column that are numbered anew. So the next moves between them shift few tasks.
const GAP: i64 = 100;

/// How the other tasks of a column make room for a task at a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// No other task has the position.
    Free,
    /// Each task from the position to `last` moves by 1. No task has the position after `last`.
    Shift {
        /// The highest `order` that moves.
        last: i64,
    },
    /// More than [`MAX_SHIFTED`] tasks would move. All tasks from the position on get new positions with gaps, in the
    /// order in which they are ([`renumbered`]).
    Renumber,
}

impl Room {
    /// Decides from the orders of the other tasks that are at the position or after it. They are sorted. Only the first
    /// [`MAX_SHIFTED`] + 1 are needed.
    #[must_use]
    pub fn at(position: i64, orders: impl IntoIterator<Item = i64>) -> Self {
        let mut next = position;
        let mut shifted = 0;
        for order in orders {
            if order > next {
                break;
            }
            shifted += 1;
            next = order.saturating_add(1);
        }
        match shifted {
            0 => Self::Free,
            1..=MAX_SHIFTED => Self::Shift { last: next - 1 },
            _ => Self::Renumber,
        }
    }
}

/// Returns the new `order` of the task that is the `number`-th after a position, from 1.
#[must_use]
pub const fn renumbered(position: i64, number: i64) -> i64 {
    position.saturating_add(number.saturating_mul(GAP))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_shift_as_far_as_the_first_free_position() {
        assert_eq!(Room::at(3, []), Room::Free);
        assert_eq!(Room::at(3, [4, 5]), Room::Free);
        assert_eq!(Room::at(3, [3, 3, 4, 5, 7, 8]), Room::Shift { last: 5 });
    }

    #[test]
    fn a_long_run_is_renumbered() {
        assert_eq!(Room::at(0, 0..500), Room::Shift { last: 499 });
        assert_eq!(Room::at(0, 0..501), Room::Renumber);
        assert_eq!(Room::at(7, [7; 501]), Room::Renumber);
        assert_eq!([1, 2, 3].map(|number| renumbered(7, number)), [107, 207, 307]);
    }
}
