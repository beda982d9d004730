//! Queries about the time that events take.

use tracing::instrument;

use crate::error::Error;
use crate::query::{ClashQuery, Clashes, FreeTime, FreeTimeQuery, events};
use crate::resource::Event;
use crate::service::ReadService;
use crate::service::blocking::run_blocking;
use crate::service::read::StorageRead;

impl ReadService<'_> {
    /// Finds what each of these events overlaps with for the same people, after they were written. Reads all events with
    /// one storage call, without the cache, so that also the events of this request are compared with each other.
    ///
    /// # Errors
    /// - [`Error::NotFound`] if the storage keeps no events, or the user of a session has no family.
    /// - [`Error::RateLimited`] if the family has too many documents that are loaded or searched at once.
    /// - The error of the storage.
    #[instrument(level = "debug", skip_all, fields(events = queries.len()))]
    pub async fn find_clashes(&self, queries: Vec<ClashQuery>) -> Result<Vec<Clashes>, Error> {
        let context = self.context();
        let windows: Vec<_> = queries.iter().map(|query| query.window(context.borrowed())).collect();
        let days = windows.iter().filter_map(|window| window.days().ok());
        let instants = days.map(|days| events::overlapping_instants(days, &context.zone));
        let Some(all) = instants.reduce(|one, other| one.start.min(other.start)..one.end.max(other.end)) else {
            return Ok(queries.iter().map(|_| Clashes::default()).collect());
        };
        let request = self.request(StorageRead::OverlappingEvents(all))?;
        self.in_load_after_write(move |mut load| async move {
            let events: Vec<Event> = load.records(Some(request)).await?;
            let select = move || {
                let queries = queries.iter().zip(windows);
                queries.map(|(query, window)| query.select(&events, window, &context.zone)).collect()
            };
            Ok(run_blocking(select).await?)
        })
        .await
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
