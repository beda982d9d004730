//! The numbers of names, from which the host makes ids.

use std::collections::BTreeMap;

/// Less than every number.
pub(super) const FIRST: u32 = 100_000_000;

/// Greater than every number. So all numbers have nine digits, and are ordered as their text is.
const END: u32 = 1_000_000_000;

/// A number for each name, in the order of the names.
#[derive(Default)]
pub(super) struct Numbers(BTreeMap<String, u32>);

impl Numbers {
    /// Returns the number of a name. A new name gets a number between the numbers of its neighbours.
    pub(super) fn of(&mut self, name: &str) -> u32 {
        self.add(vec![name.to_owned()]);
        self.0[name]
    }

    /// Numbers the names that have no number yet. Those between the same two neighbours get equal distances.
    pub(super) fn add(&mut self, mut names: Vec<String>) {
        names.retain(|name| !self.0.contains_key(name));
        names.sort_unstable();
        names.dedup();
        let mut names = names.into_iter().peekable();
        while let Some(first) = names.next() {
            let next = self.0.range(first.clone()..).next();
            let (end, end_name) = next.map_or((END, None), |(name, number)| (*number, Some(name.clone())));
            let start = self.0.range(..first.clone()).next_back().map_or(FIRST, |(_, number)| *number);
            let mut between = vec![first];
            while let Some(name) = names.next_if(|name| end_name.as_ref().is_none_or(|end| name < end)) {
                between.push(name);
            }
            let distance = (end - start) / (u32::try_from(between.len()).unwrap() + 1);
            assert!(distance > 0, "no number is left for {between:?} between {start} and {end}");
            self.0.extend(between.into_iter().zip((start + distance..).step_by(distance as usize)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn numbers_are_ordered_like_their_names() {
        let mut numbers = Numbers::default();
        numbers.add(["b", "d", "b"].map(str::to_owned).into());
        let known = (numbers.of("b"), numbers.of("d"));
        numbers.add(["a", "c", "C", "cc", "e", "d"].map(str::to_owned).into());
        assert_eq!((numbers.of("b"), numbers.of("d")), known);
        let ordered = ["C", "a", "b", "c", "cc", "d", "e"].map(|name| numbers.of(name));
        assert!(ordered.is_sorted_by(|first, second| first < second), "{ordered:?}");
        assert!(ordered.iter().all(|number| number.to_string().len() == 9), "{ordered:?}");
    }
}
