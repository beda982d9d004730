//! Rate limits.

use std::time::Duration;

use family_api_core::access::Caller;
use family_api_core::limit::{Rate, RateLimitStatus};
use family_api_core::{Clock, Error, FamilyApi, Surface};
use jiff::SignedDuration;

use crate::fixture::{ENVIRONMENT_TOKEN, Fixture, admit, authorize, create_key, session};

fn api_with_limit(fixture: &Fixture, number: u32) -> FamilyApi {
    fixture.builder().rate_limit(Rate::per_minute(number.try_into().unwrap())).build()
}

fn error_code(result: Result<Caller, Error>) -> String {
    match result {
        Ok(_) => "none".to_owned(),
        Err(Error::RateLimited { retry_after }) => format!("rate_limited {}", retry_after.as_secs()),
        Err(error) => error.code().as_str().to_owned(),
    }
}

async fn status(api: &FamilyApi, token: &str, surface: Surface) -> Option<RateLimitStatus> {
    admit(api, token, surface).await.rate_limit
}

#[tokio::test]
async fn the_rate_limit_of_a_key_applies_to_all_surfaces_together() {
    let fixture = Fixture::new().await;
    let api = api_with_limit(&fixture, 3);
    let (first, second) = (create_key(&api, "ana").await.token, create_key(&api, "ana").await.token);
    for (remaining, surface) in [(2, Surface::V1), (1, Surface::ReadPath), (0, Surface::V1)] {
        let admission = admit(&api, first.expose(), surface).await;
        assert_eq!(admission.rate_limit.map(|status| status.remaining()), Some(remaining));
        admission.caller.unwrap();
    }
    let refused = admit(&api, first.expose(), Surface::V1).await;
    let status = refused.rate_limit.unwrap();
    assert_eq!((status.remaining(), status.retry_after()), (0, Some(Duration::from_secs(20))));
    assert_eq!(error_code(refused.caller), "rate_limited 20");

    assert_eq!(error_code(authorize(&api, second.expose(), Surface::V1).await), "none");
    fixture.clock.advance(SignedDuration::from_secs(20));
    assert_eq!(error_code(authorize(&api, first.expose(), Surface::V1).await), "none");
    assert_eq!(error_code(authorize(&api, first.expose(), Surface::V1).await), "rate_limited 20");
}

#[tokio::test]
async fn a_wall_clock_change_does_not_change_the_rate_limit() {
    let fixture = Fixture::new().await;
    let api = api_with_limit(&fixture, 3);
    let token = create_key(&api, "ana").await.token;
    let now = fixture.clock.now();
    for remaining in (0..3).rev() {
        assert_eq!(status(&api, token.expose(), Surface::V1).await.map(|status| status.remaining()), Some(remaining));
    }
    for step in [SignedDuration::from_hours(24), SignedDuration::from_hours(-24), SignedDuration::ZERO] {
        fixture.clock.set(now.saturating_add(step));
        assert_eq!(error_code(authorize(&api, token.expose(), Surface::V1).await), "rate_limited 20", "{step}");
    }
}

#[tokio::test]
async fn environment_tokens_are_rate_limited_and_sessions_are_not() {
    let fixture = Fixture::new().await;
    let api = api_with_limit(&fixture, 1);
    assert_eq!(error_code(authorize(&api, ENVIRONMENT_TOKEN, Surface::ReadPath).await), "none");
    assert_eq!(error_code(authorize(&api, ENVIRONMENT_TOKEN, Surface::ReadPath).await), "rate_limited 60");
    for _ in 0..10 {
        api.read(&session(&api, "ana").await).unwrap();
    }
}

#[tokio::test]
async fn invalid_tokens_do_not_count_towards_a_rate_limit() {
    let fixture = Fixture::new().await;
    let api = api_with_limit(&fixture, 1);
    let token = create_key(&api, "ana").await.token;
    for presented in ["other-token", "other-token", token.expose(), "other-token"] {
        let result = authorize(&api, presented, Surface::V1).await;
        let expected = if presented == token.expose() { "none" } else { "invalid_token" };
        assert_eq!(error_code(result), expected);
    }
}

#[tokio::test]
async fn the_default_rate_limit_is_300_requests_a_minute_per_key() {
    let (fixture, api) = Fixture::with_api().await;
    let token = create_key(&api, "ana").await.token;
    for remaining in (0..300).rev() {
        assert_eq!(status(&api, token.expose(), Surface::V1).await.map(|status| status.remaining()), Some(remaining));
    }
    assert_eq!(error_code(authorize(&api, token.expose(), Surface::V1).await), "rate_limited 0");

    let unlimited = fixture.builder().without_rate_limit().build();
    for _ in 0..301 {
        assert_eq!(status(&unlimited, token.expose(), Surface::V1).await, None);
    }
}

#[tokio::test]
async fn the_default_session_limit_is_60_writes_a_minute_per_user() {
    let (fixture, api) = Fixture::with_api().await;
    let sessions = [session(&api, "ana").await, session(&api, "ana").await];
    for n in 0..60 {
        api.count_session_write(&sessions[n % 2]).unwrap();
    }
    let refused = api.count_session_write(&sessions[0]).unwrap_err();
    assert!(matches!(refused, Error::RateLimited { retry_after } if retry_after == Duration::from_secs(1)));
    api.count_session_write(&session(&api, "ben").await).unwrap();
    fixture.clock.advance(SignedDuration::from_secs(1));
    api.count_session_write(&sessions[1]).unwrap();

    let limited = fixture.builder().session_write_limit(Rate::per_minute(1.try_into().unwrap())).build();
    limited.count_session_write(&sessions[0]).unwrap();
    assert!(limited.count_session_write(&sessions[0]).is_err());
    let unlimited = fixture.builder().without_session_write_limit().build();
    for _ in 0..61 {
        unlimited.count_session_write(&sessions[0]).unwrap();
    }
}
