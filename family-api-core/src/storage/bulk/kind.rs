//! How each kind of record becomes rows of its table.

/// A kind of record; the first argument of its statements is a JSON array of rows.
pub(in crate::storage) struct Kind {
    /// As the import format names it.
    pub(in crate::storage) name: &'static str,
    /// What stores the rows, in this order.
    pub(in crate::storage) sql: &'static [&'static str],
    /// The field that names the parent.
    pub(in crate::storage) parent: &'static str,
    /// The field that names what else must be there.
    pub(in crate::storage) reference: &'static str,
}

impl Kind {
    pub(in crate::storage) const fn new(
        name: &'static str,
        sql: &'static [&'static str],
        parent: &'static str,
    ) -> Self {
        Self { name, sql, parent, reference: parent }
    }

    pub(in crate::storage) const fn with_reference(self, reference: &'static str) -> Self {
        Self { reference, ..self }
    }
}
