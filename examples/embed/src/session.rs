//! Sign-in: a one-time code is exchanged for a session cookie. The database stores only digests of codes and cookies.

use family_api_core::storage::{SignedIn, StorageError};
use family_api_core::{Error, id::UserId, key::KeyDigest, key::KeySecret};
use family_api_salvo::{HttpError, MediaTypes, PrivateResponse, SessionAuthenticator};
use family_api_sql::sqlite::fault;
use jiff::SignedDuration;
use salvo::http::{HeaderValue, StatusCode, header::CONTENT_SECURITY_POLICY, header::SET_COOKIE};
use salvo::{Depot, Request, Response, async_trait, handler, writing::Redirect, writing::Text};

use crate::household::read_text;
use crate::storage::Hearth;

/// The lifetime of a session.
const SESSION_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);

impl Hearth {
    /// Creates a code that signs in this person once, and deletes expired codes and sessions. A real app would send the
    /// code by mail.
    pub async fn issue_code(&self, person: &UserId) -> Result<KeySecret, Error> {
        let (code, now) = (new_secret()?, self.clock.now());
        let delete_expired = sqlx::query("DELETE FROM ticket WHERE until <= ?1").bind(now.as_millis());
        delete_expired.execute(&self.writer).await.map_err(fault)?;
        let query = sqlx::query("INSERT INTO ticket (digest, kind, person, until) VALUES (?1, 'code', ?2, ?3)");
        let query = query.bind(digest(code.expose())).bind(person.as_str());
        let query = query.bind(now.saturating_add(SignedDuration::from_mins(15)).as_millis());
        query.execute(&self.writer).await.map_err(fault)?;
        Ok(code)
    }
}

/// `GET /sign-in`: the page on which a person enters a code.
#[handler]
pub(crate) fn sign_in_page(res: &mut Response) {
    let policy = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");
    res.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    res.render(Text::Html(include_str!("../sign_in.html")));
}

/// `POST /sign-in`: exchanges a code for a cookie. Then returns the person to the page that asked for the sign-in.
pub(crate) struct SignIn(pub(crate) Hearth);

#[handler]
impl SignIn {
    async fn handle(&self, req: &mut Request, res: &mut Response) -> Result<(), HttpError> {
        PrivateResponse::no_store(res);
        let is_form = MediaTypes::Form.matches(req);
        let code = if is_form { req.form("code").await.unwrap_or_default() } else { read_text(req, "code").await? };
        let (session, now) = (new_secret()?, self.0.clock.now());
        let query = sqlx::query(include_str!("sql/open_session.sql")).bind(digest(&code)).bind(now.as_millis());
        let query = query.bind(digest(session.expose())).bind(now.saturating_add(SESSION_LIFETIME).as_millis());
        if query.execute(&self.0.writer).await.map_err(fault)?.rows_affected() == 0 {
            return Err(Error::NotSignedIn.into());
        }
        let (secret, age) = (session.expose(), SESSION_LIFETIME.as_secs());
        let cookie = format!("hearth={secret}; HttpOnly; SameSite=Lax; Path=/; Max-Age={age}");
        res.add_header(SET_COOKIE, cookie, true).map_err(|error| Error::Internal(Box::new(error)))?;
        // A path of the API on this origin, never another site.
        let next = req.query::<String>("next").filter(|next| next.starts_with("/family/"));
        match next.map(|next| Redirect::with_status_code(StatusCode::SEE_OTHER, next)) {
            Some(Ok(redirect)) => res.render(redirect),
            _ => res.render("signed in\n"),
        }
        Ok(())
    }
}

#[async_trait]
impl SessionAuthenticator for Hearth {
    async fn user(&self, req: &Request, _: &Depot) -> Result<Option<SignedIn>, Error> {
        let (cookie, now) = (req.cookie("hearth"), self.clock.now());
        let query = sqlx::query_scalar(include_str!("sql/find_session.sql"));
        let query = query.bind(cookie.map(|cookie| digest(cookie.value()))).bind(now.as_millis());
        let person: Option<String> = query.fetch_optional(&self.readers).await.map_err(fault)?;
        let person: Option<UserId> = person.map(|person| person.parse()).transpose().map_err(StorageError::corrupt)?;
        Ok(person.map(SignedIn::from))
    }
}

/// Generates a secret with 256 random bits. The secret's prefix differs from the prefix of API tokens (`hearth_`), so
/// the API never accepts the secret as a token.
fn new_secret() -> Result<KeySecret, Error> {
    let prefix = "hearthside_".parse().map_err(|error| Error::Internal(Box::new(error)))?;
    KeySecret::generate(&prefix).map_err(|error| Error::Unavailable(Box::new(error)))
}

fn digest(secret: &str) -> Vec<u8> {
    KeyDigest::of(secret).as_bytes().to_vec()
}
