//! The declaration of a record.

/// Declares a record of the import format, and everything that follows from its fields.
///
/// - The struct, which serde reads strictly from a line. An `Option` that is absent is `null`.
/// - Its [`Table`](super::table::Table). Each field is a column of the same name.
/// - [`StoredRecord`](super::table::StoredRecord): its id, the ids that it refers to, and its row as a JSON array.
/// - `From` the record for its resource, and the resource's [columns](resource_columns): equal fields are moved, and
///   the others have the given values.
///
/// The fields of the second block are not in the resource. A reference is `unkeyed` if a database has no foreign key
/// for it.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $Record:ident: $kind:literal in $table:literal {
            $($(#[$shared_doc:meta])* $shared:ident: $Shared:ty,)*
        } stores {
            $($(#[$stored_doc:meta])* $stored:ident: $Stored:ty,)*
        } refers {
            $($reference:ident: $Id:ty => $parent:literal $($unkeyed:ident)?,)*
        } $($becomes:tt)*
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, serde::Deserialize, serde::Serialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $Record {
            $($(#[$shared_doc])* pub $shared: $Shared,)*
            $($(#[$stored_doc])* pub $stored: $Stored,)*
        }

        #[cfg(any(feature = "memory", feature = "postgres", feature = "sqlite"))]
        impl $crate::storage::record::table::StoredRecord for $Record {
            fn table(&self) -> &'static $crate::storage::record::table::Table {
                &Self::TABLE
            }

            fn id(&self) -> &str {
                self.id.as_str()
            }

            fn referenced_ids(&self) -> Vec<Option<&str>> {
                vec![$(Option::<&$Id>::from(&self.$reference).map(<$Id>::as_str)),*]
            }

            #[cfg(any(feature = "postgres", feature = "sqlite"))]
            fn row(&self) -> serde_json::Result<String> {
                serde_json::to_string(&$crate::storage::record::value::Row(self))
            }
        }

        #[cfg(any(feature = "postgres", feature = "sqlite"))]
        impl serde::Serialize for $crate::storage::record::value::Row<'_, $Record> {
            fn serialize<S: serde::Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeSeq;
                use $crate::storage::record::value::Json;
                let mut row = output.serialize_seq(None)?;
                $(row.serialize_element(&Json(&self.0.$shared))?;)*
                $(row.serialize_element(&Json(&self.0.$stored))?;)*
                row.end()
            }
        }

        #[cfg(any(feature = "postgres", feature = "sqlite"))]
        impl $Record {
            /// Reads the columns of the table.
            pub(in crate::storage) fn read<R: $crate::storage::sql::SqlRow>(
                values: &mut $crate::storage::sql::Values<'_, R>,
            ) -> Result<Self, $crate::storage::StorageError> {
                $(let $shared = values.take()?;)*
                $(let $stored = values.take()?;)*
                Ok(Self { $($shared,)* $($stored,)* })
            }
        }

        #[cfg(any(feature = "memory", feature = "postgres", feature = "sqlite"))]
        impl $Record {
            pub(in crate::storage) const TABLE: $crate::storage::record::table::Table =
                $crate::storage::record::table::Table {
                    kind: $kind,
                    #[cfg(any(feature = "postgres", feature = "sqlite"))]
                    name: $table,
                    #[cfg(any(feature = "postgres", feature = "sqlite"))]
                    columns: &[
                        $($crate::storage::record::table::Column::new::<$Shared>(stringify!($shared)),)*
                        $($crate::storage::record::table::Column::new::<$Stored>(stringify!($stored)),)*
                    ],
                    references: &[$($crate::storage::record::table::Reference {
                        column: stringify!($reference),
                        kind: $parent,
                        #[cfg(any(feature = "postgres", feature = "sqlite"))]
                        is_keyed: {
                            let unkeyed: &[&str] = &[$(stringify!($unkeyed))?];
                            unkeyed.is_empty()
                        },
                    }),*],
                };
        }

        record!(@resource $Record { $($shared: $Shared,)* } $($becomes)*);
    };
    (@resource $Record:ident { $($shared:ident: $Shared:ty,)* }) => {};
    (@resource $Record:ident { $($shared:ident: $Shared:ty,)* } becomes $Resource:ident {
        $($other:ident: $value:expr,)*
    }) => {
        impl From<$Record> for $Resource {
            fn from(record: $Record) -> Self {
                let $Record { $($shared,)* .. } = record;
                Self { $($other: $value,)* $($shared,)* }
            }
        }

        resource_columns! {
            $Resource { $($shared: $Shared,)* } with { $($other: $value,)* }
        }
    };
}

/// Implements [`StoredResource`](crate::storage::sql::StoredResource): each field of the first block is a column. The
/// others have the given values, which can use the columns.
macro_rules! resource_columns {
    ($Resource:ident { $($field:ident: $Field:ty,)* } with { $($other:ident: $value:expr,)* }) => {
        #[cfg(any(feature = "postgres", feature = "sqlite"))]
        impl $crate::storage::sql::StoredResource for $Resource {
            const COLUMNS: &'static [$crate::storage::record::table::Column] =
                &[$($crate::storage::record::table::Column::new::<$Field>(stringify!($field))),*];

            fn read<R: $crate::storage::sql::SqlRow>(
                values: &mut $crate::storage::sql::Values<'_, R>,
            ) -> Result<Self, $crate::storage::StorageError> {
                $(let $field: $Field = values.take()?;)*
                Ok(Self { $($other: $value,)* $($field,)* })
            }

            fn arguments(&self) -> Vec<$crate::storage::sql::Argument<'_>> {
                vec![$($crate::storage::sql::Argument::of(&self.$field)),*]
            }
        }
    };
}

/// Declares the kinds of records: parents before children.
macro_rules! records {
    ($($(#[$doc:meta])* $kind:literal = $Kind:ident($Record:ident),)*) => {
        /// A line of the import format.
        ///
        /// [`From`] converts each record to the [resource](crate::resource) of its kind. The resource contains no other
        /// records: people and categories are `None` beside their ids, and the lists of columns, tasks and items are
        /// empty.
        ///
        /// [`Serialize`](serde::Serialize) writes a line that can be read again.
        #[derive(Debug, Clone, PartialEq, serde::Serialize)]
        #[serde(tag = "type", rename_all = "camelCase")]
        pub enum Record {
            $($(#[$doc])* $Kind($Record),)*
        }

        /// Parses a line with serde alone. An accepted line is valid, unless it contains U+0000.
        #[derive(serde::Deserialize)]
        #[serde(remote = "Record", tag = "type", rename_all = "camelCase")]
        enum Line {
            $($Kind($Record),)*
        }

        impl Record {
            /// The values of `type`, parents before children.
            pub const KINDS: [&'static str; [$($kind),*].len()] = [$($kind),*];

            /// The tables of the kinds, in the order of [`Record::KINDS`].
            #[cfg(any(feature = "postgres", feature = "sqlite"))]
            pub(in crate::storage) const TABLES: [&'static table::Table; [$($kind),*].len()] = [$(&$Record::TABLE),*];

            /// Returns the value of `type`.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$Kind(_) => $kind,)*
                }
            }

            #[cfg(any(feature = "memory", feature = "postgres", feature = "sqlite"))]
            pub(in crate::storage) fn stored(&self) -> &dyn table::StoredRecord {
                match self {
                    $(Self::$Kind(record) => record,)*
                }
            }

            /// Reads a row of the table of a kind.
            #[cfg(any(feature = "postgres", feature = "sqlite"))]
            pub(in crate::storage) fn read<R: $crate::storage::sql::SqlRow>(
                kind: &str,
                values: &mut $crate::storage::sql::Values<'_, R>,
            ) -> Result<Self, $crate::storage::StorageError> {
                match kind {
                    $($kind => $Record::read(values).map(Self::$Kind),)*
                    _ => Err($crate::storage::StorageError::backend("there is no such kind of record")),
                }
            }

            fn from_fields(kind: &str, fields: Fields) -> Result<Self, LoadFault> {
                match kind {
                    $($kind => read(fields).map(Self::$Kind),)*
                    _ => Err(LoadFault::new("type", &format!("expected one of {}", Self::KINDS.join(", ")))),
                }
            }
        }
    };
}
