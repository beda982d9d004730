//! Changes and updates of tasks.

mod change;
mod rules;
mod update;

pub use change::TaskChange;
pub use rules::{BoardOwner, Destination, TaskFacts, TaskWrite};
pub use update::{TaskMove, TaskUpdate};

#[cfg(test)]
pub(super) use update::Kind;
