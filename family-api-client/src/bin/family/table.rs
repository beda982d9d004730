//! Rows and columns.

use comfy_table::presets::{NOTHING, UTF8_FULL_CONDENSED};
use comfy_table::{ColumnConstraint, ContentArrangement};

use crate::text::harmless;

/// What holds the cells of a table together.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Layout {
    /// Lines, and cells that are wrapped where the terminal is too narrow.
    Terminal { width: Option<u16> },
    /// Blanks, and one line a row.
    Plain,
}

/// Cells in rows; what they hold is made harmless here, whoever wrote it.
pub(crate) struct Table {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of rows; where there are ids, they are in the last column.
    pub(crate) fn new(head: impl IntoIterator<Item = &'static str>) -> Self {
        Self { head: head.into_iter().collect(), rows: vec![] }
    }

    /// A table of one thing: a name and a value in each row, which keeps its lines.
    pub(crate) fn of_fields<const N: usize>(fields: [(&str, String); N]) -> Self {
        let lines = |value: &str| value.lines().map(harmless).collect::<Vec<_>>().join("\n");
        let rows = fields.into_iter().map(|(name, value)| vec![name.to_owned(), lines(&value)]);
        Self { head: vec![], rows: rows.collect() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().map(|cell| harmless(&cell)).collect());
    }

    /// The table as text, without a line break at its end.
    pub(crate) fn render(&self, layout: Layout) -> String {
        let mut table = comfy_table::Table::new();
        if !self.head.is_empty() {
            table.set_header(&self.head);
        }
        table.add_rows(&self.rows);
        match layout {
            Layout::Terminal { width } => {
                table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
                width.map(|width| table.set_width(width));
                // An id is there to be copied.
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
        table.row(["Feed the \u{1b}[31m 🐈".to_owned(), ID.to_owned()]);
        table.row(["毛布".to_owned(), "b".to_owned()]);
        table
    }

    #[test]
    fn without_a_terminal_each_row_is_a_line_without_blanks_at_its_end() {
        let lines: Vec<String> = table().render(Layout::Plain).lines().map(str::to_owned).collect();
        // The cat and each of the two letters are two cells wide.
        let blanks = " ".repeat(20);
        let expected =
            [format!("Task{blanks}Id"), format!(r"Feed the \u{{1b}}[31m 🐈  {ID}"), format!("毛布{blanks}b")];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_narrow_terminal_wraps_texts_and_no_ids() {
        let text = table().render(Layout::Terminal { width: Some(60) });
        assert!(text.contains(&format!(" {ID} │")), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 60), "{text}");
        assert_eq!(text.lines().count(), 7, "{text}");
    }

    #[test]
    fn a_table_without_rows_is_its_head() {
        assert_eq!(Table::new(["Task", "Id"]).render(Layout::Plain), "Task  Id");
    }

    #[test]
    fn a_field_keeps_its_lines_and_they_steer_no_terminal() {
        let note = Table::of_fields([("Note", "a\u{7}\r\nb\u{1b}c".to_owned()), ("Id", "n".to_owned())]);
        assert_eq!(note.render(Layout::Plain), "Note  a\\u{7}\n      b\\u{1b}c\nId    n");
    }
}
