//! `--if-match`: writes on condition of a version.

use clap::Args;
use family_api_client::EntityTag;

/// The condition of a write.
#[derive(Debug, Args)]
pub(crate) struct IfMatch {
    /// Write only if the record is still at this version: its entity tag, quotes included
    ///
    /// `etag` shows the tag of a record, and every change shows the new one.
    #[arg(long = "if-match", value_name = "TAG")]
    pub(crate) etag: Option<EntityTag>,
}
