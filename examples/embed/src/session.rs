//! Who is signed in: a one-time code becomes a session, whose secret is the cookie; the database has digests only.

use family_api_core::{Clock, Error, id::UserId, key::KeyDigest, key::KeySecret, storage::StorageError};
use family_api_salvo::{Failure, SessionAuthenticator};
use jiff::SignedDuration;
use salvo::{Depot, Request, Response, async_trait, handler, http::header::SET_COOKIE};

use crate::household::text;
use crate::storage::{Hearth, fault};

const SESSION: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The code turns into the session, so it opens none a second time.
const OPEN: &str = "UPDATE ticket SET digest = ?3, kind = 'session', until = ?4
    WHERE digest = ?1 AND kind = 'code' AND until > ?2";

const FIND: &str = "SELECT person FROM ticket WHERE digest = ?1 AND kind = 'session' AND until > ?2";

impl Hearth {
    /// A code that signs this person in once; the mail that brings it to them is left out here.
    pub async fn issue_code(&self, person: &UserId) -> Result<KeySecret, Error> {
        let (code, until) = (secret()?, self.now().saturating_add(SignedDuration::from_mins(15)).as_millis());
        let query = sqlx::query("INSERT INTO ticket (digest, kind, person, until) VALUES (?1, 'code', ?2, ?3)");
        let query = query.bind(digest(code.expose())).bind(person.as_str()).bind(until);
        query.execute(&self.pool).await.map_err(fault)?;
        Ok(code)
    }
}

/// `POST /sign-in`; behind TLS, the cookie would be `Secure` too.
pub(crate) struct SignIn(pub(crate) Hearth);

#[handler]
impl SignIn {
    async fn handle(&self, req: &mut Request, res: &mut Response) -> Result<&'static str, Failure> {
        let (code, session, now) = (text(req, "code").await?, secret()?, self.0.now());
        let query = sqlx::query(OPEN).bind(digest(&code)).bind(now.as_millis()).bind(digest(session.expose()));
        let query = query.bind(now.saturating_add(SESSION).as_millis()).execute(&self.0.pool);
        if query.await.map_err(|error| Error::from(fault(error)))?.rows_affected() == 0 {
            return Err(Error::NotSignedIn.into());
        }
        let (secret, age) = (session.expose(), SESSION.as_secs());
        let cookie = format!("hearth={secret}; HttpOnly; SameSite=Lax; Path=/; Max-Age={age}");
        res.add_header(SET_COOKIE, cookie, true).map_err(|error| Error::Internal(Box::new(error)))?;
        Ok("signed in\n")
    }
}

#[async_trait]
impl SessionAuthenticator for Hearth {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<UserId>, Error> {
        let cookie = req.cookie("hearth").map(|cookie| digest(cookie.value()));
        let query = sqlx::query_scalar(FIND).bind(cookie).bind(self.now().as_millis());
        let person: Option<String> = query.fetch_optional(&self.pool).await.map_err(fault)?;
        Ok(person.map(|person| person.parse()).transpose().map_err(StorageError::corrupt)?)
    }
}

/// Made as the tokens of the API are, and never taken for one.
fn secret() -> Result<KeySecret, Error> {
    let prefix = "hearthside_".parse().map_err(|error| Error::Internal(Box::new(error)))?;
    KeySecret::mint(&prefix).map_err(|error| Error::Unavailable(Box::new(error)))
}

fn digest(secret: &str) -> Vec<u8> {
    KeyDigest::of(secret).as_bytes().to_vec()
}
