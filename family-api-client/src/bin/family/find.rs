//! Finds records by the names that people type.

use std::fmt::Display;

use family_api_client::id::{Id, UserId};
use family_api_client::resource::{Person, TaskFilter};
use family_api_client::{Error, FamilyClient};

use crate::failure::Failure;

/// Returns the record with this id or name. Ignores the case of names. `kind` names the kind of record in messages.
pub(crate) fn by_id_or_name<'a, R, I: Display + 'a>(
    kind: &str,
    text: &str,
    records: impl IntoIterator<Item = &'a R>,
    id_and_name: impl Fn(&'a R) -> (&'a I, &'a str),
) -> Result<&'a R, Failure> {
    let name = text.trim().to_lowercase();
    let mut named = Vec::new();
    for record in records {
        let (id, record_name) = id_and_name(record);
        if id.to_string() == text {
            return Ok(record);
        }
        if record_name.trim().to_lowercase() == name {
            named.push((id, record));
        }
    }
    match named.as_slice() {
        [] => Err(Failure::NotFound(format!("there is no {kind} with the id or the name `{text}`"))),
        [(_, record)] => Ok(record),
        [..] => {
            let ids: Vec<String> = named.iter().map(|(id, _)| id.to_string()).collect();
            Err(Failure::Usage(format!("more than one {kind} has the name `{text}`: use an id: {}", ids.join(", "))))
        }
    }
}

/// Parses an id.
pub(crate) fn parse_id<I: Id>(kind: &str, text: &str) -> Result<I, Failure> {
    text.parse().map_err(|_| Failure::Usage(format!("`{text}` is not the id of a {kind}")))
}

/// Returns the id of a member: `me`, the name of a member who has or created a task, or the id of a member.
pub(crate) fn member(client: &FamilyClient, text: &str) -> Result<UserId, Failure> {
    if text == "me" {
        return Ok(client.profile().get().wait()?.id);
    }
    match by_id_or_name("member", text, &people(client)?, |person| (&person.id, &person.name)) {
        Ok(person) => Ok(person.id.clone()),
        // No read lists the members. A member without a task is known only by id.
        Err(Failure::NotFound(_)) => parse_id("member", text),
        Err(failure) => Err(failure),
    }
}

/// Returns the members that have or created a task, and the user of the key.
fn people(client: &FamilyClient) -> Result<Vec<Person>, Error> {
    let boards = client.read().tasks().filter(TaskFilter::All).wait()?;
    let tasks = boards.into_iter().flat_map(|board| board.columns).flat_map(|column| column.tasks);
    let mut people: Vec<Person> = tasks.flat_map(|task| [task.assignee, task.creator]).flatten().collect();
    people.push(Person::from(&client.profile().get().wait()?));
    people.sort_by(|a, b| a.id.cmp(&b.id));
    people.dedup_by(|a, b| a.id == b.id);
    Ok(people)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORDS: [(&str, &str); 4] = [("a", "Milk"), ("b", " Bread "), ("c", "bread"), ("milk", "Tea")];

    fn found(text: &str) -> Result<&'static str, Failure> {
        by_id_or_name("item", text, &RECORDS, |(id, name)| (id, name)).map(|(id, _)| *id)
    }

    #[test]
    fn an_id_comes_before_a_name_in_any_case() {
        assert_eq!(found("b").unwrap(), "b");
        assert_eq!(found("MILK ").unwrap(), "a");
        assert_eq!(found("milk").unwrap(), "milk");
    }

    #[test]
    fn an_unknown_or_ambiguous_name_is_refused() {
        assert!(matches!(found("tea leaves"), Err(Failure::NotFound(message)) if message.contains("`tea leaves`")));
        assert!(matches!(found("bread"), Err(Failure::Usage(message)) if message.ends_with("b, c")));
    }
}
