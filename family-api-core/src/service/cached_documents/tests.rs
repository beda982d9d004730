//! The two parts in random and in known orders of use.

use futures_util::FutureExt;
use proptest::prelude::*;

use super::*;

/// Capacity for four documents, or many compressed ones.
const CAPACITY: u64 = 4 * 10_500;

fn document(request: u8, revision: u32) -> Representation {
    Representation {
        tag: EntityTag::of(format!("{request} {revision}").as_bytes()),
        coding: ContentCoding::Identity,
        body: format!("{request:03}{revision:07}").repeat(1_000).into(),
        is_truncated: request.is_multiple_of(2),
    }
}

/// The cache, and the document that is being compressed.
struct Reads {
    cached: CachedDocuments,
    evicted: Option<Evicted>,
    compressions: usize,
}

#[derive(Debug, PartialEq)]
enum Found {
    Plain,
    Compressed,
    Nothing,
}

impl Reads {
    fn new() -> Self {
        Self { cached: CachedDocuments::with_capacity(CAPACITY), evicted: None, compressions: 0 }
    }

    /// Reads a document. Does not wait for the compression of another one.
    fn read(&mut self, request: u8, revision: u32) -> Found {
        let (expected, request) = (document(request, revision), request.to_string());
        let found = if let Some(plain) = self.cached.find(&request, &expected.tag) {
            assert!(plain == expected);
            Found::Plain
        } else if let Some(compressed) = self.cached.find_compressed(&request, &expected.tag) {
            assert!(compressed.decompress().now_or_never().unwrap().as_ref() == Some(&expected));
            let evicted = self.cached.restore(&request, expected);
            self.add(evicted);
            Found::Compressed
        } else {
            let evicted = self.cached.insert(&request, expected);
            self.add(evicted);
            Found::Nothing
        };
        self.check();
        found
    }

    fn add(&mut self, evicted: Option<Evicted>) {
        if evicted.is_some() {
            assert!(self.evicted.is_none(), "two documents are compressed at once");
            self.evicted = evicted;
            self.compressions += 1;
        }
    }

    fn finish(&mut self) {
        while let Some(evicted) = self.evicted.take() {
            let (request, compressed) = evicted.compress().now_or_never().unwrap();
            let evicted = self.cached.finish(request, compressed);
            self.add(evicted);
            self.check();
        }
    }

    fn read_and_finish(&mut self, request: u8, revision: u32) -> Found {
        let found = self.read(request, revision);
        self.finish();
        found
    }

    /// Checks that the size is that of both parts, within the limit, and that a request is in one part.
    fn check(&self) {
        let CachedDocuments { plain, compressed, bytes, max_bytes, .. } = &self.cached;
        let plain_size: usize = plain.iter().map(|(request, entry)| entry.size(request)).sum();
        let compressed_size: usize = compressed.iter().map(|(request, entry)| entry_size(request, &entry.body)).sum();
        assert_eq!(*bytes, plain_size + compressed_size);
        assert!(bytes <= max_bytes);
        assert!(!plain.keys().any(|request| compressed.contains_key(request)));
    }
}

proptest! {
    #[test]
    fn every_use_returns_the_current_bytes_within_the_limit(
        steps in prop::collection::vec((0..12_u8, 0..8_u8), 1..400)
    ) {
        let (mut reads, mut revisions) = (Reads::new(), [0; 12]);
        for (request, action) in steps {
            match action {
                0 => revisions[usize::from(request)] += 1,
                1 | 2 => reads.finish(),
                _ => drop(reads.read(request, revisions[usize::from(request)])),
            }
        }
    }
}

#[test]
fn documents_that_are_read_again_are_found_compressed_and_then_plain() {
    let mut reads = Reads::new();
    for request in 0..12 {
        assert_eq!(reads.read_and_finish(request, 1), Found::Nothing);
        assert_eq!(reads.read_and_finish(request, 1), Found::Plain);
    }
    for request in 0..9 {
        assert_eq!(reads.read_and_finish(request, 1), Found::Compressed);
        assert_eq!(reads.read_and_finish(request, 1), Found::Plain);
    }
    // A document keeps its compressed form, so none is compressed twice.
    assert_eq!((reads.compressions, reads.cached.size().0), (12, 12));
}

#[test]
fn one_of_eight_documents_that_are_read_once_is_compressed() {
    let mut reads = Reads::new();
    for request in 0..84 {
        reads.read_and_finish(request, 1);
    }
    assert_eq!(reads.compressions, 10);
}

#[test]
fn a_document_that_changes_often_is_never_compressed() {
    let mut reads = Reads::new();
    for revision in 0..100 {
        for request in [0, 1, 0, 0, 1] {
            reads.read_and_finish(request, revision);
        }
    }
    assert_eq!((reads.compressions, reads.cached.size().0), (0, 2));
}

#[test]
fn an_encoded_or_short_document_is_not_compressed() {
    let mut cached = CachedDocuments::with_capacity(CAPACITY);
    for number in 0..100 {
        let encoded = Representation { coding: ContentCoding::Zstd, ..document(number, 1) };
        let short = Representation { body: document(number, 1).body.slice(..4_000), ..document(number, 2) };
        for (request, document) in [(format!("{number}"), encoded), (format!("{number} short"), short)] {
            assert!(cached.insert(&request, document.clone()).is_none());
            assert!(cached.find(&request, &document.tag).is_some());
        }
    }
}

#[test]
fn a_new_version_removes_the_compressed_one() {
    let mut reads = Reads::new();
    for request in [0, 0, 1, 2, 3, 4] {
        reads.read_and_finish(request, 1);
    }
    assert_eq!(reads.cached.compressed.keys().map(|request| &**request).collect::<Vec<_>>(), ["0"]);
    assert_eq!(reads.read_and_finish(0, 2), Found::Nothing);
    assert!(reads.cached.compressed.is_empty());
}

#[test]
fn a_version_that_is_replaced_during_its_compression_is_not_stored() {
    let mut reads = Reads::new();
    for request in [0, 0, 1, 2, 3, 4] {
        reads.read(request, 1);
    }
    assert!(reads.evicted.is_some());
    reads.read(0, 2);
    reads.finish();
    assert_eq!(reads.read(0, 2), Found::Plain);
    assert!(!reads.cached.compressed.contains_key("0"));
}

#[test]
fn a_version_that_is_replaced_while_it_is_decompressed_is_not_restored() {
    let mut reads = Reads::new();
    for request in [0, 0, 1, 2, 3, 4] {
        reads.read_and_finish(request, 1);
    }
    assert!(reads.cached.find_compressed("0", &document(0, 1).tag).is_some());
    reads.read_and_finish(0, 2);
    assert!(reads.cached.restore("0", document(0, 1)).is_none());
    assert_eq!(reads.read(0, 2), Found::Plain);
}

#[test]
fn compressed_documents_that_are_read_no_more_make_room() {
    let mut reads = Reads::new();
    for request in 0..40 {
        reads.read_and_finish(request, 1);
        reads.read_and_finish(request, 1);
    }
    assert!(reads.cached.compressed.len() > 20);
    for _ in 0..1_000 {
        for request in 100..104 {
            reads.read_and_finish(request, 1);
        }
    }
    for request in 100..104 {
        assert_eq!(reads.read(request, 1), Found::Plain);
    }
}
