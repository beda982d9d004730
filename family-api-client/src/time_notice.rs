//! What the service says about the times of a write.

pub use family_api_types::change::TimeNoticeKind;

use reqwest::header::{HeaderMap, HeaderName};

pub(crate) const NOTICE: HeaderName = HeaderName::from_static("family-api-notice");

/// A time of a write that means something else than its sender may think. The service stored it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimeNotice {
    /// The field, such as `startDate`.
    pub field: String,
    /// What is special about the time.
    pub kind: TimeNoticeKind,
}

impl TimeNotice {
    /// Reads the notices of a response. Kinds that this version does not know are left out.
    pub(crate) fn read(headers: &HeaderMap) -> Vec<Self> {
        let lines = headers.get_all(NOTICE).into_iter().filter_map(|value| value.to_str().ok());
        let notice = |text: &str| {
            let (field, kind) = text.trim().split_once('=')?;
            Some(Self { field: field.to_owned(), kind: kind.parse().ok()? })
        };
        lines.flat_map(|line| line.split(',').filter_map(notice)).collect()
    }
}
