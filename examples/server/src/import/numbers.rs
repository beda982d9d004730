//! From a record's number back to its line.

/// Which line each record stood on; it grows with the blank lines between records, not with the records.
#[derive(Debug, Default)]
pub(super) struct LineNumbers {
    records: u64,
    /// From that record on, so many blank lines came before it.
    blanks: Vec<(u64, u64)>,
}

impl LineNumbers {
    /// Notes the line of the next record.
    pub(super) fn push(&mut self, line: u64) {
        self.records += 1;
        let blanks = line - self.records;
        if self.blanks.last().map_or(0, |(_, before)| *before) != blanks {
            self.blanks.push((self.records, blanks));
        }
    }

    /// The line of a record; the first record is 1.
    pub(super) fn line_of(&self, record: u64) -> u64 {
        let runs = self.blanks.partition_point(|(first, _)| *first <= record);
        record + runs.checked_sub(1).map_or(0, |run| self.blanks[run].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_found_on_its_line_however_many_blank_ones_there_are() {
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
