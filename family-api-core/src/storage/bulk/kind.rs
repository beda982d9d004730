//! The statements that store each kind of record.

/// A kind of record. The first argument of its statements is a JSON array of rows.
pub(in crate::storage) struct Kind {
    /// The name of the kind in the import format.
    pub(in crate::storage) name: &'static str,
    /// The statements that store the rows, in this order.
    pub(in crate::storage) sql: &'static [&'static str],
    /// The field that names the parent.
    pub(in crate::storage) parent: &'static str,
    /// The field that names another record which must exist.
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
