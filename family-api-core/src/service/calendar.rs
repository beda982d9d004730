//! Queries about the time that events take.

use std::time::Duration;

use tokio::time::timeout;
use tracing::instrument;

use crate::error::Error;
use crate::query::{ClashGroup, ClashQuery, Clashes, FreeTime, FreeTimeQuery, events};
use crate::resource::Event;
use crate::service::ReadService;
use crate::service::blocking::run_blocking;
use crate::service::read::StorageRead;
use crate::storage::StorageError;

/// Maximum time of a search for clashes. The write is committed already, so its answer must not wait for long.
const MAX_CLASH_TIME: Duration = Duration::from_secs(5);

impl ReadService<'_> {
    /// Finds what each of these events overlaps with for the same people, after they were written. Returns `None` for an
    /// event that was not compared, because it is far apart from the others. Reads the events with one storage call for
    /// each of at most 3 groups of days, without the cache, so that also the events of this request are compared with
    /// each other.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the storage keeps no events, or the user of a session has no family.
    /// - [`Error::RateLimited`] if the family has too many documents that are loaded or searched at once.
    /// - [`Error::Unavailable`] if the events were not read and compared within 5 seconds, or the error of the storage.
    #[instrument(level = "debug", skip_all, fields(events = queries.len()))]
    pub async fn find_clashes(&self, queries: Vec<ClashQuery>) -> Result<Vec<Option<Clashes>>, Error> {
        let context = self.context();
        let mut found: Vec<Option<Clashes>> = queries.iter().map(|_| None).collect();
        let mut groups = Vec::new();
        for group in ClashGroup::of(queries, context.borrowed()) {
            let days = group.days()?;
            let instants = events::overlapping_instants(days, &context.zone);
            groups.push((group, days, self.request(StorageRead::OverlappingEvents(instants))?));
        }
        let read = self.in_load_after_write(move |mut load| async move {
            for (group, days, request) in groups {
                let (events, zone): (Vec<Event>, _) = (load.records(Some(request)).await?, context.zone.clone());
                for (index, clashes) in run_blocking(move || group.select(&events, days, &zone)).await? {
                    if let Some(found) = found.get_mut(index) {
                        *found = Some(clashes);
                    }
                }
            }
            Ok(found)
        });
        timeout(MAX_CLASH_TIME, read).await.map_err(StorageError::unavailable)?
    }

    /// Finds when people are free at the same time, as far as the caller sees the events. Needs one storage call, or none
    /// if the data is unchanged and in the cache.
    ///
    /// # Errors
    /// - [`Error::InvalidQuery`] if the last day is before the first, or more than 13 days after it.
    /// - [`Error::NotFound`] if the storage keeps no events, or the user of a session has no family.
    /// - [`Error::RateLimited`] if the family has too many documents that are loaded or searched at once.
    /// - The error of the storage.
    #[instrument(level = "debug", skip_all)]
    pub async fn find_free_time(&self, query: &FreeTimeQuery) -> Result<FreeTime, Error> {
        let context = self.context();
        let days = query.days(context.borrowed())?;
        let request =
            self.request(StorageRead::OverlappingEvents(events::overlapping_instants(days, &context.zone)))?;
        let query = query.clone();
        self.in_load(move |mut load| async move {
            let events: Vec<Event> = load.records(Some(request)).await?;
            Ok(run_blocking(move || query.select(&events, days, context.borrowed())).await?)
        })
        .await
    }
}
