//! Checks when the revision of a family changes. The values are opaque, so they are only compared for equality.

use std::collections::HashMap;

use family_api_core::id::FamilyId;
use family_api_core::resource::Revision;

/// The effect of a step on the data of a family.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Change {
    /// Nothing was written.
    #[default]
    NoWrite,
    /// Data was written, but none that a member of the family can read.
    Invisible,
    /// Data was written that a member of the family can read.
    Visible,
}

/// The revisions of each family that a storage has returned.
#[derive(Default)]
pub(crate) struct Revisions(HashMap<FamilyId, FamilyRevisions>);

#[derive(Default)]
struct FamilyRevisions {
    /// All revisions, the newest last.
    revisions: Vec<Revision>,
    /// The effect of the steps since the newest revision was returned.
    change_since: Change,
}

impl Revisions {
    /// Records the effect of a step on the data of a family.
    pub(crate) fn record_change(&mut self, family: &FamilyId, change: Change) {
        let FamilyRevisions { change_since, .. } = self.0.entry(family.clone()).or_default();
        *change_since = (*change_since).max(change);
    }

    /// Checks the revision that a storage returned against the changes since its previous revision.
    pub(crate) fn check(&mut self, family: FamilyId, revision: Option<Revision>) -> Result<(), String> {
        let FamilyRevisions { revisions, change_since } = self.0.entry(family).or_default();
        let change_since = std::mem::take(change_since);
        let revision = revision.ok_or("expected a revision")?;
        let is_valid = match revisions.last() {
            Some(last) if change_since == Change::NoWrite => *last == revision,
            Some(_) if change_since == Change::Visible => !revisions.contains(&revision),
            _ => true,
        };
        revisions.push(revision);
        if is_valid {
            Ok(())
        } else {
            Err(format!("the last revision is wrong after the change {change_since:?}: {revisions:?}"))
        }
    }
}
