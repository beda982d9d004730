//! A family's revision: opaque, but for when it changes.

use std::collections::HashMap;

use family_api_core::id::FamilyId;
use family_api_core::resource::Revision;

/// What was done to a family's data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// Nothing was written.
    #[default]
    Unwritten,
    /// Something was written, but nothing that a member of the family sees.
    Unseen,
    /// A member sees it.
    Seen,
}

/// What a storage has shown of each family's revision.
#[derive(Default)]
pub(crate) struct Revisions(HashMap<FamilyId, Shown>);

#[derive(Default)]
struct Shown {
    /// The latest is the last.
    revisions: Vec<Revision>,
    /// What was done since the last was shown.
    since: Change,
}

impl Revisions {
    /// Takes note of what was done to a family's data.
    pub(crate) fn note(&mut self, family: &FamilyId, change: Change) {
        let shown = self.0.entry(family.clone()).or_default();
        shown.since = shown.since.max(change);
    }

    /// Whether the storage may show this revision now.
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
