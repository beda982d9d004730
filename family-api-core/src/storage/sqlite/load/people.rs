//! Families, users and their keys.

use crate::storage::sqlite::load::statement::{Refusals, Statement};
use crate::storage::{FamilyRecord, KeyRecord, StorageError, UserRecord};

const FAMILY: &str = "INSERT INTO families (id, name, created_at, updated_at) VALUES (?1, ?2, ?3, ?4)";

const USER: &str = "
    INSERT INTO users
        (id, family_id, name, email, image, color, emoji, display_currency, time_zone, personal_api_enabled, llm_model,
         llm_key_configured, created_at, updated_at)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14
    WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM families WHERE id = ?2)";

const PASSWORD: &str = "INSERT INTO passwords (user_id, phc) VALUES (?1, ?2)";

const KEY: &str = "
    INSERT INTO integration_keys (digest, id, user_id, name, hint, scopes, created_at, expires_at, revoked_at)
    SELECT ?1, ?2, u.id, ?4, ?5, ?6, ?7, ?8, ?9 FROM users u WHERE u.id = ?3";

pub(super) fn family(family: FamilyRecord) -> Statement {
    let query = sqlx::query(FAMILY)
        .bind(String::from(family.id))
        .bind(family.name)
        .bind(String::from(family.created_at))
        .bind(String::from(family.updated_at));
    Statement { query, refused: Refusals::parent("id") }
}

pub(super) fn user(user: UserRecord) -> Vec<Statement> {
    let id = String::from(user.id);
    let password = user.password_hash.map(|hash| Statement {
        query: sqlx::query(PASSWORD).bind(id.clone()).bind(hash.expose().to_owned()),
        refused: Refusals::parent("id"),
    });
    let query = sqlx::query(USER)
        .bind(id)
        .bind(user.family_id.map(String::from))
        .bind(user.name)
        .bind(user.email)
        .bind(user.image)
        .bind(user.color)
        .bind(user.emoji)
        .bind(user.display_currency)
        .bind(String::from(user.time_zone))
        .bind(user.personal_api_enabled)
        .bind(user.llm_model)
        .bind(user.llm_key_configured)
        .bind(String::from(user.created_at))
        .bind(String::from(user.updated_at));
    let user = Statement { query, refused: Refusals::parent("familyId") };
    std::iter::once(user).chain(password).collect()
}

pub(super) fn key(key: KeyRecord) -> Result<Statement, StorageError> {
    let query = sqlx::query(KEY)
        .bind(key.token_hash.as_bytes().to_vec())
        .bind(String::from(key.id))
        .bind(String::from(key.user_id))
        .bind(key.name)
        .bind(key.hint)
        .bind(serde_json::to_string(&key.scopes).map_err(StorageError::backend)?)
        .bind(String::from(key.created_at))
        .bind(key.expires_at.map(String::from))
        .bind(key.revoked_at.map(String::from));
    Ok(Statement { query, refused: Refusals::parent("userId") })
}
