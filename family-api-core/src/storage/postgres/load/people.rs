//! Loading families, users and their keys.

use crate::storage::bulk::Kind;

const REGISTER_FAMILY: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'family', r.value ->> 0, r.value ->> 0, ($2::bigint[])[r.place], TRUE
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)";

const INSERT_FAMILY: &str = "
    INSERT INTO families
        (id, name, created_at, updated_at)
    SELECT r.value ->> 0, r.value ->> 1, (r.value ->> 2)::timestamptz, (r.value ->> 3)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)";

const REGISTER_USER: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'user', r.value ->> 0, f.id, ($2::bigint[])[r.place], r.value ->> 1 IS NULL OR f.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN families f ON f.id = r.value ->> 1";

const INSERT_USER: &str = "
    INSERT INTO users
        (id, family_id, name, email, image, color, emoji, display_currency, time_zone, personal_api_enabled,
         llm_model, llm_key_configured, created_at, updated_at)
    SELECT r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5,
           r.value ->> 6, r.value ->> 7, r.value ->> 8, (r.value ->> 9)::boolean, r.value ->> 10,
           (r.value ->> 11)::boolean, (r.value ->> 12)::timestamptz, (r.value ->> 13)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)";

const INSERT_PASSWORD: &str = "
    INSERT INTO passwords (user_id, phc)
    SELECT r.value ->> 0, r.value ->> 14
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    WHERE r.value ->> 14 IS NOT NULL";

const REGISTER_KEY: &str = "
    INSERT INTO known_ids
        (kind, id, family_id, number, has_parent)
    SELECT 'key', r.value ->> 1, NULL, ($2::bigint[])[r.place], u.id IS NOT NULL
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)
    LEFT JOIN users u ON u.id = r.value ->> 2";

const INSERT_KEY: &str = "
    INSERT INTO integration_keys
        (digest, id, user_id, name, hint, scopes, created_at, expires_at, revoked_at)
    SELECT decode(r.value ->> 0, 'hex'), r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4,
           ARRAY(SELECT jsonb_array_elements_text(r.value -> 5)), (r.value ->> 6)::timestamptz,
           (r.value ->> 7)::timestamptz, (r.value ->> 8)::timestamptz
    FROM jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (value, place)";

pub(super) const FAMILY: Kind = Kind::new("family", &[REGISTER_FAMILY, INSERT_FAMILY], "id");

pub(super) const USER: Kind = Kind::new("user", &[REGISTER_USER, INSERT_USER, INSERT_PASSWORD], "familyId");

pub(super) const KEY: Kind = Kind::new("key", &[REGISTER_KEY, INSERT_KEY], "userId");
