//! Turns of writes: the families write one after the other, even if one of them has many writes at once.
//!
//! A pool of connections serves its callers in the order in which they came. So a write would wait for all writes of
//! another family that came before. Here, a write first waits for the other writes of its lane, and only then for a
//! connection. At most a few writes of each lane are in the pool or wait for it, so the lanes take turns.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use family_api_core::id::FamilyId;
#[cfg(feature = "sqlite")]
use family_api_core::id::UserId;
use family_api_core::storage::StorageError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of writes of a lane that wait. With the one that runs, they are half of the requests that the HTTP
/// layer has in progress by default (64). The other half remains for reads and for other families.
const MAX_WAITING: usize = 31;

/// The writes that wait for each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Lane {
    /// Changes of a family's records.
    Family(FamilyId),
    /// A signed-in user's changes of the profile, keys, connections and sessions.
    #[cfg(feature = "sqlite")]
    User(UserId),
}

/// The lanes in which a write has a place.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    lanes: Arc<Mutex<HashMap<Lane, Writes>>>,
    at_a_time: usize,
}

/// The writes of a lane.
#[derive(Debug)]
struct Writes {
    /// Those that run or wait.
    running: usize,
    /// Those, and the ended ones whose connection has not returned to the pool.
    places: usize,
    turns: Arc<Semaphore>,
}

/// The place of a write in its lane. The write ends when this is dropped: its client can send the next one, even if the
/// turn lasts until the connection has returned to the pool.
#[derive(Debug)]
pub(crate) struct Place {
    lane: Arc<LanePlace>,
    turn: Option<Turn>,
}

#[derive(Debug)]
struct LanePlace {
    lanes: Turns,
    lane: Lane,
    turns: Arc<Semaphore>,
}

/// A turn of a lane. It ends when its last clone is dropped, so what returns the connection to the pool must own one: a
/// cancelled write uses its connection until the running statement ends.
#[derive(Debug, Clone)]
pub(crate) struct Turn {
    /// Dropped before the place in the lane, because the last place removes the lane.
    _permit: Arc<OwnedSemaphorePermit>,
    _lane: Arc<LanePlace>,
}

impl Turns {
    /// Creates turns of which each lane has this many at a time.
    pub(crate) fn new(at_a_time: usize) -> Self {
        Self { lanes: Arc::default(), at_a_time }
    }

    /// Gives a write a place in its lane.
    ///
    /// # Errors
    /// [`StorageError::Overloaded`] if [`MAX_WAITING`] writes of the lane wait.
    pub(crate) fn enter(&self, lane: Lane) -> Result<Place, StorageError> {
        let mut lanes = self.lanes();
        let writes = lanes.entry(lane.clone()).or_insert_with(|| Writes {
            running: 0,
            places: 0,
            turns: Arc::new(Semaphore::new(self.at_a_time)),
        });
        if writes.running >= self.at_a_time + MAX_WAITING {
            return Err(StorageError::overloaded("too many writes of the same family or user"));
        }
        writes.running += 1;
        writes.places += 1;
        let turns = Arc::clone(&writes.turns);
        let lane = Arc::new(LanePlace { lanes: self.clone(), lane, turns });
        Ok(Place { lane, turn: None })
    }

    /// Ignores a poisoned lock: a panic cannot leave a count inconsistent.
    fn lanes(&self) -> MutexGuard<'_, HashMap<Lane, Writes>> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of lanes in which a write has a place.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.lanes().len()
    }
}

impl Place {
    /// Waits for a turn. The caller limits the time. The place keeps the turn: between its transactions, a write waits
    /// only for other lanes, so that the next write of its lane does not begin again what it has begun.
    ///
    /// # Errors
    /// None, because nothing closes the semaphore.
    pub(crate) async fn turn(&mut self) -> Result<Turn, StorageError> {
        let turn = if let Some(turn) = &self.turn {
            turn.clone()
        } else {
            let permit = Arc::clone(&self.lane.turns).acquire_owned().await.map_err(StorageError::backend)?;
            Turn { _permit: Arc::new(permit), _lane: Arc::clone(&self.lane) }
        };
        Ok(self.turn.insert(turn).clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let LanePlace { lanes, lane, .. } = &*self.lane;
        if let Some(writes) = lanes.lanes().get_mut(lane) {
            writes.running -= 1;
        }
    }
}

impl Drop for LanePlace {
    fn drop(&mut self) {
        if let Entry::Occupied(mut entry) = self.lanes.lanes().entry(self.lane.clone()) {
            entry.get_mut().places -= 1;
            if entry.get().places == 0 {
                entry.remove();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn berg() -> Lane {
        Lane::Family("berg".parse().unwrap())
    }

    fn tal() -> Lane {
        Lane::Family("tal".parse().unwrap())
    }

    /// Takes a turn for a write of one transaction.
    async fn take(turns: &Turns, lane: Lane) -> Turn {
        turns.enter(lane).unwrap().turn().await.unwrap()
    }

    #[tokio::test]
    async fn a_lane_waits_for_itself_and_no_other() {
        for at_a_time in [1, 2] {
            let turns = Turns::new(at_a_time);
            let mut taken: Vec<_> = (0..at_a_time).map(|_| take(&turns, berg()).now_or_never().unwrap()).collect();
            let mut next = Box::pin(take(&turns, berg()));
            assert!((&mut next).now_or_never().is_none());
            assert!(take(&turns, tal()).now_or_never().is_some());
            assert!((&mut next).now_or_never().is_none());
            taken.pop();
            assert!((&mut next).now_or_never().is_some());
        }
    }

    #[tokio::test]
    async fn too_many_waiting_writes_of_a_lane_are_refused() {
        let turns = Turns::new(1);
        let mut place = turns.enter(berg()).unwrap();
        let running = place.turn().await.unwrap();
        let mut waiting: Vec<_> = (0..MAX_WAITING).map(|_| Box::pin(take(&turns, berg()))).collect();
        for write in &mut waiting {
            assert!(write.now_or_never().is_none());
        }
        let refused = turns.enter(berg());
        assert!(matches!(refused, Err(StorageError::Overloaded(_))), "{refused:?}");
        assert!(take(&turns, tal()).now_or_never().is_some());
        // The next transaction of a write that has a place is not refused.
        assert!(place.turn().now_or_never().is_some());
        // A cancelled write leaves its place to another.
        waiting.pop();
        assert!(take(&turns, berg()).now_or_never().is_none());
        drop((waiting, running, place));
        assert_eq!(turns.count(), 0);
    }

    #[tokio::test]
    async fn an_ended_write_does_not_count_while_its_connection_returns() {
        let turns = Turns::new(1);
        let ended = take(&turns, berg()).await;
        let mut waiting: Vec<_> = (0..=MAX_WAITING).map(|_| Box::pin(take(&turns, berg()))).collect();
        for write in &mut waiting {
            assert!(write.now_or_never().is_none());
        }
        assert!(turns.enter(berg()).is_err());
        drop(ended);
        assert!(waiting.remove(0).now_or_never().is_some());
        assert!(turns.enter(berg()).is_ok());
    }

    #[tokio::test]
    async fn a_write_that_keeps_its_turn_is_before_the_others_of_its_lane() {
        let turns = Turns::new(1);
        let mut place = turns.enter(berg()).unwrap();
        drop(place.turn().await.unwrap());
        let mut other = Box::pin(take(&turns, berg()));
        assert!((&mut other).now_or_never().is_none());
        assert!(take(&turns, tal()).now_or_never().is_some());
        let running = place.turn().now_or_never().unwrap();
        drop(place);
        assert!((&mut other).now_or_never().is_none());
        drop(running);
        assert!((&mut other).now_or_never().is_some());
    }

    #[tokio::test]
    async fn a_write_that_is_cancelled_when_it_gets_its_turn_passes_it_on() {
        let turns = Turns::new(1);
        let running = take(&turns, berg()).await;
        let mut first = Box::pin(take(&turns, berg()));
        let mut second = Box::pin(take(&turns, berg()));
        assert!((&mut first).now_or_never().is_none());
        assert!((&mut second).now_or_never().is_none());
        // The turn is now the first's, but it is not polled again.
        drop(running);
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        drop((&mut second).now_or_never().unwrap());
        assert_eq!(turns.count(), 0);
    }

    #[tokio::test]
    async fn a_lane_is_removed_when_its_last_write_ends_or_is_cancelled() {
        let turns = Turns::new(1);
        let turn = take(&turns, berg()).await;
        let mut cancelled = Box::pin(take(&turns, berg()));
        assert!((&mut cancelled).now_or_never().is_none());
        drop(cancelled);
        assert_eq!(turns.count(), 1);
        drop(turn);
        assert_eq!(turns.count(), 0);
    }
}
