//! Codes that are replayed, injected or presented by another client (RFC 9700, sections 4.5 and 4.8).

use crate::harness::{
    CHALLENGE, OAuthApp, Parameters, READ_PATH, REDIRECT_URI, VERIFIER, assert_token_error, link_parameter, redemption,
};
use crate::storages::on_every_storage;

on_every_storage! {
    async fn code_is_good_only_for_its_own_request(app: OAuthApp) {
        let client = app.client().await;
        let other = app.register("Other", &[REDIRECT_URI]).await;
        for (field, value, error) in [
            ("client_id", other.as_str(), "invalid_grant"),
            ("redirect_uri", "https://assistant.example/other", "invalid_grant"),
            ("code_verifier", "another-verifier-another-verifier-another-v", "invalid_grant"),
            ("code_verifier", CHALLENGE, "invalid_grant"),
            ("code_verifier", "short", "invalid_grant"),
            ("resource", READ_PATH, "invalid_target"),
            ("resource", "https://evil.example", "invalid_target"),
        ] {
            let code = app.code("ann", &Parameters::of(&client)).await;
            let mut fields = redemption(&client, &code).to_vec();
            fields.retain(|(name, _)| *name != field);
            fields.push((field, value));
            assert_token_error(&app.token(&fields).await, 400, error);
            // The attempt has ended the code.
            assert_token_error(&app.redeem(&client, &code).await, 400, "invalid_grant");
        }
        assert_eq!(app.connections("ann").await, 0);
    }

    async fn request_without_s256_is_refused(app: OAuthApp) {
        let parameters = Parameters::of(&app.client().await);
        for downgraded in [
            parameters.clone().without("code_challenge").without("code_challenge_method"),
            parameters.clone().without("code_challenge"),
            parameters.clone().without("code_challenge_method"),
            parameters.clone().with("code_challenge_method", "plain").with("code_challenge", VERIFIER),
            parameters.clone().with("code_challenge_method", "s256"),
            parameters.clone().with("code_challenge", "short"),
            parameters.with("code_challenge", &format!("{CHALLENGE}=")),
        ] {
            let page = app.authorize("ann", &downgraded).await;
            assert_eq!(link_parameter(&page, "error").as_deref(), Some("invalid_request"));
        }
    }

    async fn unknown_code_gets_the_same_answer_as_a_malformed_one(app: OAuthApp) {
        let client = app.client().await;
        let code = app.code("ann", &Parameters::of(&client)).await;
        let unknown = app.redeem(&client, "famc_unknown").await;
        let wrong = app.redeem(&app.register("Other", &[REDIRECT_URI]).await, &code).await;
        assert_token_error(&unknown, 400, "invalid_grant");
        assert_eq!(unknown.text(), wrong.text());
    }
}
