//! Options that have no effect are named in one warning.

use std::sync::Arc;

use family_api_core::key::{EnvironmentTokens, KeyPrefix};
use family_api_core::{FamilyApi, FamilyApiBuilder};
use family_api_memory::MemoryStorage;
use family_api_salvo::FamilyRoutes;

use crate::support::CookieAuthenticator;

fn builder() -> FamilyApiBuilder {
    FamilyApi::builder(Arc::new(MemoryStorage::new()))
}

/// Returns routes with sessions.
fn routes() -> FamilyRoutes {
    FamilyRoutes::new(builder().build()).session(CookieAuthenticator)
}

/// Checks that these options are unused: the texts up to the verb.
#[track_caller]
fn assert_unused(routes: &FamilyRoutes, expected: &[&str]) {
    let unused = routes.unused_options();
    let options: Vec<_> = unused.iter().map(|text| text.split_once(" need").unwrap().0).collect();
    assert_eq!(options, expected);
}

#[test]
fn options_of_the_routes_need_routes() {
    let board = || "https://board.example".parse().unwrap();
    let without_tokens = || FamilyRoutes::new(builder().build()).without_v1().without_read_path();
    assert_unused(&routes().cors([board()]).public_address(board()), &[]);
    assert_unused(&routes().without_v1().cors([board()]), &[]);
    assert_unused(&without_tokens().cors([board()]), &["`FamilyRoutes::cors`"]);
    assert_unused(&FamilyRoutes::new(builder().build()).public_address(board()), &[]);
    assert_unused(
        &FamilyRoutes::new(builder().build()).without_openapi().public_address(board()),
        &["`FamilyRoutes::public_address`"],
    );
    let without_session_routes = routes().without_profile().without_keys().without_records();
    assert_unused(&without_session_routes, &["`FamilyRoutes::session`"]);
}

#[test]
fn options_of_the_api_need_routes_with_a_token() {
    let tokens = || EnvironmentTokens::parse("ann|a-long-secret-of-ann-0123456789", &KeyPrefix::default()).unwrap();
    let with_tokens = || FamilyRoutes::new(builder().environment_tokens(tokens()).full_access(true).build());
    assert_unused(&with_tokens(), &[]);
    assert_unused(&with_tokens().without_read_path(), &["`FamilyApiBuilder::environment_tokens`"]);
    assert_unused(&with_tokens().without_v1(), &["`FamilyApiBuilder::full_access`"]);
    // Another router of the host accepts the tokens.
    assert_unused(&with_tokens().without_read_path().without_v1().session(CookieAuthenticator), &[]);
    let grants = FamilyRoutes::new(builder().grants(Arc::new(MemoryStorage::new())).build());
    assert_unused(&grants, &["`FamilyApiBuilder::grants`"]);
}

#[cfg(feature = "pages")]
#[test]
fn pages_need_a_session_and_their_routes() {
    use family_api_salvo::Pages;
    use family_api_salvo::html::Brand;

    let pages = || Pages::at("/keys").deleted_at("/deleted");
    assert_unused(&routes().pages(pages()).brand(Brand::default()), &[]);
    assert_unused(
        &FamilyRoutes::new(builder().build()).pages(pages()).brand(Brand::default()),
        &["`FamilyRoutes::brand`", "`FamilyRoutes::pages`"],
    );
    assert_unused(&routes().without_keys().pages(pages()), &["the page of keys of `FamilyRoutes::pages`"]);
    assert_unused(&routes().without_records().pages(pages()), &["`Pages::deleted_at`"]);
    assert_unused(&routes().without_records().pages(Pages::at("/keys")), &[]);
}

#[cfg(feature = "oauth")]
#[tokio::test]
async fn oauth_needs_its_parts_and_one_warning_names_them_all() {
    use std::sync::LazyLock;

    use family_api_core::Surface;
    use family_api_salvo::OAuth;

    use crate::support::LOG;

    LazyLock::force(&LOG);
    let issuer = || "https://family.example".parse().unwrap();
    let api = || builder().grants(Arc::new(MemoryStorage::new())).build();
    let complete = || FamilyRoutes::new(api()).session(CookieAuthenticator).oauth(OAuth::new(issuer()));
    assert_unused(&complete(), &[]);
    assert_unused(&complete().without_v1(), &["the metadata without a path"]);
    let oauth = OAuth::new(issuer()).main_endpoint(Surface::ReadPath);
    assert_unused(&FamilyRoutes::new(api()).session(CookieAuthenticator).oauth(oauth).without_v1(), &[]);
    assert_unused(&complete().without_v1().without_read_path(), &["`FamilyRoutes::mcp`"]);
    let external = OAuth::external(issuer(), "https://login.example");
    assert_unused(&FamilyRoutes::new(builder().build()).oauth(external), &["`OAuth::external`"]);

    let incomplete = FamilyRoutes::new(builder().build()).oauth(OAuth::new(issuer()));
    assert_unused(&incomplete, &["`FamilyRoutes::oauth`", "`FamilyRoutes::oauth`"]);
    let _: salvo::Router = incomplete.into_router();
    let warning = "some options have no effect: `FamilyRoutes::oauth` needs `FamilyRoutes::session`; \
                   `FamilyRoutes::oauth` needs `FamilyApiBuilder::grants`";
    LOG.assert_line_with(&["WARN", warning]);
}
