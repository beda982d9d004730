//! Reused and misused codes and refresh tokens.

use family_api_core::grant::{AuthorizationCode, CodeRedemption, Refresh, RefreshToken, TokenError, UnknownResource};
use family_api_core::{FamilyApi, Surface};

use crate::fixture::Fixture;
use crate::grants::client::{
    admit_mcp, api, approve, assert_invalid_grant, connect, connected, connections, present, redeem, redemption,
    refresh, refresh_of, refusal, setup,
};

/// Returns the reasons for which connections ended since the last call.
pub(super) fn take_reasons(fixture: &Fixture) -> Vec<String> {
    let events: Vec<_> = fixture.audit_log.take_events().iter().map(|event| format!("{event:?}")).collect();
    let ended = events.iter().filter(|event| event.starts_with("ConnectionEnded"));
    ended.filter_map(|event| Some(event.split_once("reason: ")?.1.trim_end_matches(" }").to_owned())).collect()
}

#[tokio::test]
async fn a_code_that_is_used_again_ends_its_connection() {
    let (fixture, api) = setup().await;
    let code = approve(&api, "ana", "g1", Surface::V1).await;
    let tokens = redeem(&api, &code).await.unwrap();
    assert_invalid_grant(redeem(&api, &code).await);
    assert_eq!(take_reasons(&fixture), ["Misused(CodeReused)"]);
    assert_eq!(refusal(&api, &tokens).await, "invalid_token");
    assert_invalid_grant(refresh(&api, &tokens).await);
}

#[tokio::test]
async fn a_failed_attempt_with_a_code_ends_its_connection() {
    let (fixture, api) = setup().await;
    let attempts: [fn(CodeRedemption) -> CodeRedemption; 6] = [
        |redemption| CodeRedemption { verifier: "x".repeat(43).parse().ok(), ..redemption },
        |redemption| CodeRedemption { verifier: None, ..redemption },
        |redemption| CodeRedemption { client_id: "another".to_owned(), ..redemption },
        |redemption| CodeRedemption { redirect_uri: Some("https://other.example/".to_owned()), ..redemption },
        |redemption| CodeRedemption { surface: Ok(Some(Surface::ReadPath)), ..redemption },
        |redemption| CodeRedemption { surface: Err(UnknownResource), ..redemption },
    ];
    for (number, attempt) in attempts.into_iter().enumerate() {
        let code = approve(&api, "ana", &format!("g{number}"), Surface::V1).await;
        let refused = api.grants().unwrap().redeem(attempt(redemption(&code))).await.unwrap_err();
        assert_eq!(matches!(refused, TokenError::InvalidTarget), number >= 4, "{refused:?}");
        assert_eq!(take_reasons(&fixture), ["Misused(CodeMisused)"], "{number}");
        assert_invalid_grant(redeem(&api, &code).await);
    }
    assert_eq!(connections(&api, "ana").await, []);
}

#[tokio::test]
async fn a_code_can_be_redeemed_without_an_address_and_with_its_resource() {
    let (_, api) = setup().await;
    let code = approve(&api, "ana", "g1", Surface::V1).await;
    let request = CodeRedemption { redirect_uri: None, surface: Ok(Some(Surface::V1)), ..redemption(&code) };
    assert!(api.grants().unwrap().redeem(request).await.is_ok());
}

#[tokio::test]
async fn a_refresh_by_another_client_or_for_another_resource_is_refused() {
    let (_, api, tokens) = connected().await;
    let grants = api.grants().unwrap();
    let by_other = Refresh { client_id: "another".to_owned(), ..refresh_of(&tokens.refresh_token) };
    assert_invalid_grant(grants.refresh(by_other).await);
    let elsewhere = Refresh { surface: Some(Surface::ReadPath), ..refresh_of(&tokens.refresh_token) };
    assert!(matches!(grants.refresh(elsewhere).await, Err(TokenError::InvalidTarget)));
    assert!(refresh(&api, &tokens).await.is_ok());
}

#[tokio::test]
async fn a_secret_of_another_kind_is_refused() {
    let (_, api) = setup().await;
    let code = approve(&api, "ana", "g1", Surface::V1).await;
    let tokens = redeem(&api, &code).await.unwrap();
    for text in ["", "famc_", "famr_x", code.expose().trim_end_matches(char::is_alphanumeric)] {
        assert!(text.parse::<AuthorizationCode>().is_err() && text.parse::<RefreshToken>().is_err(), "{text}");
    }
    let typo = format!("{}x", tokens.access_token.expose());
    for secret in [typo.as_str(), code.expose(), tokens.refresh_token.expose()] {
        let refused = admit_mcp(&api, secret, Surface::V1).await.caller.unwrap_err();
        assert_eq!(refused.code().as_str(), "invalid_token");
    }
    assert!(present(&api, &tokens).await.is_ok());
}

#[tokio::test]
async fn an_api_without_grants_knows_no_connections() {
    let fixture = Fixture::new().await;
    let tokens = connect(&api(&fixture), "ana", "g1", Surface::V1).await;
    let without: FamilyApi = fixture.api();
    assert!(without.grants().is_none());
    assert_eq!(connections(&without, "ana").await, []);
    assert_eq!(refusal(&without, &tokens).await, "invalid_token");
}
