//! The declaration of a record.

/// Declares a record of the import format, and everything that follows from its fields.
///
/// - The struct, which serde reads strictly from a line. An `Option` that is absent is `null`.
/// - The [`Value`](super::value::Value) of its id, which has a type of its own.
/// - Its [`Table`](super::table::Table) and its [`StoredFields`](super::value::StoredFields): each field is a column of
///   the same name. What a database needs beyond that, it derives from these declarations.
/// - The ids that it refers to. A reference is `unkeyed` if a database has no foreign key for it.
/// - `From` the record for its resource, and the [stored fields](stored_fields) of the resource: equal fields are moved,
///   and the others have the given values. The fields of the second block are not in the resource.
macro_rules! record {
    (
        $(#[$doc:meta])*
        $Record:ident: $kind:literal in $table:literal {
            $(#[$id_doc:meta])* id: $OwnId:ty,
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
            $(#[$id_doc])*
            pub id: $OwnId,
            $($(#[$shared_doc])* pub $shared: $Shared,)*
            $($(#[$stored_doc])* pub $stored: $Stored,)*
        }

        stored_fields! {
            $Record { id: $OwnId, $($shared: $Shared,)* $($stored: $Stored,)* } with {}
        }

        impl $crate::storage::value::Value for $OwnId {
            const TYPE: $crate::storage::value::Type = $crate::storage::value::Type::Text;

            fn read(
                row: &impl $crate::storage::value::StoredRow,
                position: usize,
            ) -> Result<Option<Self>, $crate::storage::StorageError> {
                row.text(position)?.map(|text| text.parse().map_err($crate::storage::StorageError::corrupt)).transpose()
            }

            fn datum(value: Option<&Self>) -> $crate::storage::value::Datum<'_> {
                $crate::storage::value::Datum::Text(value.map(Self::as_str))
            }
        }

        impl $Record {
            /// The table of the records of this kind.
            pub const TABLE: $crate::storage::table::Table = $crate::storage::table::Table {
                kind: $kind,
                name: $table,
                columns: <Self as $crate::storage::value::StoredFields>::COLUMNS,
                references: &[$($crate::storage::table::Reference {
                    column: stringify!($reference),
                    kind: $parent,
                    is_keyed: {
                        let unkeyed: &[&str] = &[$(stringify!($unkeyed))?];
                        unkeyed.is_empty()
                    },
                }),*],
            };

            /// Returns the id of each reference of the table, or `None` if the record refers to none.
            pub(super) fn referenced_ids(&self) -> Vec<Option<&str>> {
                vec![$(Option::<&$Id>::from(&self.$reference).map(<$Id>::as_str)),*]
            }
        }

        record!(@resource $Record { id: $OwnId, $($shared: $Shared,)* } $($becomes)*);
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

        stored_fields! {
            $Resource { $($shared: $Shared,)* } with { $($other: $value,)* }
        }
    };
}

/// Declares the stored fields of a type: each field of the first block is a column. The others have the given values,
/// which can use the columns.
macro_rules! stored_fields {
    ($Type:ident { $($field:ident: $Field:ty,)* } with { $($other:ident: $value:expr,)* }) => {
        impl $crate::storage::value::StoredFields for $Type {
            const COLUMNS: &'static [$crate::storage::table::TableColumn] =
                &[$($crate::storage::table::TableColumn::of::<$Field>(stringify!($field))),*];

            fn read(
                values: &mut $crate::storage::value::Values<'_, impl $crate::storage::value::StoredRow>,
            ) -> Result<Self, $crate::storage::StorageError> {
                $(let $field: $Field = values.take()?;)*
                Ok(Self { $($other: $value,)* $($field,)* })
            }

            fn values(&self) -> Vec<$crate::storage::value::Datum<'_>> {
                vec![$($crate::storage::value::Datum::of(&self.$field)),*]
            }

            fn bare(&self) -> Self {
                $(let $field: $Field = self.$field.clone();)*
                Self { $($other: $value,)* $($field,)* }
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
            pub const TABLES: [&'static table::Table; [$($kind),*].len()] = [$(&$Record::TABLE),*];

            /// Returns the value of `type`.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                self.table().kind
            }

            /// Returns the table of the kind.
            #[must_use]
            pub const fn table(&self) -> &'static table::Table {
                match self {
                    $(Self::$Kind(_) => &$Record::TABLE,)*
                }
            }

            /// Returns the identifier.
            #[must_use]
            pub fn id(&self) -> &str {
                match self {
                    $(Self::$Kind(record) => record.id.as_str(),)*
                }
            }

            /// Returns the values of the table's columns.
            #[must_use]
            pub fn values(&self) -> Vec<value::Datum<'_>> {
                match self {
                    $(Self::$Kind(record) => record.values(),)*
                }
            }

            /// Returns the id of each reference of the table, or `None` if the record refers to none.
            fn referenced_ids(&self) -> Vec<Option<&str>> {
                match self {
                    $(Self::$Kind(record) => record.referenced_ids(),)*
                }
            }

            /// Reads the columns of the table of a kind.
            ///
            /// # Errors
            /// [`StorageError`](crate::storage::StorageError) if a value is invalid, or if there is no such kind.
            pub fn read(
                kind: &str,
                values: &mut value::Values<'_, impl value::StoredRow>,
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
