//! Maps the number of a record to its line.

/// The line of each record. Its size grows with the blank lines between records, not with the records.
#[derive(Debug, Default)]
pub(super) struct LineNumbers {
    records: u64,
    /// Pairs of a record and the number of blank lines before it.
    blanks: Vec<(u64, u64)>,
}

impl LineNumbers {
    /// Adds the line of the next record.
    pub(super) fn push(&mut self, line: u64) {
        self.records += 1;
        let blanks = line - self.records;
        if self.blanks.last().map_or(0, |(_, before)| *before) != blanks {
            self.blanks.push((self.records, blanks));
        }
    }

    /// Returns the line of a record. The first record is 1.
    pub(super) fn line_of(&self, record: u64) -> u64 {
        let runs = self.blanks.partition_point(|(first, _)| *first <= record);
        record + runs.checked_sub(1).map_or(0, |run| self.blanks[run].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_count_in_the_line_of_a_record() {
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
