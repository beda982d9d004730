//! Checks when the revision of a family changes. Its value is opaque.

use std::collections::HashMap;

use family_api_core::id::FamilyId;
use family_api_core::resource::Revision;

/// The effect of a step on the data of a family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// Nothing was written.
    #[default]
    Unwritten,
    /// Something was written, but nothing that a member of the family can read.
    Unseen,
    /// Something was written that a member can read.
    Seen,
}

/// The revisions of each family that a storage has returned.
#[derive(Default)]
pub(crate) struct Revisions(HashMap<FamilyId, Shown>);

#[derive(Default)]
struct Shown {
    /// All revisions, the newest last.
    revisions: Vec<Revision>,
    /// The effect of the steps since the newest revision was returned.
    since: Change,
}

impl Revisions {
    /// Records the effect of a step on the data of a family.
    pub(crate) fn note(&mut self, family: &FamilyId, change: Change) {
        let shown = self.0.entry(family.clone()).or_default();
        shown.since = shown.since.max(change);
    }

    /// Checks that the storage may return this revision now.
    pub(crate) fn check(&mut self, family: FamilyId, revision: Option<Revision>) -> Result<(), String> {
        let Shown { revisions, since } = self.0.entry(family).or_default();
        let since = std::mem::take(since);
        let revision = revision.ok_or("expected a revision")?;
        let is_right = match revisions.last() {
            Some(last) if since == Change::Unwritten => *last == revision,
            Some(_) if since == Change::Seen => !revisions.contains(&revision),
            _ => true,
        };
        revisions.push(revision);
        if is_right { Ok(()) } else { Err(format!("{since:?}, and the revisions are {revisions:?}")) }
    }
}
