//! Reads of the five resources.

use bytes::Bytes;

use crate::access::Caller;
use crate::calendar::{EventRange, StatsPeriods};
use crate::error::Error;
use crate::resource::{Document, ReadQuery, TaskStats};
use crate::service::FamilyApi;
use crate::storage::Member;

/// The permission to read the family's resources.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    pub(super) api: &'a FamilyApi,
    pub(super) caller: &'a Caller,
}

impl Reading<'_> {
    /// The JSON of a resource, as section 5 of the contract shapes it.
    ///
    /// # Errors
    /// [`Error::NotFound`] for a session's user without a family, or the storage's fault.
    pub async fn get(&self, query: &ReadQuery) -> Result<Bytes, Error> {
        let member = self.caller.member()?;
        let storage = &self.api.storage;
        Ok(match query {
            ReadQuery::Tasks(filter) => storage.list_tasks(&member, *filter).await?.into_bytes(),
            ReadQuery::Events { from, to } => {
                let range = EventRange::of_days(*from, *to, &self.caller.account().zone);
                storage.list_events(&member, &range).await?.into_bytes()
            }
            ReadQuery::Shopping => storage.list_shopping(&member).await?.into_bytes(),
            ReadQuery::Notes => storage.list_notes(&member).await?.into_bytes(),
            ReadQuery::TaskStats => Document::of(&self.task_stats(&member).await?)?.into_bytes(),
        })
    }

    async fn task_stats(&self, member: &Member) -> Result<TaskStats, Error> {
        let periods = StatsPeriods::at(self.api.clock.now(), &self.caller.account().zone);
        Ok(self.api.storage.find_task_stats(member, &periods).await?)
    }
}
