//! Prints lists in pages, so that their length does not matter.

use comfy_table::presets::NOTHING;
use comfy_table::{ContentArrangement, Table};
use family_api_core::Timestamp;
use family_api_core::storage::StorageError;
use serde::Serialize;
use serde_json::json;

use crate::error::CommandError;
use crate::output;

/// Maximum number of entries in a page.
pub(super) const PAGE_SIZE: u32 = 1_000;

/// Maximum width of a table. Longer text continues on the next line of its cell.
const MAX_WIDTH: u16 = 80;

/// An entry of a list.
pub(super) trait Entry: Serialize {
    /// The names of the columns.
    const HEADER: &'static [&'static str];

    /// The cells of the table's row. Each has one or more lines.
    fn cells(&self) -> Vec<Vec<String>>;
}

/// Returns the day of an instant, in UTC.
pub(super) fn day(instant: Timestamp) -> String {
    instant.to_string().split('T').next().unwrap_or_default().to_owned()
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
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(MAX_WIDTH);
    for entry in page {
        let cell = |lines: Vec<String>| lines.iter().map(|line| output::printable(line)).collect::<Vec<_>>().join("\n");
        table.add_row(entry.cells().into_iter().map(cell));
    }
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 2));
    });
    table.trim_fmt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Pair(&'static str, &'static str);

    impl Entry for Pair {
        const HEADER: &'static [&'static str] = &["Name", "Id"];

        fn cells(&self) -> Vec<Vec<String>> {
            vec![vec![self.0.to_owned(), "second".to_owned()], vec![self.1.to_owned()]]
        }
    }

    #[test]
    fn a_table_fits_80_columns_and_keeps_the_whole_text() {
        let name = "Київ 東京 ".repeat(20);
        let name: &'static str = name.leak();
        let id = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
        let table = table(&[Pair(name, id), Pair("\u{1b}[31mred", "short")]);
        assert!(table.lines().all(|line| unicode_width(line) <= 80), "{table}");
        assert!(!table.contains('\u{1b}') && table.contains("second"), "{table}");
        let digits: String = table.chars().filter(char::is_ascii_hexdigit).collect();
        assert!(digits.len() >= 64, "{table}");
    }

    /// Returns the width in a terminal, in which the CJK characters of the test take two columns.
    fn unicode_width(line: &str) -> usize {
        line.chars().map(|char| if char >= '\u{3000}' { 2 } else { 1 }).sum()
    }
}
