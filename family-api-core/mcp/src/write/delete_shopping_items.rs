//! `delete_shopping_items`: deletes items of shopping lists, or all checked items of a list.

use async_trait::async_trait;
use family_api_core::resource::{RecordKind, ShoppingItem, Verb};
use family_api_core::storage::write_sequence::MAX_CHECKED_ITEMS;
use family_api_core::validation::Json;
use family_api_core::{Error, Precondition, RecordService};

use crate::answer::{Answer, MAX_BYTES};
use crate::arguments::{Argument, ArgumentType, Arguments};
use crate::context::ToolContext;
use crate::error::ToolError;
use crate::handler::{Effect, ToolHandler, ToolInfo};
use crate::names::{Directory, Target, listed};
use crate::write::delete::{delete_all, how_to_undo};
use crate::write::outcomes::{Outcome, Outcomes};

const ARGUMENTS: &[Argument] = &[
    Argument::optional("ids", ArgumentType::Ids(50), "The items."),
    Argument::optional("checked", ArgumentType::Boolean, "true, without ids: all checked items of the list."),
    Argument::optional("list", ArgumentType::Text(300), "With checked: name or id. Default: the only list."),
];

/// Maximum number of titles in the answer.
const MAX_TITLES: usize = 50;

/// Size of the rest of an answer, of an outcome without its id and title, and of the name of a title, in bytes.
const NOTICES: usize = 2_000;
const OUTCOME: usize = 45;
const MEMBER: usize = 12;

/// Deletes items of shopping lists.
pub(crate) struct DeleteShoppingItems;

#[async_trait]
impl ToolHandler for DeleteShoppingItems {
    fn info(&self) -> ToolInfo {
        ToolInfo {
            name: "delete_shopping_items",
            title: "Delete shopping items",
            description: "Deletes 1 to 50 items of shopping lists, or all checked items of a list.",
            effect: Effect::Write(Verb::Delete, &[RecordKind::ShoppingItem]),
            arguments: ARGUMENTS,
            fields: None,
            output: Outcomes::schema_with_notices(),
        }
    }

    async fn call(&self, context: &ToolContext, arguments: Json) -> Result<Answer, ToolError> {
        let records = context.api().records::<ShoppingItem>(context.caller(), Verb::Delete)?;
        let arguments = Arguments::read(ARGUMENTS, arguments)?;
        let ids = arguments.ids();
        let is_of_list = arguments.boolean("checked").unwrap_or_default();
        let mut outcomes = Outcomes::default();
        let mut rest = "";
        match (ids.as_slice(), is_of_list) {
            ([], true) => {
                let deleted = delete_checked(context, &records, arguments.text("list")).await?;
                if deleted.is_empty() {
                    rest = "The list has no checked item.\n";
                }
                if u32::try_from(deleted.len()).is_ok_and(|count| count >= MAX_CHECKED_ITEMS) {
                    rest = "There may be more checked items: repeat the call.\n";
                }
                for outcome in with_first_titles(&deleted)? {
                    outcomes.add(context, Ok(outcome), |reason| Outcome::failed("", reason), "")?;
                }
            }
            ([_, ..], false) if arguments.text("list").is_none() => {
                outcomes = delete_all(context, &records, ids, &Precondition::None).await?;
            }
            _ => {
                let fault = "give either ids, or checked with the value true and the list".to_owned();
                return Err(ToolError::of_arguments(std::iter::once(fault), 1, ""));
            }
        }
        let undo = if outcomes.has_changes() { how_to_undo(context, RecordKind::ShoppingItem) } else { String::new() };
        outcomes.into_answer("Items deleted", "deleted", &format!("{rest}{undo}"))
    }
}

/// Returns the outcomes of deleted items: the first ones with their titles, as far as the answer has space for them.
fn with_first_titles(deleted: &[ShoppingItem]) -> Result<Vec<Outcome>, ToolError> {
    let others: usize = deleted.iter().map(|item| OUTCOME + 2 * item.id.as_str().len()).sum();
    let mut space = MAX_BYTES.saturating_sub(NOTICES + others);
    let mut outcomes = Vec::with_capacity(deleted.len());
    for (index, item) in deleted.iter().enumerate() {
        let outcome = Outcome::deleted(item);
        let size = MEMBER + outcome.title_size()?;
        space = if index < MAX_TITLES { space.saturating_sub(size) } else { 0 };
        outcomes.push(if space > 0 { outcome } else { outcome.without_title() });
    }
    Ok(outcomes)
}

/// Deletes the checked items of the list that is named by its id or its name, or of the only list.
async fn delete_checked(
    context: &ToolContext,
    records: &RecordService<'_, ShoppingItem>,
    list: Option<&str>,
) -> Result<Vec<ShoppingItem>, ToolError> {
    let mut directory = Directory::new(context);
    if let Some(list) = list {
        match records.take_checked(&list.into()).await {
            Err(Error::NotFound) => {}
            deleted => return Ok(deleted?),
        }
        let id = directory.id("list", Target::List, list).await.map_err(ToolError::of_argument)?;
        return Ok(records.take_checked(&id.as_str().into()).await?);
    }
    match directory.all(Target::List).await? {
        [only] => Ok(records.take_checked(&only.id.as_str().into()).await?),
        all => {
            let fault = format!("list: is required if there is not exactly one; there are {}", listed(all.iter()));
            Err(ToolError::of_arguments(std::iter::once(fault), 1, ""))
        }
    }
}
