//! The calendar feeds, on the page of keys.

use std::collections::BTreeSet;

use family_api_core::feed::{FeedDetail, FeedLanguage, FeedShows};
use family_api_salvo::html::Language;
use family_api_salvo::{FamilyRoutes, Pages};
use salvo::{Router, Service};

use crate::support::{app, attributes, get, routes, routes_without_feeds, serve};

#[tokio::test]
async fn the_cards_of_the_feeds_are_in_each_language() {
    let app = app();
    for (language, title, create, busy, google, stop) in [
        (
            "en",
            "Calendar subscriptions",
            "Create subscription",
            "Only busy times, without titles and places",
            "only after 4 to 24 hours",
            "Your calendar subscriptions end, too.",
        ),
        (
            "uk",
            "Підписки на календар",
            "Створити підписку",
            "Лише зайнятий час, без назв і місць",
            "лише через 4–24 години",
            "Ваші підписки на календар також буде завершено.",
        ),
        (
            "es",
            "Suscripciones al calendario",
            "Crear suscripción",
            "Solo las horas ocupadas, sin títulos ni lugares",
            "entre 4 y 24 horas",
            "Tus suscripciones al calendario también terminan.",
        ),
        (
            "de",
            "Kalenderabos",
            "Abo erstellen",
            "Nur belegte Zeiten, ohne Titel und Orte",
            "erst nach 4 bis 24 Stunden",
            "Auch deine Kalenderabos enden.",
        ),
    ] {
        let page = get(&app, &format!("/keys?lang={language}")).await.text;
        for part in [
            format!("<h2 id=\"feeds-title\" tabindex=\"-1\">{title}</h2>"),
            format!("<button class=\"primary\" type=\"submit\">{create}</button>"),
            format!("<option value=\"busy\">{busy}</option>"),
            google.to_owned(),
            format!(" {stop}</p>"),
        ] {
            assert!(page.contains(&part), "{language}: {part}: {page}");
        }
    }
}

#[tokio::test]
async fn a_feed_can_speak_each_language_of_the_pages() {
    for language in Language::ALL {
        assert!(FeedLanguage::from_name(language.tag()).is_some(), "{language:?}");
    }
}

#[tokio::test]
async fn the_form_and_the_list_name_every_choice() {
    let page = get(&app(), "/keys").await.text;
    let values: BTreeSet<&str> = attributes(&page, "value").into_iter().collect();
    let texts: BTreeSet<&str> = attributes(&page, "data-text").into_iter().collect();
    let shows = FeedShows::ALL.iter().map(|shows| shows.as_str());
    for choice in shows.chain(FeedDetail::ALL.iter().map(|detail| detail.as_str())) {
        assert!(values.contains(choice) && texts.contains(choice), "{choice}: {page}");
    }
}

#[tokio::test]
async fn every_text_that_the_script_of_the_feeds_names_is_on_the_page() {
    let app = app();
    let page = get(&app, "/keys").await.text;
    let texts: BTreeSet<&str> = attributes(&page, "data-text").into_iter().collect();
    let path = attributes(&page, "href").into_iter().find(|path| path.starts_with("api/assets/feeds-")).unwrap();
    let script = get(&app, &format!("/{path}")).await.text;
    let named: BTreeSet<&str> = script.split('"').filter(|text| text.contains("feed_")).collect();
    let question = "end_feed_effect";
    assert!(named.len() > 4 && named.is_subset(&texts) && texts.contains(question), "{:?}", named.difference(&texts));
}

#[tokio::test]
async fn the_route_of_the_feeds_is_called_below_a_prefix() {
    let routes = routes().pages(Pages::at("/account/keys"));
    let app = Service::new(Router::with_path("family").push(routes.into_router()));
    let page = get(&app, "/family/account/keys").await.text;
    assert!(page.contains(" data-feeds=\"../api/users/me/calendar-feeds\""), "{page}");
}

#[tokio::test]
async fn a_host_without_feeds_says_no_word_of_them() {
    let page = get(&serve(routes_without_feeds().pages(Pages::at("/keys"))), "/keys").await.text;
    for trace in ["feeds-title", "create-feed", "feed-entry", "data-feeds", "subscription", "Google"] {
        assert!(!page.contains(trace), "{trace}: {page}");
        assert!(get(&app(), "/keys").await.text.contains(trace), "{trace}");
    }
}

#[tokio::test]
async fn feeds_keep_the_switch_that_they_need() {
    let without_v1 =
        |routes: FamilyRoutes| async { get(&serve(routes.without_v1().pages(Pages::at("/keys"))), "/keys").await.text };
    let (with, without) = (without_v1(routes()).await, without_v1(routes_without_feeds()).await);
    assert!(with.contains("<div id=\"api\">") && with.contains("work only while this is on"), "{with}");
    assert!(without.contains("<div id=\"api\" hidden>"), "{without}");
}
