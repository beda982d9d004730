//! Statements for several rows at once. With one statement for each row, a remote database costs a round trip a row.

/// The numbers of rows for which there is a statement, the largest first. Few sizes keep the number of prepared
/// statements small.
const SIZES: [usize; 3] = [100, 10, 1];

/// One statement in three variants: for 100, 10 and 1 rows.
pub(crate) struct BatchedStatement([String; SIZES.len()]);

impl BatchedStatement {
    /// `sql` returns the statement for a number of rows.
    pub(crate) fn of(sql: impl Fn(usize) -> String) -> Self {
        Self(SIZES.map(sql))
    }

    /// Splits the rows, each part with the statement for its number of rows.
    pub(crate) fn split<'r, T>(&'static self, mut rows: &'r [T]) -> impl Iterator<Item = (&'static str, &'r [T])> {
        std::iter::from_fn(move || {
            let (size, sql) = SIZES.iter().zip(&self.0).find(|(size, _)| **size <= rows.len())?;
            let (part, rest) = rows.split_at(*size);
            rows = rest;
            Some((sql.as_str(), part))
        })
    }

    /// Returns the statement for one row.
    #[cfg(test)]
    pub(crate) fn of_one_row(&self) -> &str {
        &self.0[SIZES.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    #[test]
    fn rows_are_split_into_few_statements() {
        static COUNTS: LazyLock<BatchedStatement> = LazyLock::new(|| BatchedStatement::of(|count| count.to_string()));
        let rows: Vec<u32> = (0..500).collect();
        let counts = |number: usize| COUNTS.split(&rows[..number]).map(|(sql, _)| sql).collect::<Vec<_>>();
        assert_eq!(counts(500), ["100"; 5]);
        assert_eq!(counts(112), ["100", "10", "1", "1"]);
        assert_eq!(counts(0), [""; 0]);
        assert_eq!(COUNTS.split(&rows).flat_map(|(_, part)| part).copied().collect::<Vec<_>>(), rows);
    }
}
