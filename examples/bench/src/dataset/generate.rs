//! Generates random ids, words and instants. The number of the family is the random seed.

use std::ops::Range;

use family_api_core::Timestamp;
use fastrand::Rng;

const WORDS: &str = "\
    milk bread school dentist garden paint window laundry train ticket birthday \
    cake homework football piano lesson insurance invoice repair kitchen lamp garage \
    vet dog walk holiday packing passport library book recycling glass dinner guests \
    grandma package haircut swimming meeting teacher budget молоко хліб школа прогулянка обід";

/// 2026-11-20T09:00:00Z. All instants are around this time.
const NOW_IN_MILLISECONDS: i64 = 1_795_165_200_000;

const DAY_IN_MILLISECONDS: i64 = 86_400_000;

pub(super) struct Generator {
    pub(super) family: u32,
    words: Vec<&'static str>,
    rng: Rng,
    ids: u16,
}

impl Generator {
    pub(super) fn new(family: u32) -> Self {
        Self { family, words: WORDS.split(' ').collect(), rng: Rng::with_seed(u64::from(family)), ids: 0 }
    }

    /// Returns an id of 25 characters, similar to the ids of host apps. Each id sorts after all earlier ids.
    pub(super) fn id(&mut self) -> String {
        self.ids += 1;
        format!("c{:08x}{:04x}{:012x}", self.family, self.ids, self.rng.u64(..1 << 48))
    }

    /// Returns a random number of words from this range, separated by spaces.
    pub(super) fn text(&mut self, words: Range<usize>) -> String {
        let count = self.rng.usize(words);
        (0..count).map(|_| self.words[self.rng.usize(..self.words.len())]).collect::<Vec<_>>().join(" ")
    }

    /// Returns a random instant in this range of days, relative to [`NOW_IN_MILLISECONDS`].
    pub(super) fn instant(&mut self, days: Range<i64>) -> Option<Timestamp> {
        let offset = self.rng.i64(days.start * DAY_IN_MILLISECONDS..days.end * DAY_IN_MILLISECONDS);
        Timestamp::from_millis(NOW_IN_MILLISECONDS + offset)
    }

    pub(super) fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.rng.usize(..choices.len())]
    }

    /// Returns up to two different items.
    pub(super) fn some_of<'a>(&mut self, choices: &[&'a str]) -> Vec<&'a str> {
        let count = self.rng.usize(..=2);
        self.rng.choose_multiple(choices.iter().copied(), count)
    }

    /// Returns `true` with the given probability in percent.
    pub(super) fn happens(&mut self, percent: u8) -> bool {
        self.rng.u8(..100) < percent
    }

    pub(super) fn number(&mut self, range: Range<i64>) -> i64 {
        self.rng.i64(range)
    }
}
