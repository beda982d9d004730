//! Prints lists in pages, so that their length does not matter.

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use family_api_core::storage::StorageError;
use serde::Serialize;
use serde_json::json;

use crate::error::CommandError;
use crate::output;

/// Maximum number of entries in a page.
pub(super) const PAGE_SIZE: u32 = 1_000;

/// An entry of a list.
pub(super) trait Entry: Serialize {
    /// The names of the columns.
    const HEADER: &'static [&'static str];

    /// The cells of the table's row.
    fn cells(&self) -> Vec<String>;
}

/// Prints all entries: a table for each page, or a line of JSON for each entry. `next` returns the page after an entry.
pub(super) async fn print_pages<T: Entry>(
    json: bool,
    next: impl AsyncFn(Option<&T>) -> Result<Vec<T>, StorageError>,
) -> Result<(), CommandError> {
    let mut page = next(None).await?;
    if page.is_empty() && !json {
        output::print(&table(&page))?;
    }
    while let Some(last) = page.last() {
        let text = if json { lines(&page) } else { table(&page) };
        output::print(&text)?;
        page = next(Some(last)).await?;
    }
    Ok(())
}

fn lines(page: &[impl Entry]) -> String {
    let lines = page.iter().map(|entry| json!(entry).to_string());
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns a table without borders. Control characters are replaced.
fn table<T: Entry>(page: &[T]) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(T::HEADER);
    for entry in page {
        table.add_row(entry.cells().iter().map(|cell| output::printable(cell)));
    }
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    table.trim_fmt()
}
