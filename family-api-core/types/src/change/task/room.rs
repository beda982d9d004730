//! Room for a task that moves to an `order` of a column.

use crate::validation::rules::MAX_ORDER;

/// The limits of the distance between the tasks of a column that are all spread.
const MIN_DISTANCE: i64 = 8;
const MAX_DISTANCE: i64 = 100;

/// The maximum number of tasks to which a move adds 1.
pub const MAX_SHIFTED: i64 = 64;

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
    /// More than [`MAX_SHIFTED`] tasks would move. A [`Spread`] makes gaps between them instead.
    Spread,
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
            _ => Self::Spread,
        }
    }
}

/// Gaps between the first tasks at a position or after it. The task with the number n, counted from 1, gets the `order`
/// `position + n * distance`, unless its `order` is higher. So the position becomes free, the next moves to it shift
/// few tasks, and the tasks keep their sequence.
///
/// The tasks are as few as possible: the next one is so far away that the gaps fit. The more tasks there are, the wider
/// the gaps are, so that many tasks change only after many moves.
///
/// A storage can make the gaps in steps, from the last task to the first one, each in a transaction of its own. The
/// tasks keep their sequence after each step, also if the next one never comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// The position that becomes free.
    pub position: i64,
    /// The number of tasks.
    pub tasks: i64,
    /// The distance between the tasks.
    pub distance: i64,
    /// The highest `order` of the tasks, before and after. All tasks after them have a higher one.
    pub last: i64,
}

impl Spread {
    /// The maximum number of tasks in a step.
    pub const STEP: i64 = 256;

    /// The distance for each maximum number of tasks.
    pub const LEVELS: [(i64, i64); 4] = [(256, 4), (1_024, 8), (4_096, 16), (i64::MAX, 32)];

    /// Decides from the orders of all other tasks that are at the position or after it. They are sorted.
    #[must_use]
    pub fn of(position: i64, orders: &[i64]) -> Self {
        for (most, distance) in Self::LEVELS {
            let mut prefixes = (1..=most).map(|tasks| Self::new(position, tasks, distance)).zip(orders.iter().skip(1));
            if let Some((prefix, _)) = prefixes.find(|(prefix, next)| **next > prefix.last) {
                return prefix;
            }
        }
        let all = Self::of_all(position, i64::try_from(orders.len()).unwrap_or(i64::MAX));
        let tasks = orders.partition_point(|order| *order <= all.last);
        all.resize(i64::try_from(tasks).unwrap_or(i64::MAX)).unwrap_or(all)
    }

    /// Returns the gaps between this number of tasks, if no task is too close after them.
    #[must_use]
    pub const fn new(position: i64, tasks: i64, distance: i64) -> Self {
        let last = position.saturating_add(tasks.saturating_mul(distance));
        Self { position, tasks, distance, last }
    }

    /// Returns the gaps if those of no [level](Self::LEVELS) fit. `following` is the number of all other tasks that are
    /// at the position or after it. They get at most 1,000,000, the highest position of a move, unless the distance
    /// would be less than 8. Tasks after [`last`](Self::last) must then be left out ([`resize`](Self::resize)).
    #[must_use]
    pub fn of_all(position: i64, following: i64) -> Self {
        let room = MAX_ORDER.saturating_sub(position);
        let distance = room.checked_div(following).unwrap_or(MAX_DISTANCE);
        Self::new(position, following, distance.clamp(MIN_DISTANCE, MAX_DISTANCE))
    }

    /// Adapts the gaps to the number of tasks up to [`last`](Self::last), which other writes can have changed since a
    /// step. Returns `None` if the space is too small for this number of tasks.
    #[must_use]
    pub fn resize(self, tasks: i64) -> Option<Self> {
        let space = (self.last - self.position).checked_div(tasks).unwrap_or(self.distance);
        (space > 0).then(|| Self { tasks, distance: self.distance.min(space), ..self })
    }

    /// Returns the new `order` of the task with this number.
    #[must_use]
    pub fn order(self, number: i64, order: i64) -> i64 {
        order.max(Self::new(self.position, number, self.distance).last)
    }

    /// Returns what remains after a step, which spreads the last tasks. `None` if it spreads all tasks.
    #[must_use]
    pub fn rest(self) -> Option<Self> {
        // Fewer tasks would be shifted by the last step.
        let tasks = (self.tasks - Self::STEP).max(MAX_SHIFTED + 1);
        (self.tasks > Self::STEP).then(|| Self::new(self.position, tasks, self.distance))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The orders and ids of the tasks of a column, sorted.
    #[derive(Clone)]
    struct Tasks(Vec<(i64, usize)>);

    impl Tasks {
        fn new(orders: impl IntoIterator<Item = i64>) -> Self {
            Self(orders.into_iter().zip(0..).collect())
        }

        /// Returns the place of the first task at the position or after it.
        fn place(&self, position: i64) -> usize {
            self.0.partition_point(|task| task.0 < position)
        }

        /// Returns the orders of the tasks at the position or after it.
        fn orders(&self, position: i64) -> impl Iterator<Item = i64> {
            self.0[self.place(position)..].iter().map(|task| task.0)
        }

        fn spread_at(&self, position: i64) -> Spread {
            Spread::of(position, &self.orders(position).collect::<Vec<_>>())
        }

        /// Spreads the tasks with the numbers from `first` on. Returns how many have changed.
        fn spread(&mut self, spread: Spread, first: i64) -> usize {
            let start = self.place(spread.position);
            let mut changed = 0;
            for (task, number) in
                self.0[start..].iter_mut().zip(1..=spread.tasks).filter(|(_, number)| *number >= first)
            {
                let order = spread.order(number, task.0);
                changed += usize::from(order != task.0);
                task.0 = order;
            }
            assert!(self.0.is_sorted(), "{spread:?} from {first}");
            changed
        }

        /// Makes a step of a spread, like a storage. Returns what remains, and how many tasks have changed.
        fn step(&mut self, spread: Spread) -> (Option<Spread>, usize) {
            let tasks = self.place(spread.last + 1) - self.place(spread.position);
            let resized = spread.resize(i64::try_from(tasks).unwrap());
            let spread = resized.unwrap_or_else(|| self.spread_at(spread.position));
            let rest = spread.rest();
            let changed = self.spread(spread, rest.map_or(1, |rest| rest.tasks + 1));
            assert!(changed <= 256, "{changed} tasks of {spread:?}");
            (rest, changed)
        }

        /// Inserts a task at a position. Returns how many others have changed.
        fn insert(&mut self, position: i64, id: usize) -> usize {
            let place = self.place(position);
            let mut changed = 0;
            match Room::at(position, self.orders(position)) {
                Room::Free => {}
                Room::Shift { last } => {
                    changed = self.place(last + 1) - place;
                    self.0[place..place + changed].iter_mut().for_each(|task| task.0 += 1);
                }
                Room::Spread => {
                    let mut rest = Some(self.spread_at(position));
                    while let Some(spread) = rest {
                        let step = self.step(spread);
                        rest = step.0;
                        changed += step.1;
                    }
                }
            }
            assert_ne!(self.orders(position).next(), Some(position));
            self.0.insert(place, (position, id));
            changed
        }
    }

    /// A generator of numbers (xorshift).
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: i64) -> i64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            i64::try_from(self.0 >> 1).unwrap() % limit
        }

        fn index(&mut self, length: usize) -> usize {
            usize::try_from(self.below(i64::try_from(length).unwrap())).unwrap()
        }
    }

    #[test]
    fn tasks_shift_as_far_as_the_first_free_position() {
        assert_eq!(Room::at(3, []), Room::Free);
        assert_eq!(Room::at(3, [4, 5]), Room::Free);
        assert_eq!(Room::at(3, [3, 3, 4, 5, 7, 8]), Room::Shift { last: 5 });
    }

    #[test]
    fn a_long_run_is_spread() {
        assert_eq!(Room::at(0, 0..64), Room::Shift { last: 63 });
        assert_eq!(Room::at(0, 0..65), Room::Spread);
        assert_eq!(Room::at(7, [7; 65]), Room::Spread);
    }

    #[test]
    fn a_spread_ends_before_the_first_task_that_is_far_enough_away() {
        let of = |run: i64, next: i64| Spread::of(0, &(0..run).chain([next, next + 10_000]).collect::<Vec<_>>());
        assert_eq!(of(100, 401), Spread::new(0, 100, 4));
        assert_eq!(of(100, 400), Spread::new(0, 101, 4));
        assert_eq!(of(256, 1_025), Spread::new(0, 256, 4));
        assert_eq!(of(257, 2_057), Spread::new(0, 257, 8));
        assert_eq!(of(1_025, 16_401), Spread::new(0, 1_025, 16));
        assert_eq!(of(4_097, 131_105), Spread::new(0, 4_097, 32));
    }

    #[test]
    fn spread_tasks_stay_where_tasks_can_move() {
        let of = |position, tasks: i64| Spread::of(position, &(position..position + tasks).collect::<Vec<_>>());
        assert_eq!(of(3, 65), Spread::new(3, 65, 100));
        assert_eq!(of(0, 20_000), Spread::new(0, 20_000, 50));
        assert_eq!(of(990_000, 501), Spread::new(990_000, 501, 19));
        assert_eq!(of(MAX_ORDER, 501), Spread::new(MAX_ORDER, 501, 8));
    }

    #[test]
    fn the_steps_of_a_spread_equal_one() {
        for position in [0, 40, 999_999] {
            for tasks in [65, 256, 257, 321, 1_500, 5_000] {
                let after = position + tasks + 2;
                let column = Tasks::new((position - 30..position + tasks).chain([after]));
                let spread = column.spread_at(position);
                let (mut once, mut stepped) = (column.clone(), column);
                once.spread(spread, 1);
                let (mut rest, mut steps) = (Some(spread), 0);
                while let Some(next) = rest {
                    (rest, _) = stepped.step(next);
                    steps += 1;
                    let room = Room::at(position, stepped.orders(position));
                    assert_eq!(room, if rest.is_some() { Room::Spread } else { Room::Free });
                }
                assert_eq!(stepped.0, once.0);
                assert!(steps <= tasks / 256 + 1, "{steps} steps of {tasks}");
            }
        }
    }

    #[test]
    fn tasks_keep_their_sequence() {
        let mut random = Random(1);
        for round in 0..300 {
            let position = if round % 10 == 0 { MAX_ORDER } else { random.below(100) };
            let (tasks, highest) = (65 + random.below(2_000), 1 + random.below(3_000));
            let mut orders: Vec<_> = (0..tasks).map(|_| position / 2 + random.below(highest)).collect();
            orders.sort_unstable();
            let mut column = Tasks::new(orders);
            column.spread(column.spread_at(position), 1);
            assert_ne!(column.orders(position).next(), Some(position));
        }
    }

    #[test]
    fn a_spread_goes_on_after_other_writes() {
        let mut random = Random(2);
        for (inserted, steps) in [(0, 12), (1, 13), (50, 16), (100, 24)] {
            let mut column = Tasks::new([0; 65].into_iter().chain(0..3_000));
            let mut rest = Some(column.spread_at(0));
            for _ in 0..steps {
                let Some(spread) = rest else { break };
                (rest, _) = column.step(spread);
                for _ in 0..inserted {
                    // Half of the tasks come to the beginning.
                    let order = random.below(2) * random.below(5_000);
                    column.0.insert(column.place(order + 1), (order, 0));
                }
                column = Tasks::new(column.orders(0));
            }
            assert_eq!(rest, None, "{inserted} inserted tasks");
        }
    }

    #[test]
    fn a_spread_needs_space_for_more_tasks() {
        let spread = Spread::new(5, 100, 4);
        assert_eq!(spread.resize(99), Some(Spread { tasks: 99, ..spread }));
        assert_eq!(spread.resize(101), Some(Spread { tasks: 101, distance: 3, ..spread }));
        assert_eq!(spread.resize(400), Some(Spread { tasks: 400, distance: 1, ..spread }));
        assert_eq!(spread.resize(401), None);
    }

    /// Moves 20,000 tasks in a column of 5,000 tasks, whose orders have no gap. Returns how many other tasks have
    /// changed per move.
    fn changed_per_move(mut position: impl FnMut(&Tasks, i64) -> i64) -> usize {
        let (mut random, mut column) = (Random(3), Tasks::new(0..5_000));
        let mut changed = 0;
        for number in 0..20_000 {
            let position = position(&column, number);
            let (_, id) = column.0.remove(random.index(5_000));
            changed += column.insert(position, id);
        }
        changed / 20_000
    }

    #[test]
    fn moves_change_few_tasks() {
        let mut random = Random(4);
        let cases = [
            changed_per_move(|_, _| 0),
            changed_per_move(|_, _| 2_500),
            changed_per_move(|_, number| number % 2 * 2_500),
            changed_per_move(|_, number| (5_000 - number).max(0)),
            changed_per_move(|_, number| number),
            changed_per_move(|column, _| column.0[random.index(5_000)].0.min(MAX_ORDER)),
            changed_per_move(|_, _| MAX_ORDER),
        ];
        assert!(cases.iter().all(|changed| *changed <= 64), "{cases:?}");
    }
}
