//! Table layout.

use comfy_table::presets::{NOTHING, UTF8_FULL_CONDENSED};
use comfy_table::{ColumnConstraint, ContentArrangement};

use crate::text::escape_controls;

/// The layout of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Layout {
    /// With borders. Cells are wrapped if the terminal is too narrow.
    Terminal { width: Option<u16> },
    /// Without borders, one line of text per row.
    Plain,
}

/// Rows of cells. The control characters of cells are already escaped.
pub(crate) struct Table {
    header: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table with a header. Ids must be in the last column, because only this column is never wrapped.
    pub(crate) fn new(header: impl IntoIterator<Item = &'static str>) -> Self {
        Self { header: header.into_iter().collect(), rows: vec![] }
    }

    /// Creates a table of one record: each row has the name and the value of a field. Values keep their line breaks.
    pub(crate) fn of_fields<const N: usize>(fields: [(&str, String); N]) -> Self {
        let lines = |value: &str| value.lines().map(escape_controls).collect::<Vec<_>>().join("\n");
        let rows = fields.into_iter().map(|(name, value)| vec![name.to_owned(), lines(&value)]);
        Self { header: vec![], rows: rows.collect() }
    }

    /// Adds a row and escapes the control characters of its cells.
    pub(crate) fn add_row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| escape_controls(&cell)).collect());
    }

    /// Returns the table as text, without a line break at the end.
    pub(crate) fn render(&self, layout: Layout) -> String {
        let mut table = comfy_table::Table::new();
        if !self.header.is_empty() {
            table.set_header(&self.header);
        }
        table.add_rows(&self.rows);
        match layout {
            Layout::Terminal { width } => {
                table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
                width.map(|width| table.set_width(width));
                // Ids are not wrapped, so that they can be copied.
                let last = table.column_iter_mut().last();
                last.map(|column| column.set_constraint(ColumnConstraint::ContentWidth));
            }
            Layout::Plain => {
                table.load_style(NOTHING);
                table.column_iter_mut().for_each(|column| {
                    column.set_padding((0, 2));
                });
            }
        }
        table.trim_fmt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01a1fed5-ba25-7faa-888d-3b8faa6645fd";

    fn table() -> Table {
        let mut table = Table::new(["Task", "Id"]);
        table.add_row(["Feed the \u{1b}[31m 🐈".to_owned(), ID.to_owned()]);
        table.add_row(["毛布".to_owned(), "b".to_owned()]);
        table
    }

    #[test]
    fn without_a_terminal_each_row_is_one_trimmed_line() {
        let lines: Vec<String> = table().render(Layout::Plain).lines().map(str::to_owned).collect();
        // A terminal shows the emoji and each of the two Japanese letters two columns wide.
        let blanks = " ".repeat(20);
        let expected =
            [format!("Task{blanks}Id"), format!(r"Feed the \u{{1b}}[31m 🐈  {ID}"), format!("毛布{blanks}b")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_narrow_terminal_wraps_texts_but_not_ids() {
        let text = table().render(Layout::Terminal { width: Some(60) });
        assert!(text.contains(&format!(" {ID} │")), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        assert_eq!(text.lines().count(), 7, "{text}");
    }

    #[test]
    fn a_table_without_rows_shows_its_header() {
        assert_eq!(Table::new(["Task", "Id"]).render(Layout::Plain), "Task  Id");
    }

    #[test]
    fn a_field_keeps_its_lines_and_escapes_control_characters() {
        let note = Table::of_fields([("Note", "a\u{7}\r\nb\u{1b}c".to_owned()), ("Id", "n".to_owned())]);
        assert_eq!(note.render(Layout::Plain), "Note  a\\u{7}\n      b\\u{1b}c\nId    n");
    }
}
