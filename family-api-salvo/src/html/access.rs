//! An access that a user can choose, in words.

use family_api_core::key::{KeyMode, ScopeSet};
use family_api_core::resource::{RecordKind, Verb, write_scope};
use family_api_core::storage::Capabilities;
use maud::{Markup, html};

use super::text::{AccessText, sentence};

/// A mode, or a mode with fewer scopes, in an app that supports only some operations.
#[derive(Debug)]
pub(crate) struct AccessWords<'a> {
    pub(crate) text: &'static AccessText,
    pub(crate) app: &'a Capabilities,
    pub(crate) mode: KeyMode,
    pub(crate) scopes: ScopeSet,
}

impl AccessWords<'_> {
    /// Renders the name, and what the access reads and writes.
    pub(crate) fn render(&self) -> Markup {
        html! {
            strong { (self.name()) }
            small { (self.reads()) }
            @for sentence in self.writes() { small { (sentence) } }
        }
    }

    /// Returns the name of the access.
    pub(crate) fn name(&self) -> String {
        let verbs = self.verbs();
        match self.mode {
            KeyMode::McpRead => self.text.without_profile.to_owned(),
            _ if verbs.is_empty() => self.text.read_only.to_owned(),
            KeyMode::V1ReadWrite if verbs.contains(&Verb::Update) => self.text.read_and_change.to_owned(),
            KeyMode::V1Read | KeyMode::V1ReadWrite | KeyMode::V1Full => sentence(&self.text.read_and(&verbs), &[]),
        }
    }

    fn reads(&self) -> String {
        let text = self.text;
        let profile = if self.app.keeps_profile_field("email") { text.profile_with_email } else { text.profile };
        let template = match self.mode {
            KeyMode::McpRead => text.reads,
            _ if self.verbs().is_empty() => text.reads_with_profile,
            _ => text.reads_all,
        };
        sentence(template, &[("{records}", &text.kept(self.app)), ("{profile}", profile)])
    }

    /// Returns one sentence for all kinds of records with the same operations, and one for what can be restored.
    fn writes(&self) -> Vec<String> {
        let mut groups: Vec<(Vec<Verb>, Vec<RecordKind>)> = Vec::new();
        for kind in RecordKind::ALL {
            let mut verbs = vec![Verb::Create, Verb::Update, Verb::Delete];
            verbs.retain(|verb| self.allows(kind, *verb));
            match groups.iter_mut().find(|(others, _)| *others == verbs) {
                Some((_, kinds)) => kinds.push(kind),
                None => groups.push((verbs, vec![kind])),
            }
        }
        let groups = groups.into_iter().filter(|(verbs, _)| !verbs.is_empty());
        let mut sentences: Vec<String> = groups.map(|(verbs, kinds)| self.write(&verbs, kinds)).collect();
        let restored: Vec<RecordKind> =
            RecordKind::ALL.into_iter().filter(|kind| self.allows(*kind, Verb::Restore)).collect();
        if !restored.is_empty() {
            sentences.push(sentence(self.text.restores, &[("{records}", &self.text.records(restored))]));
        }
        sentences
    }

    fn write(&self, verbs: &[Verb], kinds: Vec<RecordKind>) -> String {
        let (verbs, records) = (self.text.verbs(verbs), self.text.records(kinds));
        sentence(self.text.writes, &[("{verbs}", &verbs), ("{records}", &records)])
    }

    /// Returns the operations that the access allows on any kind of record.
    fn verbs(&self) -> Vec<Verb> {
        let is_allowed = |verb: &Verb| RecordKind::ALL.into_iter().any(|kind| self.allows(kind, *verb));
        Verb::ALL.into_iter().filter(is_allowed).collect()
    }

    fn allows(&self, kind: RecordKind, verb: Verb) -> bool {
        self.app.supports(kind, verb) && self.scopes.grants(&write_scope(kind, verb))
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use family_api_core::resource::ResourceKind;

    use super::*;
    use crate::html::Language;
    use crate::html::text::Text;

    /// Returns the capabilities of an app that keeps everything, of a flat one, of a calendar that is only read, and of
    /// an app that keeps only its members.
    fn apps() -> [(&'static str, Capabilities); 4] {
        let flat = Capabilities::flat().without_resource(ResourceKind::Events).without_resource(ResourceKind::Notes);
        let others = ResourceKind::ALL.into_iter().filter(|resource| *resource != ResourceKind::Events);
        let calendar = others.fold(Capabilities::reads(), Capabilities::without_resource);
        let calendar = calendar.without_profile_field("email");
        let members = calendar.clone().without_resource(ResourceKind::Events);
        [
            ("everything", Capabilities::all()),
            ("tasks and shopping", flat),
            ("a calendar that is only read", calendar),
            ("only members", members),
        ]
    }

    #[test]
    fn the_words_of_each_language_match_the_snapshot() {
        let mut words = String::new();
        for language in Language::ALL {
            for (name, app) in &apps() {
                writeln!(words, "{}: {name}", language.tag()).unwrap();
                for mode in KeyMode::ALL {
                    let text = &Text::of(language).access;
                    let access = AccessWords { text, app, mode, scopes: mode.scopes() };
                    let sentences = [vec![access.reads()], access.writes()].concat().join(" ");
                    writeln!(words, "  {}: {sentences}", access.name()).unwrap();
                }
            }
        }
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!("access", words);
        });
    }

    #[test]
    fn no_operation_is_promised_that_the_app_does_not_support() {
        let app = Capabilities::updates().with(RecordKind::Event, Verb::Create);
        let access = |mode: KeyMode| AccessWords {
            text: &Text::of(Language::English).access,
            app: &app,
            mode,
            scopes: mode.scopes(),
        };
        assert_eq!(access(KeyMode::V1ReadWrite).writes(), ["Change tasks.", "Change and delete notes."]);
        let full = access(KeyMode::V1Full);
        assert_eq!(full.writes(), ["Change tasks.", "Change and delete notes.", "Add events."]);
        let app = Capabilities::reads().with(RecordKind::Task, Verb::Create).with(RecordKind::Task, Verb::Restore);
        let full = AccessWords { app: &app, ..full };
        assert_eq!(full.name(), "Read and add");
        assert_eq!(full.writes(), ["Add tasks.", "Bring back tasks up to 30 days after they were deleted."]);
    }

    #[test]
    fn the_name_is_true_for_each_set_of_operations() {
        let name = |language, verbs: &[Verb], mode: KeyMode| {
            let app = verbs.iter().fold(Capabilities::reads(), |app, verb| app.with(RecordKind::Note, *verb));
            AccessWords { text: &Text::of(language).access, app: &app, mode, scopes: mode.scopes() }.name()
        };
        for (verbs, narrow, full) in [
            (&[][..], "Read only", "Read only"),
            (&[Verb::Create], "Read only", "Read and add"),
            (&[Verb::Update], "Read and change", "Read and change"),
            (&[Verb::Delete], "Read and delete", "Read and delete"),
            (&[Verb::Restore], "Read only", "Read and bring back"),
            (&[Verb::Update, Verb::Delete], "Read and change", "Read, change and delete"),
            (&[Verb::Delete, Verb::Restore], "Read and delete", "Read and delete"),
        ] {
            let names = [KeyMode::V1ReadWrite, KeyMode::V1Full].map(|mode| name(Language::English, verbs, mode));
            assert_eq!(names, [narrow, full], "{verbs:?}");
            assert_eq!(name(Language::English, verbs, KeyMode::V1Read), "Read only", "{verbs:?}");
        }
        let restores = Language::ALL.map(|language| name(language, &[Verb::Restore], KeyMode::V1Full));
        assert_eq!(
            restores,
            ["Read and bring back", "Читати та повертати", "Leer y recuperar", "Lesen und zurückholen"]
        );
    }
}
