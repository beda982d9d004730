//! The arguments of a query that name records: boards, columns, lists and members, each by its id or its name.

use std::str::FromStr;

use family_api_core::Error;
use family_api_core::id::UserId;

use crate::arguments::Arguments;
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::names::{Directory, ME, Target, find, is_word};

/// The filter for tasks without an assignee.
pub(crate) const UNASSIGNED: &str = "unassigned";

/// Returns the member that an argument names, if it is given.
///
/// # Errors
/// [`ToolError::Correctable`] with the possible members if the name is unknown or ambiguous. The error of the read.
pub(crate) async fn member(
    context: &ToolContext,
    arguments: &Arguments,
    name: &str,
) -> Result<Option<UserId>, ToolError> {
    let Some(wanted) = arguments.text(name) else { return Ok(None) };
    if is_word(wanted, ME) {
        return Ok(Some(context.caller().user().clone()));
    }
    let found = Directory::new(context).id(name, Target::Member, wanted).await.map_err(ToolError::of_argument)?;
    let id = found.parse().map_err(|invalid| Error::Internal(Box::new(invalid)))?;
    Ok(Some(id))
}

/// The given arguments that name records. A query is first tried with them as ids, which needs no read of the names.
pub(crate) struct Filters(Vec<(&'static str, Target, String)>);

impl Filters {
    pub(crate) fn given(arguments: &Arguments, declared: &[(&'static str, Target)]) -> Self {
        let has_meaning = |target, text| target == Target::Member && (is_word(text, ME) || is_word(text, UNASSIGNED));
        let filter = |&(name, target): &(&'static str, Target)| {
            let text = arguments.text(name).filter(|text| !has_meaning(target, text))?;
            Some((name, target, text.to_owned()))
        };
        Self(declared.iter().filter_map(filter).collect())
    }

    /// Returns an argument that is an id.
    pub(crate) fn id<I: FromStr>(&self, name: &str) -> Option<I> {
        let (.., text) = self.0.iter().find(|(given, ..)| *given == name)?;
        text.parse().ok()
    }

    /// Returns whether each argument has the form of an id.
    pub(crate) fn are_ids(&self) -> bool {
        // Every kind of record has ids of the same form.
        self.0.iter().all(|(.., text)| text.parse::<UserId>().is_ok())
    }

    /// Returns the result of a query, or `None` if a record with one of the ids does not exist.
    ///
    /// # Errors
    /// Any other failure of the query.
    pub(crate) fn unless_unknown<T>(&self, found: Result<T, Error>) -> Result<Option<T>, Error> {
        match found {
            Err(Error::InvalidQuery(fault)) if self.0.iter().any(|(name, ..)| *name == fault.parameter) => Ok(None),
            found => found.map(Some),
        }
    }

    /// Replaces the names by ids. A column is one of the board, if there is one.
    ///
    /// # Errors
    /// [`ToolError::Correctable`] with the possible records if a name is unknown or ambiguous. The error of the read.
    pub(crate) async fn resolve(&mut self, context: &ToolContext) -> Result<(), ToolError> {
        let mut directory = Directory::new(context);
        let mut board = None;
        for (name, target, text) in &mut self.0 {
            let mut all = directory.all(*target).await?.to_vec();
            if *target == Target::Column && board.is_some() {
                all.retain(|column| column.board == board);
            }
            let found = find(&all, text).map_err(|reason| ToolError::Correctable(format!("{name}: {reason}")));
            text.clone_from(&found.map_err(ToolError::of_argument)?.id);
            if *target == Target::Board {
                board = Some(text.clone());
            }
        }
        Ok(())
    }
}
