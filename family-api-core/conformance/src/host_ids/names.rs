//! The names of the host's ids.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard};

use family_api_core::id::{BoardId, ColumnId, ListId, UserId};
use family_api_core::resource::RecordKind;
use family_api_core::{EntityTag, Precondition};
use serde_json::Value;

use super::json::{for_each_tag, replace_ids};
use super::kind::{ContainsIds, Kind};
use super::numbers::Numbers;
use crate::Subject;
use crate::fixture::NOT_OF_THE_HOST;

/// Translates names to ids of the host, and back.
pub(super) struct Names<'a> {
    subject: &'a dyn Subject,
    known: Mutex<Known>,
}

#[derive(Default)]
struct Known {
    numbers: Numbers,
    /// The names of the ids that the host makes of numbers.
    of_numbers: HashMap<String, String>,
    /// The ids that the host assigned.
    assigned: HashMap<(Kind, String), String>,
    /// The names of the ids that the host assigned.
    of_assigned: HashMap<(Kind, String), String>,
    /// The entity tag of the host's record, by that of the record with names.
    tags: HashMap<EntityTag, EntityTag>,
}

impl<'a> Names<'a> {
    pub(super) fn new(subject: &'a dyn Subject) -> Self {
        Self { subject, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap()
    }

    /// Numbers the names in lines all at once, so that there is room between the numbers of any two.
    pub(super) fn add(&self, lines: &[(Option<Kind>, Value)]) {
        let mut names = Vec::new();
        for (kind, line) in lines {
            replace_ids(&mut line.clone(), *kind, &mut |_, name| {
                names.push(name.to_owned());
                name.to_owned()
            });
        }
        self.known().numbers.add(names);
    }

    /// Returns the id of the host. A text that is no id remains as it is, and so does [`NOT_OF_THE_HOST`]. A name with a
    /// zero in front becomes the id with a zero in front: the same number, but the id of no record.
    pub(super) fn host_id(&self, kind: Kind, name: &str) -> String {
        if name.parse::<UserId>().is_err() || is_constant(kind, name) || name == NOT_OF_THE_HOST {
            return name.to_owned();
        }
        if let Some(of_record) = name.strip_prefix('0').filter(|of_record| !of_record.is_empty()) {
            return format!("0{}", self.host_id(kind, of_record));
        }
        let mut known = self.known();
        if let Some(id) = known.assigned.get(&(kind, name.to_owned())) {
            return id.clone();
        }
        let id = self.subject.host_id(known.numbers.of(name)).unwrap();
        known.of_numbers.insert(id.clone(), name.to_owned());
        id
    }

    /// Returns the name of an id. An id that is not of the suite is its own name.
    pub(super) fn name(&self, kind: Kind, id: &str) -> String {
        let mut known = self.known();
        let key = (kind, id.to_owned());
        if let Some(name) = known.of_assigned.get(&key).or_else(|| known.of_numbers.get(id)) {
            return name.clone();
        }
        known.assigned.insert(key, id.to_owned());
        id.to_owned()
    }

    /// Records that the host assigned an id to the record with this name, unless the id has a name.
    pub(super) fn assign(&self, kind: Kind, name: &str, id: &str) {
        let mut known = self.known();
        let key = (kind, id.to_owned());
        if !known.of_assigned.contains_key(&key) && !known.of_numbers.contains_key(id) {
            known.of_assigned.insert(key, name.to_owned());
            known.assigned.insert((kind, name.to_owned()), id.to_owned());
        }
    }

    /// Replaces the names in JSON. `own` is what the `id` of the object identifies.
    pub(super) fn to_host_ids(&self, value: &mut Value, own: Option<Kind>) {
        replace_ids(value, own, &mut |kind, name| self.host_id(kind, name));
    }

    /// Returns the value with names, and learns the entity tags of its records.
    pub(super) fn with_names<T: ContainsIds>(&self, value: &T) -> T {
        let of_host = serde_json::to_value(value).unwrap();
        let mut named = of_host.clone();
        replace_ids(&mut named, T::OWN, &mut |kind, id| self.name(kind, id));
        let tags = &mut self.known().tags;
        for_each_tag(&named, &of_host, T::OWN, &mut |named, of_host| {
            tags.insert(named, of_host);
        });
        serde_json::from_value(named).unwrap()
    }

    /// Returns the precondition with the entity tags of the host's records. An unknown tag matches no record.
    pub(super) fn precondition(&self, precondition: &Precondition) -> Precondition {
        let Precondition::Match(tags) = precondition else {
            return precondition.clone();
        };
        if tags.matches_strong(&EntityTag::of(b"the tag of no record")) {
            return precondition.clone();
        }
        let known = self.known();
        let tags = known.tags.iter().filter(|(named, _)| tags.matches_weak(named)).map(|(named, of_host)| {
            let weak = if tags.matches_strong(named) { "" } else { "W/" };
            format!("{weak}{of_host}")
        });
        Precondition::if_match([tags.collect::<Vec<_>>().join(", ").as_bytes()])
    }
}

/// Returns whether the id is that of the only board, column or list of a family whose app has none. Every host has it.
fn is_constant(kind: Kind, id: &str) -> bool {
    match kind {
        Kind::Record(RecordKind::Board) => id == BoardId::only().as_str(),
        Kind::Record(RecordKind::Column) => id == ColumnId::only().as_str(),
        Kind::Record(RecordKind::ShoppingList) => id == ListId::only().as_str(),
        _ => false,
    }
}
