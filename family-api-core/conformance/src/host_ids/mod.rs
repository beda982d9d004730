//! Runs the cases with ids of the host's form: an adapter between a case, which uses names as ids, and the storage.
//!
//! [`HostIds`] is a subject whose storage calls the storage of the host. It translates the names in arguments and in
//! seeded records to ids of the host ([`ToHost`]), and the ids in results to names ([`ToNames`]).

mod arguments;
mod json;
mod kind;
mod names;
mod numbers;
mod results;
mod storage;
mod writes;

use async_trait::async_trait;
use family_api_core::storage::{Record, Storage};
use serde_json::Value;

use crate::Subject;
use arguments::ToHost;
use kind::Kind;
use names::Names;
use results::ToNames;

/// A subject whose records have names as ids, over a subject whose records have ids of the host.
pub(crate) struct HostIds<'a> {
    subject: &'a dyn Subject,
    names: Names<'a>,
}

impl<'a> HostIds<'a> {
    /// Returns the adapter, or `None` if the host stores names as ids.
    pub(crate) fn of(subject: &'a dyn Subject) -> Option<Self> {
        subject.host_id(numbers::FIRST)?;
        Some(Self { subject, names: Names::new(subject) })
    }

    fn host(&self) -> &dyn Storage {
        self.subject.storage()
    }
}

#[async_trait]
impl Subject for HostIds<'_> {
    fn storage(&self) -> &dyn Storage {
        self
    }

    async fn seed(&self, records: Vec<Record>) {
        let mut lines: Vec<(Option<Kind>, Value)> = records.iter().map(line).collect();
        self.names.add(&lines);
        for (kind, line) in &mut lines {
            self.names.to_host_ids(line, *kind);
        }
        let records = lines.iter().map(|(_, line)| Record::from_json(line.to_string().as_bytes()).unwrap());
        self.subject.seed(records.collect()).await;
    }

    async fn stop_database(&self) -> bool {
        self.subject.stop_database().await
    }
}

/// Returns the JSON of a record, and the kind of its own id.
fn line(record: &Record) -> (Option<Kind>, Value) {
    (Kind::of_line(record.kind()), serde_json::to_value(record).unwrap())
}
