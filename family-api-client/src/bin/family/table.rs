//! Table layout.

use std::borrow::Cow;

use comfy_table::presets::{NOTHING, UTF8_FULL_CONDENSED};
use comfy_table::{ColumnConstraint, ContentArrangement};

use crate::text::escape_controls;

/// The minimum width of a cell that is wrapped, in characters: a day and two blanks.
const MIN_CELL_WIDTH: u16 = 12;

/// The layout of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Layout {
    /// With borders. If the terminal is too narrow, empty columns are left out and cells are wrapped. If it is much too
    /// narrow, each record is shown as lines of names and values.
    Terminal { width: Option<u16> },
    /// Without borders, one line of text per row.
    Plain,
}

/// Rows of cells, each with as many cells as the header, if there is one. The control characters of cells are already
/// escaped.
#[derive(Clone)]
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
        match layout {
            Layout::Terminal { width } => self.fitting(width).render_for_terminal(width),
            Layout::Plain => self.render_plain(),
        }
    }

    /// Returns the widest form of the table that a terminal can show: all columns, the columns that are not empty, or
    /// each record as lines of names and values.
    fn fitting(&self, width: Option<u16>) -> Cow<'_, Self> {
        let is_list = !self.header.is_empty() && !self.rows.is_empty();
        let Some(width) = width.filter(|width| is_list && self.natural_width() > u32::from(*width)) else {
            return Cow::Borrowed(self);
        };
        let table = self.without_empty_columns();
        Cow::Owned(if table.min_width() > u32::from(width) { table.into_records() } else { table })
    }

    /// Returns the width if no cell is wrapped.
    fn natural_width(&self) -> u32 {
        bordered_width(self.to_comfy_table().column_max_content_widths())
    }

    /// Returns the smallest width at which people can still read the wrapped cells. The last column is never wrapped.
    fn min_width(&self) -> u32 {
        let mut widths = self.to_comfy_table().column_max_content_widths();
        let ids = widths.pop();
        bordered_width(widths.into_iter().map(|width| width.min(MIN_CELL_WIDTH)).chain(ids))
    }

    fn without_empty_columns(&self) -> Self {
        let kept = |column: &usize| self.rows.iter().any(|row| row.get(*column).is_some_and(|cell| !cell.is_empty()));
        let columns: Vec<usize> = (0..self.header.len()).filter(kept).collect();
        let rows = self.rows.iter().map(|row| columns.iter().map(|column| row[*column].clone()).collect());
        Self { header: columns.iter().map(|column| self.header[*column]).collect(), rows: rows.collect() }
    }

    /// Returns a table with a row for each cell that is not empty, and an empty row between two records.
    fn into_records(self) -> Self {
        let mut rows = Vec::new();
        for record in self.rows {
            if !rows.is_empty() {
                rows.push(vec![String::new(), String::new()]);
            }
            let fields = self.header.iter().zip(record).filter(|(_, cell)| !cell.is_empty());
            rows.extend(fields.map(|(name, cell)| vec![(*name).to_owned(), cell]));
        }
        Self { header: vec![], rows }
    }

    fn render_for_terminal(&self, width: Option<u16>) -> String {
        let mut table = self.to_comfy_table();
        table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
        width.map(|width| table.set_width(width));
        if !self.header.is_empty() {
            // Ids are not wrapped, so that they can be copied.
            let last = table.column_iter_mut().last();
            last.map(|column| column.set_constraint(ColumnConstraint::ContentWidth));
        }
        table.trim_fmt()
    }

    fn render_plain(&self) -> String {
        let mut table = self.to_comfy_table();
        table.load_style(NOTHING);
        table.column_iter_mut().for_each(|column| {
            column.set_padding((0, 2));
        });
        table.trim_fmt()
    }

    fn to_comfy_table(&self) -> comfy_table::Table {
        let mut table = comfy_table::Table::new();
        if !self.header.is_empty() {
            table.set_header(&self.header);
        }
        table.add_rows(&self.rows);
        table
    }
}

/// Returns the width of a table with columns of these widths: each has a blank on both sides and a border on its right,
/// and the table has a border on its left.
fn bordered_width(columns: impl IntoIterator<Item = u16>) -> u32 {
    columns.into_iter().fold(1, |sum, width| sum + u32::from(width) + 3)
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

    /// Returns a table with the columns and contents of a list of tasks.
    fn tasks() -> Table {
        let mut table = Table::new(["Task", "Priority", "Due", "Done", "Who", "Where", "Id"]);
        for title in ["Book the dentist for the children", "Feed the 🐈"] {
            let cells = [title, "MEDIUM", "2026-11-20 10:00", "", "🌸 Ana", "🏡 Home / To do"];
            table.add_row(cells.into_iter().chain([ID]).map(str::to_owned));
        }
        table
    }

    fn widest_line(text: &str) -> usize {
        // A terminal shows each of the emojis two columns wide.
        let width = |line: &str| line.chars().count() + line.chars().filter(|c| "🐈🌸🏡".contains(*c)).count();
        text.lines().map(width).max().unwrap()
    }

    #[test]
    fn a_list_fits_80_columns_with_readable_cells_and_whole_ids() {
        let text = tasks().render(Layout::Terminal { width: Some(80) });
        assert!(widest_line(&text) <= 80, "{text}");
        for cell in ["│ Task     ┆ Book the dentist for the children", "┆ 2026-11-20 10:00", ID] {
            assert!(text.contains(cell), "{cell}\n{text}");
        }
        assert!(!text.contains("Done"), "{text}");
        let text = tasks().render(Layout::Terminal { width: Some(120) });
        assert!(text.contains("┆ Priority ┆ Due ") && !text.contains("Done"), "{text}");
        assert!(widest_line(&text) <= 120, "{text}");
        let text = tasks().render(Layout::Terminal { width: Some(200) });
        assert!(text.contains("┆ Done ┆") && widest_line(&text) > 120, "{text}");
    }

    #[test]
    fn a_long_field_is_wrapped_at_the_width_of_the_terminal() {
        let note = Table::of_fields([("Content", "word ".repeat(100)), ("Id", ID.to_owned())]);
        let text = note.render(Layout::Terminal { width: Some(80) });
        assert!(widest_line(&text) <= 80 && text.contains(ID), "{text}");
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
