//! Loading families, users and their keys.

use crate::storage::bulk::Kind;

const INSERT_FAMILY: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO families
        (id, name, created_at, updated_at)
    SELECT r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3
    FROM r";

const INSERT_USER: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO users
        (id, family_id, name, email, image, color, emoji, display_currency, time_zone, personal_api_enabled,
         llm_model, llm_key_configured, created_at, updated_at)
    SELECT r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6,
           r.value ->> 7, r.value ->> 8, r.value ->> 9, r.value ->> 10, r.value ->> 11, r.value ->> 12, r.value ->> 13
    FROM r";

const INSERT_KEY: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO integration_keys
        (digest, id, user_id, name, hint, scopes, created_at, expires_at, revoked_at)
    SELECT unhex(r.value ->> 0), r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           r.value ->> 6, r.value ->> 7, r.value ->> 8
    FROM r";

const INSERT_PASSWORD: &str = "
    WITH r AS (SELECT value FROM jsonb_each(?1) LIMIT -1)
    INSERT INTO passwords (user_id, phc)
    SELECT r.value ->> 0, r.value ->> 14 FROM r WHERE r.value ->> 14 IS NOT NULL";

pub(super) const FAMILY: Kind = Kind::new("family", &[INSERT_FAMILY], "id");

pub(super) const USER: Kind = Kind::new("user", &[INSERT_USER, INSERT_PASSWORD], "familyId");

pub(super) const KEY: Kind = Kind::new("key", &[INSERT_KEY], "userId");
