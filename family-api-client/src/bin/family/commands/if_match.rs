//! `--if-match`: conditional writes.

use clap::Args;
use family_api_client::EntityTag;

/// The version that the record must have.
#[derive(Debug, Args)]
pub(crate) struct IfMatch {
    /// Write only if the record is still at this version: its entity tag, with the quotes
    ///
    /// `etag` prints the tag of a record, and every change prints the new tag.
    #[arg(long = "if-match", value_name = "TAG")]
    pub(crate) etag: Option<EntityTag>,
}
