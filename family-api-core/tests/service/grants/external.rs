//! Tokens of an authorization server of the host.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use family_api_core::TokenVerifier;
use family_api_core::access::{TokenId, VerifiedToken};
use family_api_core::key::{KeyMode, Scope};
use family_api_core::resource::{Note, Verb};
use family_api_core::{Endpoint, Error, FamilyApi, Precondition, Surface};

use crate::fixture::{Fixture, create_key, rename_note};
use crate::grants::client::admit_mcp;

/// Accepts one token for a user, as long as it is set. Counts its calls.
#[derive(Default)]
struct Verifier {
    accepted: Mutex<Option<(String, VerifiedToken)>>,
    calls: Mutex<usize>,
}

#[async_trait]
impl TokenVerifier for Verifier {
    async fn verify(&self, token: &str, surface: Surface) -> Result<Option<VerifiedToken>, Error> {
        *self.calls.lock().unwrap() += 1;
        if token == "fault" {
            return Err(Error::Unavailable("the authorization server does not respond".into()));
        }
        let accepted = self.accepted.lock().unwrap().clone();
        Ok(accepted.filter(|(text, _)| text == token && surface == Surface::V1).map(|(_, verified)| verified))
    }
}

impl Verifier {
    fn accept(&self, token: &str, user: &str) {
        let scopes = KeyMode::V1ReadWrite.scopes();
        let verified = VerifiedToken { id: "jti".to_owned(), user: user.parse().unwrap(), scopes };
        *self.accepted.lock().unwrap() = Some((token.to_owned(), verified));
    }

    fn take_calls(&self) -> usize {
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}

async fn setup(token: &str) -> (Fixture, Arc<Verifier>, FamilyApi) {
    let fixture = Fixture::new().await;
    let verifier = Arc::new(Verifier::default());
    verifier.accept(token, "ana");
    let api = fixture.builder().token_verifier(verifier.clone()).build();
    (fixture, verifier, api)
}

#[tokio::test]
async fn an_external_token_is_accepted_on_mcp_endpoints_only() {
    let token = "j".repeat(8_192);
    let (_fixture, verifier, api) = setup(&token).await;
    let caller = admit_mcp(&api, &token, Surface::V1).await.caller.unwrap();
    assert_eq!((caller.user().as_str(), caller.token()), ("ana", Some(&TokenId::External("jti".to_owned()))));
    let refused = async |surface, endpoint| {
        let header = format!("Bearer {token}");
        api.admit([header.as_bytes()], surface, endpoint).await.caller.unwrap_err().code().as_str()
    };
    assert_eq!(verifier.take_calls(), 1);
    assert_eq!(refused(Surface::V1, Endpoint::Rest).await, "invalid_token");
    assert_eq!(verifier.take_calls(), 0);
    assert_eq!(refused(Surface::ReadPath, Endpoint::Mcp).await, "invalid_token");
    let longer = format!("{token}j");
    assert_eq!(verifier.take_calls(), 1);
    assert!(admit_mcp(&api, &longer, Surface::V1).await.caller.is_err());
    assert_eq!(verifier.take_calls(), 0);
}

#[tokio::test]
async fn a_key_is_not_sent_to_the_verifier() {
    let (_fixture, verifier, api) = setup("jwt").await;
    let key = create_key(&api, "ana").await.token;
    assert!(admit_mcp(&api, key.expose(), Surface::V1).await.caller.is_ok());
    assert!(admit_mcp(&api, &format!("{}x", key.expose()), Surface::V1).await.caller.is_err());
    assert_eq!(verifier.take_calls(), 0);
}

#[tokio::test]
async fn a_fault_of_the_verifier_is_an_error() {
    let (_fixture, _verifier, api) = setup("jwt").await;
    let failed = admit_mcp(&api, "fault", Surface::V1).await.caller.unwrap_err();
    assert_eq!(failed.code().as_str(), "unavailable");
}

#[tokio::test]
async fn an_external_token_is_verified_again_before_a_change() {
    let (_fixture, verifier, api) = setup("jwt").await;
    let caller = admit_mcp(&api, "jwt", Surface::V1).await.caller.unwrap();
    verifier.take_calls();
    rename_note(&api, &caller, "Stew").await;
    assert_eq!(verifier.take_calls(), 1);

    let note = "note".into();
    let delete = async || {
        let deleted = api.records::<Note>(&caller, Verb::Delete).unwrap().delete(&note, &Precondition::None).await;
        deleted.unwrap_err().code().as_str()
    };
    verifier.accept("jwt", "ben");
    assert_eq!(delete().await, "invalid_token");
    verifier.accept("jwt", "ana");
    verifier.accepted.lock().unwrap().as_mut().unwrap().1.scopes = [Scope::V1Read].into_iter().collect();
    assert_eq!(delete().await, "insufficient_scope");
    verifier.accept("other", "ana");
    assert_eq!(delete().await, "invalid_token");
}

#[tokio::test]
async fn an_external_token_needs_an_existing_user_and_the_personal_api() {
    let (_fixture, verifier, api) = setup("jwt").await;
    for (user, expected) in [("nobody", "invalid_token"), ("dan", "api_disabled"), ("cleo", "no_family")] {
        verifier.accept("jwt", user);
        let refused = admit_mcp(&api, "jwt", Surface::V1).await.caller.unwrap_err();
        assert_eq!(refused.code().as_str(), expected, "{user}");
    }
}
