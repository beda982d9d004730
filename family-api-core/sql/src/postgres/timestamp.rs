//! Encoding of timestamps as PostgreSQL's `timestamptz`.

use family_api_core::{InvalidTimestamp, Timestamp};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, Postgres, Type};

/// PostgreSQL's epoch, 2000-01-01, in milliseconds since the Unix epoch. PostgreSQL counts microseconds from there.
const EPOCH: i64 = 946_684_800_000;

/// The type `timestamptz`, by its object id in PostgreSQL.
const TYPE: PgTypeInfo = PgTypeInfo::with_oid(Oid(1184));

/// Encodes and decodes a [`Timestamp`] as `TIMESTAMPTZ(3)`.
pub(super) struct PgTimestamp(pub(super) Timestamp);

impl Type<Postgres> for PgTimestamp {
    fn type_info() -> PgTypeInfo {
        TYPE
    }
}

impl Encode<'_, Postgres> for PgTimestamp {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let micros = (self.0.as_millis() - EPOCH) * 1_000;
        <i64 as Encode<Postgres>>::encode(micros, buffer)
    }
}

/// Returns an error for `infinity`, and for years that a [`Timestamp`] does not support.
impl Decode<'_, Postgres> for PgTimestamp {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let micros = <i64 as Decode<Postgres>>::decode(value)?;
        let millis = micros.div_euclid(1_000).checked_add(EPOCH);
        Ok(Self(millis.and_then(Timestamp::from_millis).ok_or(InvalidTimestamp)?))
    }
}
