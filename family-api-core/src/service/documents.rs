//! Documents that were made already.

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use moka::future::Cache;
use moka::policy::EvictionPolicy;

use crate::entity_tag::EntityTag;
use crate::storage::StorageError;

/// What the cache itself takes for each document, about, in bytes.
const OVERHEAD: usize = 256;

/// A document as it goes over the wire, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Representation {
    pub(super) tag: EntityTag,
    pub(super) body: Bytes,
}

/// The last version of each document, by what was asked, up to so many bytes; those that were asked for last stay.
///
/// A tag names the bytes: the caller, what they asked, and the revision of the family's data. Whoever asks takes the
/// revision from the storage first, so a document that a change has made old is never shown again.
#[derive(Clone)]
pub(super) struct Documents {
    kept: Cache<String, Representation>,
    most: u64,
    /// Where those wait who ask for what is being made. It keeps nothing.
    waiting: Cache<EntityTag, Infallible>,
}

impl Documents {
    pub(super) fn of_bytes(most: u64) -> Self {
        let kept = Cache::builder().max_capacity(most).eviction_policy(EvictionPolicy::lru());
        let kept = kept.weigher(|asked: &String, document| weight(asked, document));
        Self { kept: kept.build(), most, waiting: Cache::new(0) }
    }

    /// The document of that tag, made unless it is there. Of many who ask at once one makes it, and the others wait.
    ///
    /// Where the data has changed since the tag was taken, what comes is newer and has another tag. It is an answer to
    /// all who wait, for they began before it was made.
    pub(super) async fn get(
        &self,
        asked: &str,
        tag: EntityTag,
        making: impl Future<Output = Result<Representation, StorageError>>,
    ) -> Result<Representation, StorageError> {
        if let Some(kept) = self.find(asked, &tag).await {
            return Ok(kept);
        }
        let told = self.waiting.try_get_with_by_ref(&tag, async {
            // Somebody may have made it since.
            Err(Told(match self.find(asked, &tag).await {
                Some(kept) => Ok(kept),
                None => self.keep(asked, making.await).await,
            }))
        });
        match told.await {
            Ok(never) => match never {},
            Err(told) => Arc::unwrap_or_clone(told).0,
        }
    }

    async fn find(&self, asked: &str, tag: &EntityTag) -> Option<Representation> {
        self.kept.get(asked).await.filter(|kept| kept.tag == *tag)
    }

    /// Keeps what was made in the place of an older version, unless it is more than all may be.
    async fn keep(
        &self,
        asked: &str,
        made: Result<Representation, StorageError>,
    ) -> Result<Representation, StorageError> {
        match &made {
            Ok(document) if u64::from(weight(asked, document)) > self.most => self.kept.invalidate(asked).await,
            Ok(document) => self.kept.insert(asked.to_owned(), document.clone()).await,
            Err(_) => {}
        }
        made
    }
}

/// What it takes to keep a document, in bytes.
fn weight(asked: &str, document: &Representation) -> u32 {
    u32::try_from(asked.len() + document.body.len() + OVERHEAD).unwrap_or(u32::MAX)
}

/// What all who wait are told, and nobody who comes later.
#[derive(Clone)]
struct Told(Result<Representation, StorageError>);

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use futures_util::future::join_all;

    use super::*;

    /// Room for three documents of a thousand bytes.
    const ROOM: u64 = 3 * 1_300;

    /// What is asked, at some revision, is so many bytes; says whether it had to be made.
    async fn is_made(documents: &Documents, asked: &str, revision: u32, length: usize) -> bool {
        let made = Representation {
            tag: EntityTag::of(format!("{asked} {revision}").as_bytes()),
            body: vec![b'x'; length].into(),
        };
        let mut is_made = false;
        let making = async {
            is_made = true;
            Ok(made.clone())
        };
        assert_eq!(documents.get(asked, made.tag.clone(), making).await.unwrap(), made);
        documents.kept.run_pending_tasks().await;
        is_made
    }

    #[tokio::test]
    async fn what_changes_often_leaves_others_their_room() {
        let documents = Documents::of_bytes(ROOM);
        assert!(is_made(&documents, "another", 1, 1_000).await);
        for revision in 1..100 {
            assert!(is_made(&documents, "the same", revision, 1_000).await);
            assert!(!is_made(&documents, "the same", revision, 1_000).await);
        }
        assert!(!is_made(&documents, "another", 1, 1_000).await);
    }

    #[tokio::test]
    async fn what_grows_beyond_all_room_leaves_others_theirs() {
        let documents = Documents::of_bytes(ROOM);
        for asked in ["another", "growing"] {
            is_made(&documents, asked, 1, 1_000).await;
        }
        for _ in 0..2 {
            assert!(is_made(&documents, "growing", 2, 10_000).await);
            assert!(!is_made(&documents, "another", 1, 1_000).await);
        }
        assert_eq!(documents.kept.entry_count(), 1);
    }

    #[tokio::test]
    async fn where_there_is_no_room_what_was_asked_for_longest_ago_goes() {
        let documents = Documents::of_bytes(ROOM);
        for asked in ["1", "2", "3", "1", "4"] {
            is_made(&documents, asked, 1, 1_000).await;
        }
        for (asked, is_gone) in [("1", false), ("3", false), ("4", false), ("2", true)] {
            assert_eq!(is_made(&documents, asked, 1, 1_000).await, is_gone, "{asked}");
        }
    }

    #[tokio::test]
    async fn what_is_asked_takes_room_beside_the_answer() {
        let documents = Documents::of_bytes(ROOM);
        for number in 0..100 {
            is_made(&documents, &format!("{number:01000}"), 1, 0).await;
        }
        assert_eq!(documents.kept.entry_count(), 3);
        for number in 0..100 {
            is_made(&documents, &format!("{number}"), 1, 0).await;
        }
        assert!((10..=15).contains(&documents.kept.entry_count()), "{}", documents.kept.entry_count());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn what_many_ask_for_at_once_is_made_once() {
        let (documents, makings) = (Documents::of_bytes(ROOM), AtomicUsize::new(0));
        let (documents, makings) = (Arc::new(documents), Arc::new(makings));
        for round in 1..=2_000 {
            let ask = |_| {
                let (documents, makings) = (Arc::clone(&documents), Arc::clone(&makings));
                tokio::spawn(async move {
                    let tag = EntityTag::of(round.to_string().as_bytes());
                    let made = Representation { tag: tag.clone(), body: Bytes::new() };
                    let making = async {
                        makings.fetch_add(1, SeqCst);
                        Ok(made)
                    };
                    documents.get("it", tag, making).await
                })
            };
            join_all((0..4).map(ask)).await;
            assert_eq!(makings.load(SeqCst), round);
        }
    }
}
