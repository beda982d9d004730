//! Finds the column or list of new records by its id or its name.

use std::iter;

use crate::answer::one_line;
use crate::error::ToolError;

/// Maximum number of names in a message.
const MAX_LISTED: usize = 10;

/// Maximum length of a name in a message, in characters.
const MAX_NAME: usize = 40;

/// A column or a list.
#[derive(Debug, Clone)]
pub(crate) struct Container {
    pub(crate) id: String,
    /// The name for messages.
    pub(crate) name: String,
    /// The other names by which the container is found.
    pub(crate) other_names: Vec<String>,
}

impl Container {
    /// Returns the only container with an id or a name. Names are compared without case.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with the possible containers if no container or several ones have the name.
    pub(crate) fn find(containers: &[Self], wanted: &str, argument: &str) -> Result<Self, ToolError> {
        if let Some(container) = containers.iter().find(|container| container.id == wanted) {
            return Ok(container.clone());
        }
        let folded = fold(wanted);
        let has_name = |container: &&Self| container.names().any(|name| fold(name) == folded);
        let named: Vec<&Self> = containers.iter().filter(has_name).collect();
        match named.as_slice() {
            [container] => Ok((*container).clone()),
            [] => Err(unclear(argument, "no such name or id", &containers.iter().collect::<Vec<_>>())),
            several => Err(unclear(argument, "several have this name, so use an id", several)),
        }
    }

    /// Returns the name with the id.
    pub(crate) fn shown(&self) -> String {
        format!("{} [{}]", one_line(&self.name, MAX_NAME), self.id)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        iter::once(&self.name).chain(&self.other_names).map(String::as_str)
    }
}

/// Returns the names of the first containers for a message.
pub(crate) fn listed<'a>(containers: impl ExactSizeIterator<Item = &'a Container>) -> String {
    let more = containers.len().saturating_sub(MAX_LISTED);
    let names: Vec<String> = containers.take(MAX_LISTED).map(Container::shown).collect();
    let more = if more == 0 { String::new() } else { format!(", and {more} more") };
    names.join(", ") + &more
}

fn unclear(argument: &str, fault: &str, containers: &[&Container]) -> ToolError {
    let hint = if containers.is_empty() {
        "There is none that you can see.".to_owned()
    } else {
        format!("There are: {}.", listed(containers.iter().copied()))
    };
    ToolError::of_arguments(iter::once(format!("{argument}: {fault}")), 1, &hint)
}

/// Returns a name for comparisons.
fn fold(name: &str) -> String {
    name.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn containers() -> Vec<Container> {
        let container = |id: &str, name: &str, other_names: &[&str]| Container {
            id: id.to_owned(),
            name: name.to_owned(),
            other_names: other_names.iter().map(|&name| name.to_owned()).collect(),
        };
        vec![
            container("a", "Home / To do", &["To do", "Home"]),
            container("b", "Garden / To do", &["To do", "Garden"]),
            container("c", "Garden / Done", &["Done"]),
            container("Done", "Garden / Later", &["Later"]),
        ]
    }

    #[test]
    fn a_container_is_found_by_its_id_or_any_name_of_its_own() {
        for (wanted, id) in [
            ("a", "a"),
            ("home", "a"),
            (" HOME / to do ", "a"),
            ("Garden", "b"),
            ("done ", "c"),
            // An id comes before a name.
            ("Done", "Done"),
        ] {
            assert_eq!(Container::find(&containers(), wanted, "column").unwrap().id, id, "{wanted}");
        }
    }

    #[test]
    fn an_unclear_name_lists_the_possible_containers() {
        for (wanted, listed, unlisted) in [("to do", "[b]", "[c]"), ("Cellar", "[c]", "Cellar")] {
            let Err(ToolError::Correctable(text)) = Container::find(&containers(), wanted, "column") else {
                panic!("{wanted} was found");
            };
            assert!(text.contains(listed) && !text.contains(unlisted), "{text}");
        }
    }
}
