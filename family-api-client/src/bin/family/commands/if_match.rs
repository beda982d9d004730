//! `--if-match`: conditional writes.

use clap::Args;
use family_api_client::EntityTag;

/// The version that the record must have.
#[derive(Debug, Args)]
pub(crate) struct IfMatch {
    /// Write only if the record still has this entity tag (with its quotes)
    ///
    /// `family task etag` and `family note etag` print the tag of a record. Every change of a task prints the new tag.
    #[arg(long = "if-match", value_name = "TAG")]
    pub(crate) etag: Option<EntityTag>,
}
