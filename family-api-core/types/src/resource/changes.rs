//! What has changed in a family's data, as its members see it (HTTP reference, "Changes").

use serde::{Deserialize, Serialize};

use crate::resource::RecordKind;

/// The changes between two states of a family's data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct ChangeList {
    /// The state that the request named; null if it named none.
    pub old_state: Option<String>,
    /// The state after the changes, for the next request.
    pub new_state: String,
    /// Whether there are more changes after `newState`.
    pub has_more: bool,
    /// The records that were created or changed, or that the user sees since a change, each as it is now. Containers
    /// come before their contents.
    pub changed: Vec<ChangedRecord>,
    /// The records that were deleted, or that the user does not see any more.
    pub deleted: Vec<DeletedRecordId>,
}

/// A record that has changed, as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangedRecord {
    /// Identifier of the record.
    pub id: String,
    /// The kind, and the record without the records that it contains.
    #[serde(flatten)]
    pub record: AnyRecord,
}

/// A record that the user does not see any more.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DeletedRecordId {
    /// The kind of the record.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub kind: RecordKind,
    /// Identifier of the record.
    pub id: String,
}

/// Declares [`AnyRecord`] with a variant for each kind of record.
macro_rules! any_record {
    ($($method:ident: $Record:ident,)*) => {
        /// A record of any kind.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "kind", content = "record", rename_all = "snake_case")]
        pub enum AnyRecord {
            $(
                /// A record of the kind that the variant names.
                $Record(Box<crate::resource::$Record>),
            )*
        }

        $(
            impl From<crate::resource::$Record> for AnyRecord {
                fn from(record: crate::resource::$Record) -> Self {
                    Self::$Record(Box::new(record))
                }
            }
        )*

        impl AnyRecord {
            /// Returns the kind of the record.
            #[must_use]
            pub const fn kind(&self) -> RecordKind {
                match self {
                    $(Self::$Record(_) => RecordKind::$Record,)*
                }
            }

            /// Returns the identifier of the record.
            #[must_use]
            pub fn id(&self) -> &str {
                match self {
                    $(Self::$Record(record) => record.id.as_str(),)*
                }
            }
        }

        /// The schema names the fields in one object. A combination of schemas would have no type in most languages.
        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for ChangedRecord {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                "ChangedRecord".into()
            }

            fn json_schema(schemas: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let records = [$(schemas.subschema_for::<crate::resource::$Record>()),*];
                schemars::json_schema!({
                    "type": "object",
                    "description": "A record that has changed, as it is now.",
                    "required": ["kind", "id", "record"],
                    "properties": {
                        "kind": { "type": "string", "description": "The kind of the record." },
                        "id": { "type": "string", "description": "Identifier of the record." },
                        "record": {
                            "description": "The record without the records that it contains.",
                            "anyOf": records,
                        },
                    },
                })
            }
        }
    };
}

crate::for_each_kind!(any_record);

impl ChangedRecord {
    /// Returns the changed record with its identifier.
    pub fn new(record: impl Into<AnyRecord>) -> Self {
        let record = record.into();
        Self { id: record.id().to_owned(), record }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::resource::NoteCategory;

    #[test]
    fn a_changed_record_has_its_kind_its_id_and_its_fields() {
        let category = NoteCategory {
            id: "c".parse().unwrap(),
            name: "Recipes".to_owned(),
            emoji: None,
            color: None,
            parent_id: None,
        };
        let changed = ChangedRecord::new(category.clone());
        let json = serde_json::to_value(&changed).unwrap();
        assert_eq!(json, json!({ "kind": "note_category", "id": "c", "record": category }));
        assert_eq!(serde_json::from_value::<ChangedRecord>(json).unwrap(), changed);
        for kind in RecordKind::ALL {
            let unknown = json!({ "kind": kind, "id": "c", "record": {} });
            assert!(serde_json::from_value::<ChangedRecord>(unknown).is_err(), "{kind:?}");
        }
    }
}
