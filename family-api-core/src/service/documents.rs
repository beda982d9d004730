//! Documents that were made already.

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

/// Documents by their tags, up to so many bytes; those that were asked for last stay.
///
/// A tag names the bytes: the caller, what they asked, and the revision of the family's data. Whoever asks takes the
/// revision from the storage first, so a document that a change has made old is never asked for again.
#[derive(Clone)]
pub(super) struct Documents(Cache<EntityTag, Bytes>);

impl Documents {
    pub(super) fn of_bytes(most: u64) -> Self {
        let weigher = |_: &EntityTag, body: &Bytes| u32::try_from(body.len() + OVERHEAD).unwrap_or(u32::MAX);
        Self(Cache::builder().max_capacity(most).weigher(weigher).eviction_policy(EvictionPolicy::lru()).build())
    }

    /// The document of that tag, made unless it is there. Of many who ask at once one makes it, and the others wait.
    ///
    /// Where the data has changed since the tag was taken, what comes is newer and has another tag. It is an answer to
    /// all who wait, for they began before it was made; it is not kept, for it is not what the tag names.
    pub(super) async fn get(
        &self,
        tag: EntityTag,
        making: impl Future<Output = Result<Representation, StorageError>>,
    ) -> Result<Representation, StorageError> {
        let kept = async {
            match making.await {
                Ok(made) if made.tag == tag => Ok(made.body),
                other => Err(NotKept(other)),
            }
        };
        match self.0.try_get_with_by_ref(&tag, kept).await {
            Ok(body) => Ok(Representation { tag, body }),
            Err(not_kept) => Arc::unwrap_or_clone(not_kept).0,
        }
    }
}

/// What all who wait are told, and nobody who comes later.
#[derive(Clone)]
struct NotKept(Result<Representation, StorageError>);
