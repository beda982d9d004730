//! Generates inputs: mutated corpus files, mixed lines of the corpus, and random bytes.

use std::fmt;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::corpus::Corpus;

/// Text that has a special meaning in one of the tested formats.
const SPECIAL_TEXTS: &str = "\
    , | & = % \" \\u0000 { } [ ] : null true -1 1e9 7 / // .. %2F é fam_ token-of-eve-rw user=eve eve-rw task-tal \
    column-tal 9999 0000 -02-29 24:00 +14:00 Z id u f type canary tools/call list_tasks 2026-07-28";

/// The same with spaces, and spaces only.
const SPACES: [&str; 7] = ["", " ", "\n", "\r\n", "\0", "\u{3000}", "Bearer "];

/// An input. `Debug` prints it as text.
#[derive(Clone)]
pub(crate) struct Input(pub(crate) Vec<u8>);

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.escape_ascii())
    }
}

/// A position in an input, the number of replaced bytes, and the replacement.
type Edit = (Index, usize, Vec<u8>);

pub(crate) fn input(corpus: Corpus) -> impl Strategy<Value = Input> {
    let seeds: Arc<Vec<Vec<u8>>> = Arc::new(corpus.files.into_iter().map(|(_, seed)| seed).collect());
    let other = seeds.clone();
    let mutated = (any::<Index>(), vec(edit(), 0..4))
        .prop_map(move |(seed, edits)| apply_edits(&seeds[seed.index(seeds.len())], edits));
    let lines = vec(any::<(Index, Index)>(), 1..6).prop_map(move |positions| mix_lines(&other, &positions));
    let random = vec(any::<u8>(), 0..400);
    prop_oneof![6 => mutated, 3 => lines, 1 => random].prop_map(Input)
}

fn edit() -> impl Strategy<Value = Edit> {
    let pieces: Vec<&str> = SPECIAL_TEXTS.split(' ').chain(SPACES).collect();
    let piece = select(pieces).prop_map(|piece| piece.as_bytes().to_vec());
    (any::<Index>(), 0_usize..12, prop_oneof![3 => piece, 1 => vec(any::<u8>(), 0..6)])
}

fn apply_edits(seed: &[u8], edits: Vec<Edit>) -> Vec<u8> {
    let edit = |mut input: Vec<u8>, (position, length, piece): Edit| {
        let start = position.index(input.len() + 1);
        let end = input.len().min(start + length);
        input.splice(start..end, piece);
        input
    };
    edits.into_iter().fold(seed.to_vec(), edit)
}

/// Joins lines of several inputs: the first line of the first input, then any line of each further input.
fn mix_lines(seeds: &[Vec<u8>], positions: &[(Index, Index)]) -> Vec<u8> {
    let line = |(at, (seed, line)): (usize, &(Index, Index))| {
        let lines: Vec<&[u8]> = seeds[seed.index(seeds.len())].split(|byte| *byte == b'\n').collect();
        lines[if at == 0 { 0 } else { line.index(lines.len()) }]
    };
    positions.iter().enumerate().map(line).collect::<Vec<_>>().join(&b'\n')
}
