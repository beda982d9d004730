//! The documents of the cache: the most recently used ones as they are, others compressed.

use std::collections::hash_map::RandomState;
use std::sync::Arc;

use bytes::Bytes;
use hashlink::LinkedHashMap;

use crate::content_coding::ContentCoding;
use crate::entity_tag::EntityTag;
use crate::service::blocking::run_if_long;
use crate::service::document_cache::Representation;

/// Approximate overhead of the cache for each document, in bytes.
const ENTRY_OVERHEAD: usize = 256;

/// How many times as long a document stays compressed as it stays plain. A plain document of 82 KB takes the place of
/// eight compressed ones. It saves 30 µs for a read, and a compressed one saves 300 µs.
const COMPRESSED_STAY: u64 = 64;

/// One of this number of documents that were read only once is compressed. If all were, reads that never come back
/// would cost a third more.
const READ_ONCE: u32 = 8;

/// The size from which a document is worth the compression, in bytes.
const MIN_COMPRESSED: usize = 4_096;

/// Documents in two parts, each in the order of use. Both parts count towards one limit in bytes. A request is in one
/// part only. A document that leaves the plain part is compressed, one at a time: meanwhile it is in no part.
pub(super) struct CachedDocuments {
    max_bytes: usize,
    bytes: usize,
    plain: LinkedHashMap<Arc<str>, Plain, RandomState>,
    compressed: LinkedHashMap<Arc<str>, Compressed, RandomState>,
    /// The number of uses, as a clock.
    uses: u64,
    read_once: u32,
    is_compressing: bool,
}

struct Plain {
    document: Representation,
    /// The compressed form, if the document was compressed before. It saves another compression.
    compressed: Option<Compressed>,
    last_use: u64,
    is_read_again: bool,
}

/// A document that is compressed with zstd.
#[derive(Clone)]
pub(super) struct Compressed {
    body: Bytes,
    tag: EntityTag,
    is_truncated: bool,
    /// The length of the document, in bytes.
    length: usize,
    last_use: u64,
}

/// A document to compress. [`CachedDocuments::finish`] must follow.
pub(super) struct Evicted {
    request: Arc<str>,
    document: Representation,
}

impl CachedDocuments {
    pub(super) fn with_capacity(max_bytes: u64) -> Self {
        Self {
            max_bytes: max_bytes.try_into().unwrap_or(usize::MAX),
            bytes: 0,
            plain: LinkedHashMap::default(),
            compressed: LinkedHashMap::default(),
            uses: 0,
            read_once: 0,
            is_compressing: false,
        }
    }

    /// Returns the number of documents and their size in bytes.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.plain.len() + self.compressed.len(), self.bytes)
    }

    /// Returns the plain document with the tag.
    pub(super) fn find(&mut self, request: &str, tag: &EntityTag) -> Option<Representation> {
        self.uses += 1;
        let entry = self.plain.to_back(request)?;
        entry.last_use = self.uses;
        entry.is_read_again |= entry.document.tag == *tag;
        (entry.document.tag == *tag).then(|| entry.document.clone())
    }

    /// Returns the compressed document with the tag.
    pub(super) fn find_compressed(&self, request: &str, tag: &EntityTag) -> Option<Compressed> {
        self.compressed.get(request).filter(|compressed| compressed.tag == *tag).cloned()
    }

    /// Replaces the cached version of a document. A document that is larger than the whole cache only removes the
    /// cached version.
    #[must_use]
    pub(super) fn insert(&mut self, request: &str, document: Representation) -> Option<Evicted> {
        self.remove(request);
        if entry_size(request, &document.body) > self.max_bytes {
            return None;
        }
        self.push(request.into(), Plain { document, compressed: None, last_use: self.uses, is_read_again: false })
    }

    /// Moves a decompressed document to the plain part, unless it was replaced or removed meanwhile.
    #[must_use]
    pub(super) fn restore(&mut self, request: &str, document: Representation) -> Option<Evicted> {
        let compressed = Some(self.find_compressed(request, &document.tag)?);
        self.remove(request);
        self.push(request.into(), Plain { document, compressed, last_use: self.uses, is_read_again: true })
    }

    /// Stores an evicted document that was compressed, unless it was read again meanwhile. `None` if it cannot be
    /// compressed.
    #[must_use]
    pub(super) fn finish(&mut self, request: Arc<str>, compressed: Option<Compressed>) -> Option<Evicted> {
        self.is_compressing = false;
        if let Some(compressed) = compressed.filter(|_| !self.plain.contains_key(&request)) {
            self.push_compressed(request, compressed);
        }
        self.shrink()
    }

    fn push(&mut self, request: Arc<str>, entry: Plain) -> Option<Evicted> {
        self.bytes += entry.size(&request);
        self.plain.insert(request, entry);
        self.shrink()
    }

    fn push_compressed(&mut self, request: Arc<str>, compressed: Compressed) {
        self.bytes += entry_size(&request, &compressed.body);
        self.compressed.insert(request, Compressed { last_use: self.uses, ..compressed });
    }

    fn remove(&mut self, request: &str) {
        let plain = self.plain.remove(request).map(|entry| entry.size(request));
        let compressed = self.compressed.remove(request).map(|entry| entry_size(request, &entry.body));
        self.bytes -= plain.or(compressed).unwrap_or(0);
    }

    /// Evicts documents until the others fit. Returns one to compress.
    fn shrink(&mut self) -> Option<Evicted> {
        let mut evicted = None;
        while self.bytes > self.max_bytes {
            if self.is_compressed_next() {
                let next = self.compressed.pop_front();
                self.bytes -= next.map_or(0, |(request, entry)| entry_size(&request, &entry.body));
            } else {
                let Some((request, entry)) = self.plain.pop_front() else { break };
                self.bytes -= entry.size(&request);
                if let Some(compressed) = entry.compressed {
                    self.push_compressed(request, compressed);
                } else if !self.is_compressing && self.is_worth_compressing(&entry) {
                    self.is_compressing = true;
                    evicted = Some(Evicted { request, document: entry.document });
                }
            }
        }
        evicted
    }

    /// Returns whether the next document to evict is compressed.
    fn is_compressed_next(&self) -> bool {
        match (self.plain.front(), self.compressed.front()) {
            (Some((_, plain)), Some((_, compressed))) => {
                self.uses - compressed.last_use > COMPRESSED_STAY * (self.uses - plain.last_use)
            }
            (None, Some(_)) => true,
            (_, None) => false,
        }
    }

    fn is_worth_compressing(&mut self, Plain { document, is_read_again, .. }: &Plain) -> bool {
        if document.coding != ContentCoding::Identity || document.body.len() < MIN_COMPRESSED {
            return false;
        }
        self.read_once = (self.read_once + u32::from(!is_read_again)) % READ_ONCE;
        *is_read_again || self.read_once == 0
    }
}

impl Plain {
    fn size(&self, request: &str) -> usize {
        entry_size(request, &self.document.body) + self.compressed.as_ref().map_or(0, |entry| entry.body.len())
    }
}

/// Returns the size of a cached document, in bytes.
pub(super) fn entry_size(request: &str, body: &Bytes) -> usize {
    request.len() + body.len() + ENTRY_OVERHEAD
}

impl Compressed {
    /// Returns the document, or `None` if the bytes are damaged.
    pub(super) async fn decompress(self) -> Option<Representation> {
        let Self { body, tag, is_truncated, length, .. } = self;
        let json = run_if_long(length, move || zstd::bulk::decompress(&body, length)).await.ok()?.ok()?;
        Some(Representation { tag, coding: ContentCoding::Identity, body: json.into(), is_truncated })
    }
}

impl Evicted {
    /// Compresses the document. Returns `None` if it does not become smaller.
    pub(super) async fn compress(self) -> (Arc<str>, Option<Compressed>) {
        let Representation { tag, body: json, is_truncated, .. } = self.document;
        let length = json.len();
        let body = run_if_long(length, move || ContentCoding::Zstd.encode(&json)).await.ok().and_then(Result::ok);
        let body = body.map(Bytes::from).filter(|body| body.len() < length);
        (self.request, body.map(|body| Compressed { body, tag, is_truncated, length, last_use: 0 }))
    }
}

#[cfg(test)]
mod tests;
