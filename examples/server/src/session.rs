//! Sessions: opened by a sign-in, identified by a cookie. The database stores only the digest of the secret.

use std::sync::Arc;

use family_api_core::id::UserId;
use family_api_core::key::{KeyDigest, KeyPrefix, KeySecret};
use family_api_core::storage::{CredentialStorage, PasswordHash, Session, SignedIn};
use family_api_core::{Clock, Error, StorageCall};
use family_api_salvo::SessionAuthenticator;
use jiff::SignedDuration;
use salvo::http::HeaderMap;
use salvo::{Depot, Request, async_trait};

use crate::cookie::{self, LIFETIME_SECONDS};

/// Prefix of session secrets, by which they differ from integration keys.
const PREFIX: &str = "session_";

/// The sessions of the server's users.
#[derive(Clone)]
pub(crate) struct Sessions {
    credentials: Arc<dyn CredentialStorage>,
    clock: Arc<dyn Clock>,
}

impl Sessions {
    pub(crate) fn new(credentials: Arc<dyn CredentialStorage>, clock: impl Clock + 'static) -> Self {
        Self { credentials, clock: Arc::new(clock) }
    }

    /// Opens a session for a user whose password was verified against `verified_hash`.
    ///
    /// # Errors
    /// - [`Error::NotSignedIn`] if the password was changed after the verification.
    /// - [`Error::Unavailable`] if the operating system returns no random bytes.
    /// - The error of the storage.
    pub(crate) async fn open(&self, user: UserId, verified_hash: &PasswordHash) -> Result<KeySecret, Error> {
        let prefix: KeyPrefix = PREFIX.parse().map_err(|error| Error::Internal(Box::new(error)))?;
        let secret = KeySecret::generate(&prefix).map_err(|error| Error::Unavailable(Box::new(error)))?;
        let created_at = self.clock.now();
        let expires_at = created_at.saturating_add(SignedDuration::from_secs(LIFETIME_SECONDS));
        let session = Session { digest: secret.digest(), user, created_at, expires_at };
        if self.credentials.insert_session(&session, verified_hash).traced("insert_session").await? {
            Ok(secret)
        } else {
            Err(Error::NotSignedIn)
        }
    }

    /// Returns the digest and the user of the request's session, or `None` without a valid session.
    ///
    /// # Errors
    /// The error of the storage.
    pub(crate) async fn find(&self, headers: &HeaderMap) -> Result<Option<(KeyDigest, UserId)>, Error> {
        let Some(digest) = cookie::session_digest(headers) else {
            return Ok(None);
        };
        let user = self.credentials.find_session(&digest, self.clock.now()).traced("find_session").await?;
        Ok(user.map(|user| (digest, user)))
    }

    /// Ends a session. After this method has returned, the server refuses the session's cookie.
    ///
    /// # Errors
    /// [`Error::NotSignedIn`] if another request has already ended the session, or the error of the storage.
    pub(crate) async fn close(&self, session: &KeyDigest) -> Result<(), Error> {
        let was_open = self.credentials.delete_session(session).traced("delete_session").await?;
        if was_open { Ok(()) } else { Err(Error::NotSignedIn) }
    }
}

#[async_trait]
impl SessionAuthenticator for Sessions {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        let session = self.find(req.headers()).await?;
        Ok(session.map(|(digest, user)| SignedIn { user, session: Some(digest) }))
    }
}

#[cfg(test)]
mod tests {
    use family_api_core::storage::{BulkLoad, Record};
    use family_api_core::{ManualClock, Timestamp};
    use family_api_sql::sqlite::SqliteStorage;
    use salvo::http::header::COOKIE;

    use super::*;

    const USER: &str = r#"{"type":"user","id":"ana","name":"Ana","email":"ana@family.example","displayCurrency":"EUR","timeZone":"UTC","personalApiEnabled":true,"llmKeyConfigured":false,"createdAt":"2026-11-20T00:00:00Z","updatedAt":"2026-11-20T00:00:00Z"}"#;

    #[tokio::test]
    async fn a_session_expires_after_exactly_thirty_days() {
        let folder = tempfile::tempdir().unwrap();
        let storage = SqliteStorage::open(folder.path().join("family.db")).await.unwrap();
        let mut loader = storage.begin_load().await.unwrap();
        loader.insert(Record::from_json(USER.as_bytes()).unwrap()).await.unwrap();
        loader.commit().await.unwrap();
        let hash = PasswordHash::new("$argon2id$any".to_owned());
        assert!(storage.update_password(&"ana".parse().unwrap(), &hash).await.unwrap());
        let clock = ManualClock::new("2026-11-20T09:00:00Z".parse::<Timestamp>().unwrap());
        let sessions = Sessions::new(Arc::new(storage), clock.clone());
        let secret = sessions.open("ana".parse().unwrap(), &hash).await.unwrap();
        let cookie = format!("{}={}", cookie::NAME, secret.expose());
        let headers: HeaderMap = [(COOKIE, cookie.parse().unwrap())].into_iter().collect();

        clock.set("2026-12-20T08:59:59.999Z".parse().unwrap());
        let live = Some((secret.digest(), "ana".parse().unwrap()));
        assert_eq!(sessions.find(&headers).await.unwrap(), live);
        clock.advance(SignedDuration::from_millis(1));
        assert_eq!(sessions.find(&headers).await.unwrap(), None);

        sessions.close(&secret.digest()).await.unwrap();
        assert!(matches!(sessions.close(&secret.digest()).await, Err(Error::NotSignedIn)));
    }
}
