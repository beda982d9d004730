//! The page of deleted records.

use serde_json::{Value, json};

use crate::client::{in_session, sign_in};
use crate::family::PASSWORD;
use crate::page::Page;
use crate::site::{Site, browser_tests};

/// A session of a user, apart from the browser.
pub(crate) struct Session<'a> {
    site: &'a Site,
    cookie: String,
}

impl<'a> Session<'a> {
    pub(crate) async fn of(site: &'a Site, user: &str) -> Self {
        let cookie = sign_in(&site.server, &format!("{user}@family.example"), PASSWORD).await.cookie();
        Self { site, cookie }
    }

    async fn status(&self, method: &str, path: &str) -> u16 {
        in_session(&self.site.server, &self.cookie, method, path, None).await.status
    }

    /// Creates a record. Returns its id.
    async fn create(&self, path: &str, body: Value) -> String {
        let created = in_session(&self.site.server, &self.cookie, "POST", path, Some(body)).await;
        assert_eq!(created.status, 201, "{}", created.text);
        created.json()["id"].as_str().unwrap().to_owned()
    }

    /// Creates a note and deletes it. Returns its path.
    pub(crate) async fn delete_note(&self, title: &str) -> String {
        let path = format!("/api/notes/{}", self.create("/api/notes", json!({ "title": title })).await);
        assert_eq!(self.status("DELETE", &path).await, 200);
        path
    }
}

/// Signs in a user, and opens the page of deleted records.
async fn open(site: &Site, user: &str) -> Page {
    let page = site.open("/deleted").await;
    page.sign_in(user).await;
    page.wait_for_url("/deleted").await;
    page.wait_for("Things that were deleted in the last 30 days").await;
    page
}

/// Answers the restorations of a page with a status, without asking the server. 0 is no answer.
async fn answer_restorations(page: &Page, status: u16) {
    let script = format!(
        "(() => {{ window.real ??= fetch; window.fetch = async (url, options) => {{ \
         if (options.method !== 'POST') return real(url, options); if ({status} === 0) throw new TypeError('lost'); \
         return new Response(JSON.stringify({{ errors: [{{ detail: 'is not possible' }}] }}), {{ status: {status} }}); \
         }}; return true; }})()"
    );
    assert!(page.evaluate::<bool>(&script).await);
}

/// Returns how many records the page shows.
async fn count(page: &Page) -> u32 {
    page.evaluate("document.querySelectorAll('#records > li').length").await
}

browser_tests! {
    async fn a_deleted_note_is_brought_back(site: &Site) {
        let session = Session::of(site, "ana").await;
        let (_older, note) = (session.delete_note("Old gate").await, session.delete_note("Gate code").await);
        let page = open(site, "ana").await;
        page.wait_for_control("button", "Bring back: Gate code").await;
        let titles: Vec<String> = page.evaluate("[...document.querySelectorAll('#records h3')].map((h) => h.textContent)").await;
        assert_eq!(titles, ["Gate code", "Old gate"]);
        page.wait_for("Can come back until").await;
        page.click("button", "Bring back: Gate code").await;
        page.wait_for("“Gate code” is back.").await;
        page.wait_for_focus("heading", "Things that were deleted in the last 30 days").await;
        assert!(page.evaluate::<bool>("document.querySelector('#deleted-report').ariaLive === 'polite'").await);
        assert_eq!(count(&page).await, 1);
        // The note is stored again: it can be deleted once more.
        assert_eq!(session.status("DELETE", &note).await, 200);
        page.reload().await;
        page.wait_for_control("button", "Bring back: Gate code").await;
        page.click("button", "Bring back: Gate code").await;
        page.wait_for("“Gate code” is back.").await;
        page.click("button", "Bring back: Old gate").await;
        page.wait_for("There is nothing to bring back.").await;
    }

    async fn more_records_are_shown_on_demand(site: &Site) {
        let session = Session::of(site, "ana").await;
        for number in 1..=21 {
            session.delete_note(&format!("Note {number}")).await;
        }
        let page = open(site, "ana").await;
        page.wait_for_control("button", "Show more").await;
        assert_eq!(count(&page).await, 20);
        page.click("button", "Show more").await;
        page.wait_for_focus("button", "Bring back: Note 1").await;
        assert_eq!(count(&page).await, 21);
        assert!(page.evaluate::<bool>("document.getElementById('more').hidden").await);
        // Another tab has deleted one more: the same number of records is loaded again.
        session.delete_note("Note 22").await;
        page.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        page.wait_for_control("button", "Bring back: Note 22").await;
        assert_eq!(count(&page).await, 21);
        page.wait_for_control("button", "Show more").await;
    }

    async fn titles_are_shown_as_text(site: &Site) {
        let session = Session::of(site, "ana").await;
        session.delete_note("<img src=x onerror=alert(1)>{name}").await;
        session.delete_note("").await;
        let page = open(site, "ana").await;
        page.click("button", "Bring back: <img src=x onerror=alert(1)>{name}").await;
        page.wait_for("“<img src=x onerror=alert(1)>{name}” is back.").await;
        assert_eq!(page.evaluate::<u32>("document.querySelectorAll('main img').length").await, 0);
        page.click("button", "Bring back: Without a title").await;
        page.wait_for("“Without a title” is back.").await;
    }

    async fn a_record_whose_list_is_gone_leaves_the_page(site: &Site) {
        let session = Session::of(site, "ana").await;
        let list = session.create("/api/shopping-lists", json!({ "name": "Party" })).await;
        let item = session.create(&format!("/api/shopping-lists/{list}/items"), json!({ "name": "Candles" })).await;
        assert_eq!(session.status("DELETE", &format!("/api/shopping-items/{item}")).await, 200);
        let page = open(site, "ana").await;
        page.wait_for_control("button", "Bring back: Candles").await;
        page.wait_for("Shopping item").await;
        assert_eq!(session.status("DELETE", &format!("/api/shopping-lists/{list}")).await, 200);
        page.click("button", "Bring back: Candles").await;
        page.wait_for("This can no longer be brought back.").await;
        page.wait_for("There is nothing to bring back.").await;
    }

    async fn each_failure_has_a_sentence_and_keeps_the_record(site: &Site) {
        Session::of(site, "ana").await.delete_note("Gate code").await;
        let page = open(site, "ana").await;
        for (status, sentence) in [
            (409, "There is no room for it."),
            (422, "This cannot be used: is not possible."),
            (429, "Too many attempts. Try again in 60 sec."),
            (503, "The server cannot answer at the moment."),
            (0, "There is no connection to the server."),
        ] {
            answer_restorations(&page, status).await;
            page.click("button", "Bring back: Gate code").await;
            page.wait_for(sentence).await;
            assert_eq!(count(&page).await, 1, "{status}");
        }
    }

    async fn a_list_that_cannot_be_loaded_says_so(site: &Site) {
        let page = open(site, "ana").await;
        page.wait_for("There is nothing to bring back.").await;
        let fail = "(() => { window.fetch = async () => new Response('', { status: 503 }); return true; })()";
        assert!(page.evaluate::<bool>(fail).await);
        page.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        page.wait_for("The server cannot answer at the moment.").await;
    }

    async fn a_tab_without_its_user_brings_nothing_back(site: &Site) {
        let session = Session::of(site, "ana").await;
        let note = session.delete_note("Gate code").await;
        let stale = open(site, "ana").await;
        stale.wait_for_control("button", "Bring back: Gate code").await;
        let page = site.open("/keys").await;
        page.sign_out().await;
        stale.click("button", "Bring back: Gate code").await;
        stale.wait_for("You are no longer signed in").await;
        assert!(!stale.text().await.contains("Gate code"));
        stale.wait_for_control("link", "Sign in").await;
        page.click("link", "Sign in").await;
        page.sign_in("chidi").await;
        page.wait_for("chidi@family.example").await;
        stale.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        stale.wait_for("chidi@family.example").await;
        assert!(!stale.text().await.contains("Gate code"));
        assert_eq!(session.status("DELETE", &note).await, 404);
    }

    async fn the_page_speaks_each_language_and_dates_follow_the_region(site: &Site) {
        Session::of(site, "ana").await.delete_note("Gate code").await;
        let page = open(site, "ana").await;
        for (language, name, bring_back, kind, date) in [
            ("uk", "Нещодавно видалене", "Повернути", "Нотатка", r"^\\d\\d\\.\\d\\d\\.\\d{4}"),
            ("es-MX", "Eliminado hace poco", "Recuperar", "Nota", r"^\\d\\d/\\d\\d/\\d{4}"),
            ("de-AT", "Kürzlich gelöscht", "Zurückholen", "Notiz", r"^\\d\\d\\.\\d\\d\\.\\d{4}"),
            ("en-GB", "Recently deleted", "Bring back", "Note", r"^\\d\\d [A-Z][a-z]+ \\d{4}"),
        ] {
            page.set_language(language).await;
            page.open(&site.url("/deleted")).await;
            page.wait_for_control("heading", name).await;
            page.wait_for_control("button", &format!("{bring_back}: Gate code")).await;
            let shown = "document.querySelector('#records [data-slot=kind]').textContent";
            assert_eq!(page.evaluate::<String>(shown).await, kind);
            let matches = format!("[...document.querySelectorAll('#records time')].every((time) => new RegExp('{date}').test(time.textContent))");
            assert!(page.evaluate::<bool>(&matches).await, "{language}: {}", page.text().await);
        }
    }

    async fn the_pages_lead_to_each_other(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.click("link", "Recently deleted").await;
        page.wait_for_url("/deleted").await;
        page.wait_for("There is nothing to bring back.").await;
        page.click("link", "Programs and assistants").await;
        page.wait_for_url("/keys").await;
        page.open(&site.url("/")).await;
        page.click("link", "Recently deleted").await;
        page.wait_for_url("/deleted").await;
    }
}
