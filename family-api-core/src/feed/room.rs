//! Bounds the size of a document.

use super::component::Component;
use crate::Timestamp;

/// The maximum number of events in a document. Each changed or single occurrence of a recurring event is one.
pub const MAX_COMPONENTS: usize = 5_000;

/// The maximum size of all texts of a document, in bytes.
pub const MAX_BYTES: usize = 16 * 1024 * 1024;

/// Components that are written or left out together: a single one, or a rule with its changed occurrences.
#[derive(Debug)]
pub(super) struct Unit<'a> {
    pub(super) components: Vec<Component<'a>>,
    /// When a single one ends. `None` for a rule.
    pub(super) end: Option<Timestamp>,
}

impl Unit<'_> {
    fn bytes(&self) -> usize {
        self.components.iter().map(Component::text_bytes).sum()
    }
}

/// Removes units until the others fit: first the single ones that end first, then the rules that come last. Returns the
/// number of removed components.
pub(super) fn make_room(units: &mut Vec<Unit<'_>>) -> usize {
    let mut count: usize = units.iter().map(|unit| unit.components.len()).sum();
    let mut bytes: usize = units.iter().map(Unit::bytes).sum();
    if count <= MAX_COMPONENTS && bytes <= MAX_BYTES {
        return 0;
    }
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|index| {
        let end = units.get(*index).and_then(|unit| unit.end);
        (end.is_none(), end, std::cmp::Reverse(*index))
    });
    let before = count;
    let mut is_removed = vec![false; units.len()];
    for index in order {
        if count <= MAX_COMPONENTS && bytes <= MAX_BYTES {
            break;
        }
        if let (Some(unit), Some(is_removed)) = (units.get(index), is_removed.get_mut(index)) {
            count -= unit.components.len();
            bytes -= unit.bytes();
            *is_removed = true;
        }
    }
    let mut is_removed = is_removed.into_iter();
    units.retain(|_| !is_removed.next().unwrap_or_default());
    before - count
}
