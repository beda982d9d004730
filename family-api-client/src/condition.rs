//! Which condition a call can have. A type marks it, so that other calls do not have the methods of the condition.

#[cfg(doc)]
use crate::Call;

/// Marks a [`Call`] without a condition.
#[derive(Debug)]
pub enum Unconditional {}

/// Marks a [`Call`] that can require a version of the record: an update or a deletion.
#[derive(Debug)]
pub enum Conditional {}

/// Marks a [`Call`] that reads data with an entity tag.
#[derive(Debug)]
pub enum Reading {}

/// Marks a [`Call`] that returns `None` if the data is still at the version that the caller has.
#[derive(Debug)]
pub enum IfChanged {}

/// Marks a [`Call`] that creates a record, at most once for each idempotency key.
#[derive(Debug)]
pub enum Creation {}

/// The condition of a [`Call`]: its second parameter.
pub trait Condition: sealed::Condition {}

impl<C: sealed::Condition> Condition for C {}

/// The condition of a [`Call`] that writes, which a [`Batch`](crate::Batch) can contain. Only this crate implements it.
pub trait WriteCondition: Condition {}

impl WriteCondition for Unconditional {}
impl WriteCondition for Conditional {}
impl WriteCondition for Creation {}

mod sealed {
    use crate::RawJson;

    pub trait Condition {
        /// What [`raw`](crate::Call::raw) makes the call return.
        type Raw: 'static;

        /// Decodes the JSON of a response. A response that says that the data is unchanged has no JSON.
        fn decode<E>(is_unchanged: bool, json: impl FnOnce() -> Result<RawJson, E>) -> Result<Self::Raw, E>;
    }

    macro_rules! always_returns_json {
        ($($condition:ident)*) => {
            $(
                impl Condition for super::$condition {
                    type Raw = RawJson;

                    fn decode<E>(_: bool, json: impl FnOnce() -> Result<RawJson, E>) -> Result<RawJson, E> {
                        json()
                    }
                }
            )*
        };
    }

    always_returns_json!(Unconditional Conditional Reading Creation);

    impl Condition for super::IfChanged {
        type Raw = Option<RawJson>;

        fn decode<E>(is_unchanged: bool, json: impl FnOnce() -> Result<RawJson, E>) -> Result<Option<RawJson>, E> {
            (!is_unchanged).then(json).transpose()
        }
    }
}
