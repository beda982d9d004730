//! Instants as PostgreSQL keeps them.

use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::types::Oid;
use sqlx::postgres::{PgArgumentBuffer, PgTypeInfo, PgValueRef};
use sqlx::{Decode, Encode, Postgres, Type};

use crate::{InvalidTimestamp, Timestamp};

/// Milliseconds from the Unix epoch to the one that PostgreSQL counts microseconds from: 2000-01-01.
const EPOCH: i64 = 946_684_800_000;

/// `timestamptz`
const TYPE: PgTypeInfo = PgTypeInfo::with_oid(Oid(1184));

/// A [`Timestamp`] on its way into a `TIMESTAMPTZ(3)` or out of it.
pub(super) struct Instant(pub(super) Timestamp);

impl Type<Postgres> for Instant {
    fn type_info() -> PgTypeInfo {
        TYPE
    }
}

impl Encode<'_, Postgres> for Instant {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        let micros = (self.0.as_millis() - EPOCH) * 1_000;
        <i64 as Encode<Postgres>>::encode(micros, buffer)
    }
}

/// `infinity` and the years that no [`Timestamp`] has are refused.
impl Decode<'_, Postgres> for Instant {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        let micros = <i64 as Decode<Postgres>>::decode(value)?;
        let millis = micros.div_euclid(1_000).checked_add(EPOCH);
        Ok(Self(millis.and_then(Timestamp::from_millis).ok_or(InvalidTimestamp)?))
    }
}
