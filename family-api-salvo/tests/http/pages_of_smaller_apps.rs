//! The pages of apps whose storage keeps only some kinds of records, and supports only some operations.

use std::sync::Arc;

use family_api_core::FamilyApi;
use family_api_core::resource::{RecordKind, ResourceKind, Verb};
use family_api_core::storage::Capabilities;
use family_api_memory::MemoryStorage;
use family_api_salvo::{FamilyRoutes, OAuth, Pages};
use salvo::http::Method;
use salvo::{Router, Service};
use serde_json::json;

use crate::fault_sweep::FaultInjection;
use crate::support::{CookieAuthenticator, anonymous, send, session};

const ORIGIN: &str = "http://127.0.0.1";
const LANGUAGES: [&str; 4] = ["en", "uk", "es", "de"];

/// The beginnings of the words for a kind of record in each language.
type Words = [&'static str; 4];

const TASKS: Words = ["task", "завдан", "tarea", "aufgabe"];
const EVENTS: Words = ["events", "події", "eventos", "termine"];
const NOTES: Words = ["notes", "нотат", "notas", "notiz"];
const SHOPPING: Words = ["shop", "покуп", "compra", "einkauf"];
const LISTS: Words = ["shopping list", "списки покупок", "listas de la compra", "einkaufsliste"];
const BOARDS: Words = ["board", "дошк", "tablero", "board"];
const COLUMNS: Words = ["column", "стовп", "columna", "spalte"];
const CATEGORIES: Words = ["categor", "категорі", "categor", "kategorie"];
const RESTORE: Words =
    ["after they were deleted", "після видалення", "siguientes a su eliminación", "nach dem löschen"];

struct Site {
    service: Service,
    client: String,
}

impl Site {
    async fn new(capabilities: Capabilities) -> Self {
        Self::with_routes(capabilities, |routes| routes).await
    }

    async fn with_routes(capabilities: Capabilities, mount: fn(FamilyRoutes) -> FamilyRoutes) -> Self {
        let storage = FaultInjection::in_memory().await.with_capabilities(capabilities);
        let api = FamilyApi::builder(Arc::new(storage)).grants(Arc::new(MemoryStorage::new())).full_access(true);
        let routes = FamilyRoutes::new(api.build())
            .session(CookieAuthenticator)
            .pages(Pages::at("/keys").deleted_at("/deleted"))
            .oauth(OAuth::new(ORIGIN.parse().unwrap()));
        let service = Service::new(Router::new().push(mount(routes).into_router()));
        let body = json!({ "redirect_uris": ["https://assistant.example/"], "token_endpoint_auth_method": "none" });
        let registered = send(&service, anonymous(Method::POST, "/oauth/register").raw_json(body.to_string())).await;
        let client = registered.json()["client_id"].as_str().unwrap().to_owned();
        Self { service, client }
    }

    /// Returns the texts of a page in small letters, without the markup.
    async fn page(&self, path: &str, language: &str) -> String {
        let separator = if path.contains('?') { '&' } else { '?' };
        let path = format!("{path}{separator}lang={language}");
        let page = send(&self.service, session("ann", Method::GET, &path)).await;
        assert_eq!(page.status, 200, "{path}: {page:?}");
        let main = page.text().split_once("<main").unwrap().1.replace("&#39;", "'");
        let texts: Vec<&str> = main.split('<').filter_map(|part| Some(part.split_once('>')?.1)).collect();
        texts.join(" ").to_lowercase()
    }

    /// Returns the texts of the page of keys, and of the consent pages for each surface.
    async fn pages(&self, language: &str) -> [String; 3] {
        let consent = |resource: &str, scope: &str| {
            let query = form_urlencoded::Serializer::new(String::new())
                .append_pair("response_type", "code")
                .append_pair("client_id", &self.client)
                .append_pair("redirect_uri", "https://assistant.example/")
                .append_pair("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
                .append_pair("code_challenge_method", "S256")
                .append_pair("resource", &format!("{ORIGIN}{resource}"))
                .append_pair("scope", scope)
                .finish();
            format!("/oauth/authorize?{query}")
        };
        let writes = "v1.read v1.tasks.write v1.notes.write v1.tasks.manage v1.notes.manage v1.events.write \
                      v1.shopping.write v1.boards.manage";
        let (all, reads) = (consent("/api/v1/mcp", writes), consent("/api/mcp", "mcp.read"));
        [self.page("/keys", language).await, self.page(&all, language).await, self.page(&reads, language).await]
    }
}

/// Fails if a word of the first list is missing on a page, or one of the second is on it.
#[track_caller]
fn assert_words(page: &str, language: usize, present: &[Words], absent: &[Words]) {
    for (words, expected) in present.iter().map(|words| (words, true)).chain(absent.iter().map(|words| (words, false)))
    {
        assert_eq!(page.contains(words[language]), expected, "{}: {page}", words[language]);
    }
}

#[tokio::test]
async fn the_pages_of_an_app_with_everything_name_everything() {
    let site = Site::new(Capabilities::all()).await;
    for (number, language) in LANGUAGES.into_iter().enumerate() {
        let [keys, all, reads] = site.pages(language).await;
        let read = [TASKS, EVENTS, NOTES, LISTS];
        let written = [&read[..], &[SHOPPING, BOARDS, COLUMNS, CATEGORIES, RESTORE]].concat();
        assert_words(&keys, number, &written, &[]);
        assert_words(&all, number, &written, &[]);
        assert_words(&reads, number, &read, &[BOARDS, COLUMNS, CATEGORIES, RESTORE]);
        assert!(keys.contains("{read}/task_stats") && keys.contains("home assistant"), "{keys}");
    }
}

#[tokio::test]
async fn the_pages_of_a_flat_app_name_no_containers_and_no_restoration() {
    let flat = Capabilities::flat().without_resource(ResourceKind::Events).without_resource(ResourceKind::Notes);
    let site = Site::new(flat).await;
    for (number, language) in LANGUAGES.into_iter().enumerate() {
        for page in site.pages(language).await {
            let absent = [EVENTS, NOTES, LISTS, BOARDS, COLUMNS, CATEGORIES, RESTORE];
            assert_words(&page, number, &[TASKS, SHOPPING], &absent);
        }
    }
}

#[tokio::test]
async fn the_pages_of_a_calendar_that_is_only_read_offer_no_writes() {
    let others = ResourceKind::ALL.into_iter().filter(|resource| *resource != ResourceKind::Events);
    let calendar = others.fold(Capabilities::reads(), Capabilities::without_resource);
    let site = Site::new(calendar.without_profile_field("email")).await;
    let profile = ["and your profile.", "а також ваш профіль.", ", y tu perfil.", "und dein profil."];
    for (number, language) in LANGUAGES.into_iter().enumerate() {
        let pages = site.pages(language).await;
        for page in &pages {
            let absent = [TASKS, NOTES, SHOPPING, LISTS, BOARDS, COLUMNS, CATEGORIES, RESTORE];
            assert_words(page, number, &[EVENTS], &absent);
        }
        let [keys, all, reads] = pages;
        assert_words(&keys, number, &[profile], &[]);
        assert_words(&all, number, &[profile], &[]);
        assert_words(&reads, number, &[], &[profile]);
        assert!(keys.contains("{read}/events") && !keys.contains("home assistant"), "{keys}");
    }
    let keys = send(&site.service, session("ann", Method::GET, "/keys")).await.text();
    let offered = |mode: &str| keys.contains(&format!("value=\"{mode}\""));
    assert_eq!(["mcp_read", "v1_read", "v1_read_write", "v1_full"].map(offered), [true, true, false, false], "{keys}");
}

#[tokio::test]
async fn a_user_changes_the_time_zone_only_if_the_app_keeps_it() {
    for (capabilities, is_kept) in
        [(Capabilities::reads(), true), (Capabilities::reads().without_profile_field("timeZone"), false)]
    {
        let site = Site::new(capabilities).await;
        assert_eq!(site.page("/keys", "en").await.contains("use the time zone of this device"), is_kept);
        let openapi = send(&site.service, anonymous(Method::GET, "/openapi.json")).await.json();
        let body = &openapi["components"]["schemas"]["ProfileUpdate"];
        assert_eq!(body["properties"].get("timeZone").is_some(), is_kept, "{body}");
        assert_eq!(body["example"].get("timeZone").is_some(), is_kept, "{body}");
        let change = json!({ "timeZone": "Asia/Tokyo" }).to_string();
        let changed = send(&site.service, session("ann", Method::PATCH, "/api/users/me").raw_json(change)).await;
        if is_kept {
            assert_eq!((changed.status, &changed.json()["timeZone"]), (200, &json!("Asia/Tokyo")));
        } else {
            let fault = json!([{ "pointer": "/timeZone", "detail": "is not kept by this application" }]);
            assert_eq!((changed.status, &changed.json()["errors"]), (422, &fault));
        }
    }
}

#[tokio::test]
async fn the_switch_says_whether_reads_go_on() {
    let nothing: Words = ["can see anything.", "не можуть бачити.", "puede ver nada.", "kann etwas sehen."];
    let profile: Words = ["can see your profile.", "бачити ваш профіль.", "puede ver tu perfil.", "dein profil sehen."];
    let goes_on = Site::new(Capabilities::reads()).await;
    let ends = Site::with_routes(Capabilities::reads(), FamilyRoutes::without_read_path).await;
    for (number, language) in LANGUAGES.into_iter().enumerate() {
        assert_words(&goes_on.page("/keys", language).await, number, &[profile], &[nothing]);
        assert_words(&ends.page("/keys", language).await, number, &[nothing], &[profile]);
    }
}

#[tokio::test]
async fn the_page_of_deleted_records_names_only_what_can_be_restored() {
    let site = Site::new(Capabilities::updates().with(RecordKind::Event, Verb::Restore)).await;
    for (number, language) in LANGUAGES.into_iter().enumerate() {
        let page = site.page("/deleted", language).await;
        assert_words(&page, number, &[EVENTS], &[TASKS, NOTES, SHOPPING, LISTS, BOARDS, COLUMNS, CATEGORIES]);
    }
}
