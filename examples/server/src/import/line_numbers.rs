//! Maps the number of a record to its line number.

/// The line number of each record. It stores only where blank lines occur, so its size does not grow with the records.
#[derive(Debug, Default)]
pub(super) struct LineNumbers {
    records: u64,
    /// Pairs of a record number and the count of all blank lines before that record.
    blank_lines: Vec<(u64, u64)>,
}

impl LineNumbers {
    /// Adds the line number of the next record.
    pub(super) fn push(&mut self, line: u64) {
        self.records += 1;
        let blank_lines = line - self.records;
        if self.blank_lines.last().map_or(0, |(_, before)| *before) != blank_lines {
            self.blank_lines.push((self.records, blank_lines));
        }
    }

    /// Returns the line number of a record. The first record has the number 1.
    pub(super) fn line_of(&self, record: u64) -> u64 {
        let runs = self.blank_lines.partition_point(|(first, _)| *first <= record);
        record + runs.checked_sub(1).map_or(0, |run| self.blank_lines[run].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_number_includes_the_blank_lines_before_it() {
        for lines in [vec![1, 2, 3], vec![3, 4, 7, 8, 20], vec![2], vec![1, 3, 5]] {
            let mut numbers = LineNumbers::default();
            for line in &lines {
                numbers.push(*line);
            }
            let found: Vec<u64> = (1..=lines.len() as u64).map(|record| numbers.line_of(record)).collect();
            assert_eq!(found, lines);
        }
    }
}
