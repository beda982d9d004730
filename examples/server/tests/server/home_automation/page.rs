//! The blocks of the page, with the URL and the secrets of a server filled in.

use std::collections::HashMap;

use saphyr::{LoadableYamlNode, Scalar, Yaml};
use serde_json::{Map, Value};

const PAGE: &str = include_str!("../../../HOME_AUTOMATION.md");

const URL: &str = "https://family.example";

/// The page, as a user reads it who replaces the placeholders.
pub(super) struct Page(String);

impl Page {
    /// Replaces the URL, the key and the secret of the calendar.
    pub(super) fn filled(url: &str, key: &str, calendar: &str) -> Self {
        let text = PAGE.replace(URL, url).replace("fam_…", key);
        Self(text.replace("/calendar/famcal_….ics", calendar))
    }

    /// Returns the text of the block in a language that begins with `start`.
    pub(super) fn block(&self, language: &str, start: &str) -> &str {
        let mut blocks = self.blocks().filter(|(other, text)| *other == language && text.starts_with(start));
        let (_, text) = blocks.next().unwrap();
        assert!(blocks.next().is_none(), "{language}: {start}");
        text
    }

    /// Returns each block: its language and its text.
    pub(super) fn blocks(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.split("\n```").skip(1).step_by(2).map(|block| block.split_once('\n').unwrap())
    }

    /// Returns the YAML block that begins with `start`, with the values of `secrets.yaml`.
    pub(super) fn yaml(&self, start: &str) -> Value {
        let secrets = parse(self.block("yaml", "family_authorization:"), &HashMap::new());
        let secrets = secrets.as_object().unwrap();
        let secrets = secrets.iter().map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()));
        parse(self.block("yaml", start), &secrets.collect())
    }

    /// Returns the first column and the second column of the table with this heading, without the marks of code.
    pub(super) fn table(&self, heading: &str) -> Vec<(String, String)> {
        let (_, rows) = self.0.split_once(heading).unwrap();
        let cells = |row: &str| {
            let (left, right) = row.trim_matches(['|', ' ']).split_once(" | ").unwrap();
            (left.replace('`', ""), right.replace('`', ""))
        };
        rows.lines().skip(2).take_while(|line| line.starts_with('|')).map(cells).collect()
    }

    /// Returns the queries of the links to the page of keys: names and decoded values.
    pub(super) fn links() -> Vec<(&'static str, HashMap<String, String>)> {
        let links = PAGE.lines().filter_map(|line| line.strip_prefix(&format!("- `{URL}")));
        let links = links.map(|rest| rest.split_once('`').unwrap().0);
        links
            .map(|path| {
                let query = path.strip_prefix("/keys?").unwrap();
                (path, form_urlencoded::parse(query.as_bytes()).into_owned().collect())
            })
            .collect()
    }
}

/// Parses one YAML document. Replaces `!secret NAME` as the programs do.
fn parse(text: &str, secrets: &HashMap<String, String>) -> Value {
    let documents = Yaml::load_from_str(text).unwrap();
    let [document] = documents.as_slice() else { panic!("{text}") };
    to_json(document, secrets)
}

fn to_json(node: &Yaml<'_>, secrets: &HashMap<String, String>) -> Value {
    match node {
        Yaml::Value(Scalar::Null) => Value::Null,
        Yaml::Value(Scalar::Boolean(value)) => Value::from(*value),
        Yaml::Value(Scalar::Integer(value)) => Value::from(*value),
        Yaml::Value(Scalar::String(value)) => Value::from(value.as_ref()),
        Yaml::Sequence(nodes) => nodes.iter().map(|node| to_json(node, secrets)).collect(),
        Yaml::Mapping(nodes) => {
            let entry =
                |(name, node): (&Yaml<'_>, &Yaml<'_>)| (name.as_str().unwrap().to_owned(), to_json(node, secrets));
            Value::Object(nodes.iter().map(entry).collect::<Map<_, _>>())
        }
        Yaml::Tagged(tag, node) if (tag.handle.as_str(), tag.suffix.as_str()) == ("!", "secret") => {
            Value::from(secrets[node.as_str().unwrap()].as_str())
        }
        other => panic!("{other:?}"),
    }
}

/// Returns the names in an expression: what follows a dot, or is in quotes between brackets.
pub(super) fn names(expression: &str) -> Vec<&str> {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric();
    let after = |mark: &'static str| {
        let parts = expression.split(mark).skip(1);
        parts.map(move |part| part.split(|letter| !is_letter(letter)).next().unwrap())
    };
    let names = after(".").chain(after("['")).chain(after("[\"")).chain(after("attribute='"));
    names.filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase())).collect()
}
