//! What an app keeps, and what an access allows, in words.

use std::collections::BTreeMap;

use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use serde::Deserialize;

/// The words of which the pages compose what an app keeps, and what an access allows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccessText {
    pub(crate) read_only: &'static str,
    /// The name of the access that works while the personal API is off.
    pub(crate) without_profile: &'static str,
    pub(crate) read_and_change: &'static str,
    /// `{records}` are kinds of records.
    pub(crate) reads: &'static str,
    /// `{records}` are kinds of records, and `{profile}` is one of the next two texts.
    pub(crate) reads_with_profile: &'static str,
    pub(crate) profile: &'static str,
    pub(crate) profile_with_email: &'static str,
    /// Precedes the writes of an access.
    pub(crate) reads_all: &'static str,
    /// `{verbs}` are verbs, and `{records}` kinds of records.
    pub(crate) writes: &'static str,
    /// `{records}` are kinds of records.
    pub(crate) restores: &'static str,
    /// What an app shows that keeps no records: the names of the members.
    names: &'static str,
    /// Precedes the last word of a list.
    and: &'static str,
    verbs: VerbsText,
    /// The plural of each kind of record, by the name of the kind.
    records: BTreeMap<&'static str, &'static str>,
}

/// What an access does with records.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct VerbsText {
    read: &'static str,
    create: &'static str,
    update: &'static str,
    delete: &'static str,
    restore: &'static str,
}

impl AccessText {
    /// Returns the kinds of records that an app shows, or else the names of its members. Lists stand for their items.
    pub(crate) fn kept(&self, app: &Capabilities) -> String {
        let has_lists = app.keeps_kind(RecordKind::ShoppingList);
        let shopping = if has_lists { RecordKind::ShoppingList } else { RecordKind::ShoppingItem };
        let is_kept = |kind: &RecordKind| match kind {
            RecordKind::Task => app.keeps_kind(*kind) || app.keeps_resource(ResourceKind::TaskStats),
            _ => app.keeps_kind(*kind),
        };
        let kinds = [RecordKind::Task, RecordKind::Event, shopping, RecordKind::Note].into_iter().filter(is_kept);
        let records = self.records(kinds);
        if records.is_empty() { self.names.to_owned() } else { records }
    }

    /// Returns the kinds of records that an app restores.
    #[cfg(feature = "pages")]
    pub(crate) fn restorable(&self, app: &Capabilities) -> String {
        self.records(RecordKind::ALL.into_iter().filter(|kind| app.supports(*kind, Verb::Restore)))
    }

    /// Returns kinds of records as a list.
    pub(crate) fn records(&self, kinds: impl IntoIterator<Item = RecordKind>) -> String {
        let words: Vec<&str> = kinds.into_iter().filter_map(|kind| self.records.get(kind.as_str()).copied()).collect();
        self.list(&words)
    }

    /// Returns the creation, the update and the deletion of records, as far as they are in `verbs`, as a list.
    pub(crate) fn verbs(&self, verbs: &[Verb]) -> String {
        self.list(&self.words(verbs))
    }

    /// Returns the same list, which begins with the reading. If it has no other verb, it ends with the restoration.
    pub(crate) fn read_and(&self, verbs: &[Verb]) -> String {
        let mut words = self.words(verbs);
        if words.is_empty() && verbs.contains(&Verb::Restore) {
            words.push(self.verbs.restore);
        }
        words.insert(0, self.verbs.read);
        self.list(&words)
    }

    fn words(&self, verbs: &[Verb]) -> Vec<&'static str> {
        let VerbsText { create, update, delete, .. } = self.verbs;
        let words = [(Verb::Create, create), (Verb::Update, update), (Verb::Delete, delete)];
        words.into_iter().filter(|(verb, _)| verbs.contains(verb)).map(|(_, word)| word).collect()
    }

    fn list(&self, words: &[&str]) -> String {
        match words.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} {} {last}", others.join(", "), self.and),
            _ => words.concat(),
        }
    }
}

/// Replaces the placeholders of a text by their values. The first letter becomes a capital.
pub(crate) fn sentence(text: &str, values: &[(&str, &str)]) -> String {
    let filled = values.iter().fold(text.to_owned(), |text, (placeholder, value)| text.replace(placeholder, value));
    let mut letters = filled.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
