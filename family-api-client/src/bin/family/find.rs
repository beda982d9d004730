//! Finds records by the names that people type.

use std::fmt::Display;

use family_api_client::api::ReadApi;
use family_api_client::change::Editable;
use family_api_client::id::UserId;
use family_api_client::{Error, FamilyClient};

use crate::failure::Failure;

/// A record that an argument can name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named<I> {
    pub(crate) id: I,
    pub(crate) name: String,
    /// Whether a task is completed, or an item checked.
    pub(crate) is_done: bool,
    /// The list of an item.
    pub(crate) list: Option<String>,
}

impl<I> Named<I> {
    /// Creates an entry of a record that cannot be done, such as a note.
    pub(crate) fn new(id: I, name: String) -> Self {
        Self { id, name, is_done: false, list: None }
    }
}

/// A kind of record that commands can name.
pub(crate) trait Nameable: Editable {
    /// The name of the kind in messages.
    const NAME: &'static str;

    /// Reads the ids and names.
    fn read_names(api: &ReadApi) -> Result<Vec<Named<Self::Id>>, Error>;
}

/// Which records come first if several have the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Prefer {
    Open,
    Done,
    Neither,
}

impl Prefer {
    fn includes<I>(self, record: &Named<I>) -> bool {
        match self {
            Self::Open => !record.is_done,
            Self::Done => record.is_done,
            Self::Neither => true,
        }
    }
}

/// Returns the record with this id or name. Ignores the case of names. `kind` names the kind of record in messages.
pub(crate) fn by_id_or_name<'a, R, I: Display + 'a>(
    kind: &str,
    text: &str,
    records: impl IntoIterator<Item = &'a R>,
    id_and_name: impl Fn(&'a R) -> (&'a I, &'a str),
) -> Result<&'a R, Failure> {
    one_of(kind, text, records, |record| {
        let (id, name) = id_and_name(record);
        (id, name, None)
    })
}

/// Returns the record with this id or name. `describe` returns its id, name and list.
fn one_of<'a, R, I: Display + 'a>(
    kind: &str,
    text: &str,
    records: impl IntoIterator<Item = &'a R>,
    describe: impl Fn(&'a R) -> (&'a I, &'a str, Option<&'a str>),
) -> Result<&'a R, Failure> {
    let wanted = text.trim().to_lowercase();
    let (mut named, mut descriptions) = (Vec::new(), Vec::new());
    for record in records {
        let (id, name, list) = describe(record);
        if id.to_string() == text {
            return Ok(record);
        }
        if name.trim().to_lowercase() == wanted {
            let place = list.map(|list| format!(" in {list}")).unwrap_or_default();
            descriptions.push(format!("{id} ({}{place})", name.trim()));
            named.push(record);
        }
    }
    match named.as_slice() {
        [] => Err(Failure::NotFound(unknown(kind, text))),
        [record] => Ok(record),
        [..] => {
            let ids = descriptions.join(", ");
            Err(Failure::Usage(format!("more than one {kind} has the name `{text}`: use an id: {ids}")))
        }
    }
}

/// Returns the record with this id or name. If several have the name, prefers those that are open or done.
pub(crate) fn preferred<'a, I: Display>(
    kind: &str,
    text: &str,
    records: &'a [Named<I>],
    prefer: Prefer,
) -> Result<&'a Named<I>, Failure> {
    let is_preferred = |record: &&Named<I>| prefer.includes(record);
    let describe = |record: &'a Named<I>| (&record.id, record.name.as_str(), record.list.as_deref());
    match one_of(kind, text, records.iter().filter(is_preferred), describe) {
        Err(Failure::NotFound(_)) => one_of(kind, text, records, describe),
        found => found,
    }
}

/// Sends a request for the record with this id. If there is none, sends it for the record with this name.
///
/// A script that uses ids needs no further request: the names are read only if the text is not the id of a record.
pub(crate) fn with_id<R: Nameable, T>(
    client: impl FnOnce() -> Result<FamilyClient, Failure>,
    text: &str,
    prefer: Prefer,
    mut send: impl FnMut(&R::Id) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let read = || Ok(R::read_names(&client()?.read())?);
    let Ok(id) = text.parse::<R::Id>() else {
        return send(&preferred(R::NAME, text, &read()?, prefer)?.id);
    };
    let error = match send(&id) {
        // Nothing was changed, so that the request can be sent again.
        Err(Failure::Call(error)) if error.is_not_found() && error.code().is_some() && !error.is_in_doubt() => error,
        result => return result,
    };
    let message = match read() {
        Ok(records) => match preferred(R::NAME, text, &records, prefer) {
            // The record exists: the service did not find another one, such as the category.
            Ok(record) if record.id == id => return Err(Failure::Call(error)),
            Ok(record) => return send(&record.id),
            Err(Failure::NotFound(message)) => message,
            Err(failure) => return Err(failure),
        },
        Err(Failure::NoKey { .. }) => {
            format!("there is no {} with the id `{text}`: without a key, only ids are known", R::NAME)
        }
        // Without a read, the text can only be an id.
        Err(_) => return Err(Failure::Call(error)),
    };
    Err(Failure::UnknownName { error, message })
}

/// Returns the id of the record with this name or id. A record that is in no read is known only by its id.
pub(crate) fn id_of<R: Nameable>(client: &FamilyClient, text: &str) -> Result<R::Id, Failure> {
    match preferred(R::NAME, text, &R::read_names(&client.read())?, Prefer::Neither) {
        Ok(named) => Ok(named.id.clone()),
        Err(Failure::NotFound(message)) => text.parse().map_err(|_| Failure::NotFound(message)),
        Err(failure) => Err(failure),
    }
}

/// Returns the id of a member: `me`, or a member by name or id.
pub(crate) fn member(client: &FamilyClient, text: &str) -> Result<UserId, Failure> {
    if text == "me" {
        return Ok(client.profile().get().wait()?.id);
    }
    let members = client.read().members().wait()?;
    member_of(text, members.iter().map(|member| (&member.id, member.name.as_str())))
}

/// Returns the id of the member with this name or id. A user who is not among the members, such as one who has left the
/// family, is known only by id.
pub(crate) fn member_of<'a>(
    text: &str,
    members: impl IntoIterator<Item = (&'a UserId, &'a str)>,
) -> Result<UserId, Failure> {
    let members: Vec<_> = members.into_iter().collect();
    match by_id_or_name("member", text, &members, |(id, name)| (*id, *name)) {
        Ok((id, _)) => Ok((*id).clone()),
        Err(Failure::NotFound(message)) => text.parse().map_err(|_| Failure::NotFound(message)),
        Err(failure) => Err(failure),
    }
}

fn unknown(kind: &str, text: &str) -> String {
    format!("there is no {kind} with the id or the name `{text}`")
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
        assert!(matches!(found("bread"), Err(Failure::Usage(message)) if message.ends_with("b (Bread), c (bread)")));
    }

    #[test]
    fn an_open_or_done_record_is_preferred() {
        let named = |id, name: &str, is_done| Named { is_done, ..Named::new(id, name.to_owned()) };
        let records = [named(1, "Milk", true), named(2, "milk", false), named(3, "Tea", true)];
        let found = |text, prefer| preferred("item", text, &records, prefer).map(|record| record.id);
        assert_eq!((found("milk", Prefer::Open).unwrap(), found("milk", Prefer::Done).unwrap()), (2, 1));
        assert!(matches!(found("milk", Prefer::Neither), Err(Failure::Usage(_))));
        assert_eq!(found("tea", Prefer::Open).unwrap(), 3, "there is no open one");
    }
}
