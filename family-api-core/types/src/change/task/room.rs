//! Room for a task that moves to an `order` of a column.

use crate::validation::rules::MAX_ORDER;

/// The maximum number of tasks to which a move adds 1.
pub const MAX_SHIFTED: usize = 500;

/// The greatest distance between tasks that are numbered anew.
const MAX_GAP: i64 = 100;

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
    /// More than [`MAX_SHIFTED`] tasks would move. All tasks from the position on get new positions at equal distances
    /// ([`gap`]), in the order in which they are. So the next moves between them shift few tasks.
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

/// Returns the distance between `following` tasks that are numbered anew after a position: the first of them gets the
/// position plus the distance. All of them get at most 1,000,000, the highest position of a move, unless the
/// distance would be less than 2.
#[must_use]
pub fn gap(position: i64, following: i64) -> i64 {
    let room = MAX_ORDER.saturating_sub(position);
    room.checked_div(following).unwrap_or(MAX_GAP).clamp(2, MAX_GAP)
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
    }

    #[test]
    fn renumbered_tasks_stay_where_tasks_can_move() {
        assert_eq!(gap(3, 501), 100);
        assert_eq!(gap(0, 20_000), 50);
        assert_eq!(gap(990_000, 501), 19);
        assert_eq!(gap(MAX_ORDER, 501), 2);
    }
}
