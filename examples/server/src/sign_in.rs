//! Sign-in with an e-mail address and a password.

use std::sync::Arc;

use family_api_core::key::KeySecret;
use family_api_core::resource::Profile;
use family_api_core::storage::CredentialStorage;
use family_api_core::validation::{BodyReader, Faults, FieldErrors, Json};
use family_api_core::{Error, FamilyApi, StorageCall};
use family_api_salvo::Peer;
use zeroize::Zeroizing;

use crate::audit::AuditLog;
use crate::password::PasswordQueue;
use crate::session::Sessions;
use crate::sign_in_audit::SignInAudit;
use crate::sign_in_limits::SignInLimits;

/// Verifies passwords and opens sessions.
pub(crate) struct SignIn {
    pub(crate) api: FamilyApi,
    pub(crate) credentials: Arc<dyn CredentialStorage>,
    pub(crate) passwords: PasswordQueue,
    pub(crate) sessions: Sessions,
    pub(crate) limits: SignInLimits,
    pub(crate) audit: AuditLog,
}

impl SignIn {
    /// Opens a session. Returns its secret and the user's profile.
    ///
    /// # Errors
    /// - [`Error::NotSignedIn`] for a wrong password, an unknown address and a user without a password. A client
    ///   cannot distinguish these three cases, not even by the response time.
    /// - [`Error::RateLimited`] after too many attempts.
    /// - [`Error::Overloaded`] if too many attempts wait for a free CPU core.
    /// - The error of the storage.
    pub(crate) async fn sign_in(&self, attempt: Attempt, peer: Option<Peer>) -> Result<(KeySecret, Profile), Error> {
        let counted = self.limits.begin(&attempt.email, peer);
        let counted = counted.inspect_err(|throttled| self.audit.sign_in_throttled(throttled.limit))?;
        let mut audit = SignInAudit::begin(self.audit);
        // If the client disconnects, this future is dropped here, and the attempt stays counted as failed. Otherwise a
        // client could disconnect to evade the limit.
        let outcome = self.open_session(attempt, &mut audit).await;
        if !matches!(outcome, Err(Error::NotSignedIn)) {
            counted.refund();
        }
        audit.finish(&outcome);
        outcome
    }

    async fn open_session(&self, attempt: Attempt, audit: &mut SignInAudit) -> Result<(KeySecret, Profile), Error> {
        let found = self.credentials.find_password(&attempt.email).traced("find_password").await?;
        let (user, hash) = found.unzip();
        audit.user.clone_from(&user);
        let verified_hash = self.passwords.verify(attempt.password, hash.flatten()).await?;
        let (user, hash) = user.zip(verified_hash).ok_or(Error::NotSignedIn)?;
        let caller = self.api.session_caller(&user.clone().into()).await?;
        let profile = self.api.profile(&caller)?.get().await?;
        let secret = self.sessions.open(user.clone(), &hash).await?;
        self.api.session_opened(&user);
        Ok((secret, profile))
    }
}

/// The credentials of a sign-in request.
pub(crate) struct Attempt {
    email: String,
    password: Zeroizing<String>,
}

impl Attempt {
    /// Returns the e-mail address that was entered.
    pub(crate) fn email(&self) -> &str {
        &self.email
    }

    /// Parses a JSON body.
    ///
    /// # Errors
    /// All faults of the body.
    pub(crate) fn from_json(body: Json) -> Result<Self, Faults> {
        let mut fields = BodyReader::new(body)?;
        let email = fields.required("email", string);
        let password = fields.required("password", string);
        let faults = fields.finish();
        match (email, password) {
            (Some(email), Some(password)) if faults.is_empty() => Ok(Self { email, password: password.into() }),
            _ => Err(faults),
        }
    }

    /// Parses a form by the same rules as a JSON body.
    ///
    /// # Errors
    /// All faults of the form.
    pub(crate) fn from_form(body: &[u8]) -> Result<Self, Faults> {
        let fields = form_urlencoded::parse(body);
        let members = fields.map(|(name, value)| (name.into_owned(), Json::String(value.into_owned())));
        Self::from_json(Json::Object(members.collect()))
    }
}

fn string(value: &Json) -> Result<String, FieldErrors> {
    Ok(value.as_str().ok_or("expected a string")?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(attempt: Result<Attempt, Faults>) -> Vec<String> {
        let faults = attempt.err().unwrap_or_default();
        faults.listed().iter().map(|fault| fault.pointer.clone()).collect()
    }

    #[test]
    fn both_fields_are_required_and_unknown_fields_are_refused() {
        let json = |text: &str| faults(Attempt::from_json(Json::parse(text.as_bytes()).unwrap()));
        assert!(json(r#"{"email": "a@b.example", "password": ""}"#).is_empty());
        assert_eq!(json(r#"{"email": null, "x": 1}"#), ["/email", "/password", "/x"]);
        assert_eq!(json("[]"), [""]);
        let attempt = Attempt::from_form(b"email=a%40b.example&password=x+y").unwrap_or_else(|_| panic!("refused"));
        assert_eq!((attempt.email.as_str(), attempt.password.as_str()), ("a@b.example", "x y"));
        assert_eq!(faults(Attempt::from_form(b"email=a&email=b&password=x")), ["/email"]);
        assert_eq!(faults(Attempt::from_form(b"")), ["/email", "/password"]);
    }
}
