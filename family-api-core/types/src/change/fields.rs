//! The declaration of the fields of a record's changes.

use crate::validation::Field;
use crate::validation::body_fields::{BodyFields, Rule};

/// The two bodies in which the fields of a record are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyKind {
    /// The body of a PATCH request.
    Update,
    /// The body of a POST request.
    New,
}

impl BodyKind {
    pub(super) const fn description(self) -> &'static str {
        match self {
            Self::Update => "Changes the fields that are present. Other fields keep their values.",
            Self::New => "The fields of the new record.",
        }
    }
}

/// A visitor of the fields of one of the bodies. The methods are the words with which [`change!`] declares a field.
pub(super) struct RecordFields<'a, F> {
    pub(super) fields: &'a mut F,
    pub(super) kind: BodyKind,
}

impl<F: BodyFields> RecordFields<'_, F> {
    /// Visits a field that every record has. It is required in a new record.
    pub(super) fn required<R: Rule>(
        &mut self,
        name: &'static str,
        rule: R,
        description: &'static str,
    ) -> Option<R::Value> {
        match self.kind {
            BodyKind::Update => self.fields.optional(name, rule, description),
            BodyKind::New => self.fields.required(name, rule, description),
        }
    }

    /// Visits a field that every record has. A new record has a default value.
    pub(super) fn optional<R: Rule>(
        &mut self,
        name: &'static str,
        rule: R,
        description: &'static str,
    ) -> Option<R::Value> {
        self.fields.optional(name, rule, description)
    }

    /// Visits a field that can be set only in a new record.
    pub(super) fn new_only<R: Rule>(
        &mut self,
        name: &'static str,
        rule: R,
        description: &'static str,
    ) -> Option<R::Value> {
        match self.kind {
            BodyKind::Update => None,
            BodyKind::New => self.fields.optional(name, rule, description),
        }
    }

    /// Visits a field that can be set only in an update. In a new record, it is the container in the path.
    pub(super) fn update_only<R: Rule>(
        &mut self,
        name: &'static str,
        rule: R,
        description: &'static str,
    ) -> Option<R::Value> {
        match self.kind {
            BodyKind::Update => self.fields.optional(name, rule, description),
            BodyKind::New => None,
        }
    }

    /// Visits a field that is in no body. In a new record, it is the container in the path.
    #[expect(clippy::unused_self, reason = "has the signature of the other methods")]
    pub(super) fn path_only<R: Rule>(&mut self, _: &'static str, _: R, _: &'static str) -> Option<R::Value> {
        None
    }

    /// Visits a field that can be `null`.
    pub(super) fn nullable<R: Rule>(
        &mut self,
        name: &'static str,
        rule: R,
        description: &'static str,
    ) -> Field<R::Value> {
        self.fields.nullable(name, rule, description)
    }

    /// Visits a field that can be `null` or an empty string. Both clear the field.
    pub(super) fn clearable<T, R: Rule<Value = Option<T>>>(
        &mut self,
        name: &'static str,
        rule: R,
        description: &'static str,
    ) -> Field<T> {
        self.nullable(name, rule, description).empty_as_clear()
    }
}

/// Declares a change of a record, and everything that follows from its fields:
///
/// - The struct, whose JSON is the body of a PATCH or POST request.
/// - `build` and `build_new`, which return the valid update of the record that `of` names. `in` names the field of the
///   container of a new record.
/// - The methods that set its fields. `set` takes a value, `list` takes strings, `users` takes ids of users, `flag` sets
///   a fixed value, and `clear` removes the value.
/// - `read`, `read_new` and `schema`, the parsers and schemas of both bodies. [`bodies!`] makes them functions of the
///   record.
///
/// The first word of a field is the method of [`RecordFields`] that visits it.
macro_rules! change {
    (
        $(#[$doc:meta])*
        $Change:ident => $Update:ident of $Record:ident $(in $container:ident: $Container:ty)? {$(
            $presence:ident $field:ident: $Value:ty = $name:literal, $rule:expr, $description:expr, {$(
                $(#[$method_doc:meta])*
                $verb:ident $method:ident $(($Argument:ty))? $(= $flag:literal)?;
            )*}
        )*}
        example { $($example:tt)* }
    ) => {
        $(#[$doc])*
        ///
        /// The values are not checked before [`build`](Self::build). The JSON of a change is the body of the request.
        #[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
        pub struct $Change {$(
            #[serde(rename = $name, skip_serializing_if = "crate::validation::FieldSlot::is_kept")]
            pub(crate) $field: $crate::change::fields::change!(@slot $presence $Value),
        )*}

        impl $Change {
            /// Creates a change without any field.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            /// Checks the change of a record.
            ///
            /// # Errors
            /// The faults of the values.
            pub fn build(&self) -> Result<$Update, $crate::validation::Faults> {
                <$Record as $crate::change::Editable>::parse_update($crate::validation::Json::of(self))
            }

            /// Checks the fields of a new record.
            ///
            /// # Errors
            /// The faults of the values, and of required fields that are absent.
            pub fn build_new(
                &self,
                $($container: &$Container)?
            ) -> Result<$crate::change::New<$Update>, $crate::validation::Faults> {
                let container = $crate::change::fields::change!(@container $($container)?);
                <$Record as $crate::change::Editable>::parse_new(container, $crate::validation::Json::of(self))
            }

            $($(
                $crate::change::fields::change! {
                    @$verb $(#[$method_doc])* $method $(($Argument))? $(= $flag)?; $field: $Value
                }
            )*)*
        }

        impl $Change {
            /// Visits every field.
            fn declare<F: $crate::validation::body_fields::BodyFields>(
                fields: &mut $crate::change::fields::RecordFields<'_, F>,
            ) -> Self {
                Self { $($field: fields.$presence($name, $rule, $description),)* }
            }

            /// Parses the fields of a body.
            pub(super) fn read(
                kind: $crate::change::fields::BodyKind,
                body: $crate::validation::BodyReader,
            ) -> Result<Self, $crate::validation::Faults> {
                body.read(|fields| Some(Self::declare(&mut $crate::change::fields::RecordFields { fields, kind })))
            }

            /// Parses the body of a new record in the container.
            pub(super) fn read_new(
                container: Option<&str>,
                body: $crate::validation::Json,
            ) -> Result<Self, $crate::validation::Faults> {
                let body = $crate::validation::BodyReader::new(body)?;
                let change = Self::read($crate::change::fields::BodyKind::New, body)?;
                let _ = container;
                // An absent container is not found, because no id is empty.
                $(let change = Self { $container: Some(container.unwrap_or_default().into()), ..change };)?
                Ok(change)
            }

            /// Returns the JSON schema of a body, with an example of each field that has one.
            pub(super) fn schema(kind: $crate::change::fields::BodyKind) -> serde_json::Value {
                let example = serde_json::json!({ $($example)* });
                $crate::validation::body_fields::BodySchema::of(kind.description(), example, |fields| {
                    Self::declare(&mut $crate::change::fields::RecordFields { fields, kind });
                })
            }

            /// Returns whether the change has no field.
            pub(super) fn is_empty(&self) -> bool {
                *self == Self::default()
            }
        }
    };

    (@container) => { None };
    (@container $container:ident) => { Some($container.as_str()) };

    (@slot nullable $Value:ty) => { $crate::validation::Field<$Value> };
    (@slot clearable $Value:ty) => { $crate::validation::Field<$Value> };
    (@slot $presence:ident $Value:ty) => { Option<$Value> };

    (@set $(#[$doc:meta])* $method:ident ($Argument:ty); $field:ident: $Value:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $method(self, $field: $Argument) -> Self {
            let value: $Value = $field.into();
            Self { $field: value.into(), ..self }
        }
    };
    (@list $(#[$doc:meta])* $method:ident; $field:ident: $Value:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $method<T: Into<String>>(self, $field: impl IntoIterator<Item = T>) -> Self {
            Self { $field: Some($field.into_iter().map(Into::into).collect()), ..self }
        }
    };
    (@users $(#[$doc:meta])* $method:ident; $field:ident: $Value:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $method<'a>(self, $field: impl IntoIterator<Item = &'a $crate::id::UserId>) -> Self {
            Self { $field: Some($field.into_iter().map(Into::into).collect()), ..self }
        }
    };
    (@flag $(#[$doc:meta])* $method:ident = $flag:literal; $field:ident: $Value:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $method(self) -> Self {
            Self { $field: Some($flag), ..self }
        }
    };
    (@clear $(#[$doc:meta])* $method:ident; $field:ident: $Value:ty) => {
        $(#[$doc])*
        #[must_use]
        pub fn $method(self) -> Self {
            Self { $field: $crate::validation::Field::Clear, ..self }
        }
    };
}

pub(super) use change;

/// Implements the functions of [`Editable`](crate::change::Editable) for bodies, from a change that is declared with
/// [`change!`].
macro_rules! bodies {
    ($Change:ident) => {
        fn parse_update(body: $crate::validation::Json) -> Result<Self::Update, $crate::validation::Faults> {
            let body = $crate::validation::BodyReader::new(body)?;
            $Change::read($crate::change::fields::BodyKind::Update, body).map($crate::change::ValidChange)
        }

        fn parse_new(
            container: Option<&str>,
            body: $crate::validation::Json,
        ) -> Result<$crate::change::New<Self::Update>, $crate::validation::Faults> {
            $Change::read_new(container, body).map(|change| $crate::change::New($crate::change::ValidChange(change)))
        }

        fn update_schema() -> serde_json::Value {
            $Change::schema($crate::change::fields::BodyKind::Update)
        }

        fn new_schema() -> serde_json::Value {
            $Change::schema($crate::change::fields::BodyKind::New)
        }

        fn is_empty(update: &Self::Update) -> bool {
            update.0.is_empty()
        }
    };
}

pub(super) use bodies;
