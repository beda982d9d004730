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
    /// Those that are being made. It holds none: it is where those wait who ask for the same meanwhile.
    making: Cache<EntityTag, Infallible>,
}

impl Documents {
    pub(super) fn of_bytes(most: u64) -> Self {
        let weigher = |asked: &String, kept: &Representation| {
            u32::try_from(asked.len() + kept.body.len() + OVERHEAD).unwrap_or(u32::MAX)
        };
        let kept = Cache::builder().max_capacity(most).weigher(weigher).eviction_policy(EvictionPolicy::lru());
        Self { kept: kept.build(), making: Cache::new(0) }
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
        if let Some(kept) = self.kept.get(asked).await
            && kept.tag == tag
        {
            return Ok(kept);
        }
        let making = async {
            let made = making.await;
            if let Ok(made) = &made {
                self.kept.insert(asked.to_owned(), made.clone()).await;
            }
            Err(Told(made))
        };
        match self.making.try_get_with(tag, making).await {
            Ok(never) => match never {},
            Err(told) => Arc::unwrap_or_clone(told).0,
        }
    }
}

/// What all who wait are told, and nobody who comes later.
#[derive(Clone)]
struct Told(Result<Representation, StorageError>);

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: Bytes = Bytes::from_static(&[b'x'; 1_000]);

    /// What is asked, at some revision; says whether it had to be made.
    async fn is_made(documents: &Documents, asked: &str, revision: u32) -> bool {
        let tag = EntityTag::of(format!("{asked} {revision}").as_bytes());
        let mut is_made = false;
        let made = Representation { tag: tag.clone(), body: BODY };
        let making = async {
            is_made = true;
            Ok(made.clone())
        };
        assert_eq!(documents.get(asked, tag, making).await.unwrap(), made);
        documents.kept.run_pending_tasks().await;
        is_made
    }

    #[tokio::test]
    async fn what_changes_often_leaves_others_their_room() {
        let documents = Documents::of_bytes(3 * 1_300);
        assert!(is_made(&documents, "another", 1).await);
        for revision in 1..100 {
            assert!(is_made(&documents, "the same", revision).await);
            assert!(!is_made(&documents, "the same", revision).await);
        }
        assert!(!is_made(&documents, "another", 1).await);
    }

    #[tokio::test]
    async fn where_there_is_no_room_what_was_asked_for_longest_ago_goes() {
        let documents = Documents::of_bytes(3 * 1_300);
        for asked in ["1", "2", "3", "1", "4"] {
            is_made(&documents, asked, 1).await;
        }
        for (asked, is_gone) in [("1", false), ("3", false), ("4", false), ("2", true)] {
            assert_eq!(is_made(&documents, asked, 1).await, is_gone, "{asked}");
        }
    }
}
