//! Reads the lines of the input, with their numbers.

use std::io::{BufRead, Read};

use family_api_core::storage::LoadFault;

use crate::import::ImportError;

/// Maximum length of a line, in bytes; far more than any record needs.
const MAX_LINE_LENGTH: u64 = 16 * 1024 * 1024;

/// The byte order mark with which some programs begin a file in UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line that is not blank.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Line number, from 1. Blank lines are counted.
    pub(super) number: u64,
    /// Contents without the line feed, and without a byte order mark at the beginning of the input.
    pub(super) text: Vec<u8>,
}

/// Iterator over the lines of an input that are not blank.
pub(super) struct Lines<R> {
    input: R,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn of(input: R) -> Self {
        Self { input, number: 0 }
    }

    fn read(&mut self) -> Result<Option<Line>, ImportError> {
        loop {
            let mut text = Vec::new();
            let number = self.number + 1;
            let mut input = self.input.by_ref().take(MAX_LINE_LENGTH + 1);
            let length =
                input.read_until(b'\n', &mut text).map_err(|source| ImportError::Read { line: number, source })?;
            if length == 0 {
                return Ok(None);
            }
            self.number = number;
            if text.last() == Some(&b'\n') {
                text.pop();
            }
            if number == 1 && text.starts_with(BYTE_ORDER_MARK) {
                text.drain(..BYTE_ORDER_MARK.len());
            }
            if text.len() as u64 > MAX_LINE_LENGTH {
                let fault = LoadFault::new("", "expected a line of at most 16 MiB");
                return Err(ImportError::Line { line: number, fault });
            }
            if !text.trim_ascii().is_empty() {
                return Ok(Some(Line { number, text }));
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<Line, ImportError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &[u8]) -> Vec<(u64, Vec<u8>)> {
        Lines::of(input).map(|line| line.map(|line| (line.number, line.text)).unwrap()).collect()
    }

    #[test]
    fn blank_lines_are_counted_and_skipped() {
        let lines = read(b"\n{1}\r\n \t\r\n\n{2}\n{3}");
        assert_eq!(lines, [(2, b"{1}\r".to_vec()), (5, b"{2}".to_vec()), (6, b"{3}".to_vec())]);
        assert_eq!(read(b""), []);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_only_at_the_beginning() {
        let lines = read(b"\xef\xbb\xbf{1}\n\xef\xbb\xbf{2}\n");
        assert_eq!(lines, [(1, b"{1}".to_vec()), (2, b"\xef\xbb\xbf{2}".to_vec())]);
        assert_eq!(read(b"\xef\xbb\xbf\n{2}"), [(2, b"{2}".to_vec())]);
        assert_eq!(read(b"\xef\xbb\xbf"), []);
    }

    #[test]
    fn a_line_of_16_mib_is_read_and_a_longer_one_is_refused() {
        let longest = vec![b'x'; 16 * 1024 * 1024];
        assert_eq!(Lines::of([&longest[..], b"\n"].concat().as_slice()).filter_map(Result::ok).count(), 1);
        let mut lines = Lines::of(std::io::BufReader::new(std::io::repeat(b'x')));
        let error = lines.next().unwrap().unwrap_err();
        assert_eq!(error.to_string(), "line 1: expected a line of at most 16 MiB");
    }
}
