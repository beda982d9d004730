//! Changes and updates of tasks.

mod change;
mod room;
mod rules;
mod schedule;
mod update;

pub use change::TaskChange;
pub use room::{MAX_SHIFTED, Room, Spread};
pub use rules::{BoardOwner, Destination, TaskFacts, TaskWrite};
pub use update::{TaskMove, TaskUpdate};

#[cfg(test)]
pub(super) use update::Kind;
