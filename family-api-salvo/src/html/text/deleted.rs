//! The texts of the page of deleted records.

use serde::Deserialize;

/// The texts of the page of deleted records.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DeletedText {
    /// The name of the page.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// `{records}` are the kinds of records that can be restored.
    pub(crate) explanation: &'static str,
    pub(crate) empty: &'static str,
    pub(crate) no_family: &'static str,
    pub(crate) task: &'static str,
    pub(crate) note: &'static str,
    pub(crate) event: &'static str,
    pub(crate) shopping_item: &'static str,
    pub(crate) untitled: &'static str,
    /// Precedes the time of the deletion.
    pub(crate) deleted: &'static str,
    /// Precedes the time until which the record can be brought back.
    pub(crate) until: &'static str,
    pub(crate) bring_back: &'static str,
    /// `{name}` is the title of the record.
    pub(crate) brought_back: &'static str,
    pub(crate) more: &'static str,
    /// The session ended while the page was open.
    pub(crate) signed_out: &'static str,
    /// The record cannot be brought back any more.
    pub(crate) not_found: &'static str,
    /// The family has as many records of the kind as possible.
    pub(crate) limit_reached: &'static str,
}
