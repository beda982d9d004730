//! The calendar feeds, on the page of keys.

use serde::de::DeserializeOwned;

use crate::appearance::PHONE;
use crate::client::call;
use crate::keys::lose;
use crate::page::{Leave, Page};
use crate::site::{Site, browser_tests};
use crate::until::until;

/// Reads the squares of the code for cameras, as a camera sees them: true is dark.
const CODE: &str = "(() => { const code = document.getElementById('feed-code'); \
    const { x, y, width, height } = code.viewBox.baseVal; \
    const is_dark = (x, y) => code.firstElementChild.isPointInFill(new DOMPoint(x + .5, y + .5)); \
    return Array.from({ length: height + 2 * y }, (_, row) => \
        Array.from({ length: width + 2 * x }, (_, column) => is_dark(column, row))); })()";

/// The values in the form that creates a feed.
const FORM: &str =
    "['name', 'shows', 'detail'].map(name => document.getElementById('create-feed').elements[name].value)";

/// Creates a feed with the form, and returns its address.
async fn create_feed(page: &Page, name: &str) -> String {
    page.fill("Calendar name", name).await;
    page.click("button", "Create subscription").await;
    page.wait_for_focus("heading", "Your new calendar address").await;
    page.evaluate("document.getElementById('new-feed').textContent").await
}

/// Reads an address as a calendar program does. Returns the status and the text.
async fn read(site: &Site, address: &str) -> (u16, String) {
    let answer = call(&site.server, "GET", address.strip_prefix(&site.server.url).unwrap()).await;
    if answer.status == 200 {
        assert_eq!(answer.header("content-type"), Some("text/calendar; charset=utf-8"));
    }
    (answer.status, answer.text)
}

/// Returns the text that a camera reads from the code on the page.
async fn scan(page: &Page) -> String {
    let squares: Vec<Vec<bool>> = page.evaluate(CODE).await;
    let code = rqrr::SimpleGrid::from_func(squares.len(), |x, y| squares[y][x]);
    rqrr::Grid::new(code).decode().unwrap().1
}

/// Evaluates an expression with the feeds of the user.
async fn of_feeds<T: DeserializeOwned>(page: &Page, expression: &str) -> T {
    let list = "fetch('api/users/me/calendar-feeds').then(answer => answer.json())";
    page.evaluate(&format!("{list}.then(({{ feeds }}) => {expression})")).await
}

browser_tests! {
    async fn a_parent_subscribes_on_a_small_phone_and_ends_the_subscription(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.set_size(PHONE).await;
        page.wait_for("You have no calendar subscriptions.").await;
        let address = create_feed(&page, "Family").await;
        assert!(address.starts_with(&site.url("/calendar/famcal_")) && address.strip_suffix(".ics").is_some(), "{address}");
        page.wait_for("Google reads the address again only after 4 to 24 hours").await;
        assert!(page.evaluate::<bool>("document.documentElement.scrollWidth <= innerWidth").await);
        page.click("button", "Copy: Your new calendar address").await;
        page.wait_for("Copied.").await;
        assert_eq!(page.evaluate::<String>("navigator.clipboard.readText()").await, address);
        let subscription = address.replace("http://", "webcal://");
        assert_eq!(page.evaluate::<String>("document.getElementById('feed-device').href").await, subscription);
        let google: String = page.evaluate("document.getElementById('feed-google').href").await;
        assert!(google.starts_with("https://calendar.google.com/calendar/r?cid=webcal%3A%2F%2F"), "{google}");
        let taken = "new URL(document.getElementById('feed-google').href).searchParams.get('cid')";
        assert_eq!(page.evaluate::<String>(taken).await, subscription);
        assert_eq!(scan(&page).await, subscription);

        let (status, calendar) = read(site, &address).await;
        assert_eq!(status, 200);
        assert!(calendar.starts_with("BEGIN:VCALENDAR\r\n"), "{calendar}");
        assert!(calendar.contains("X-WR-CALNAME:Family\r\n"), "{calendar}");
        page.click("button", "Done, the address is in my calendar").await;
        page.wait_for_focus("heading", "Calendar subscriptions").await;
        assert!(!page.evaluate::<String>("document.documentElement.outerHTML").await.contains("/calendar/famcal_"));
        page.wait_for("Events · Everything").await;

        page.click("button", "End: Family").await;
        page.wait_for("End “Family”?").await;
        page.click("button", "Cancel").await;
        assert_eq!(read(site, &address).await.0, 200);
        page.click("button", "End: Family").await;
        page.click("button", "End").await;
        page.wait_for("The subscription has ended.").await;
        page.wait_for("You have no calendar subscriptions.").await;
        assert_eq!(read(site, &address).await, (404, String::new()));
    }

    async fn the_keyboard_is_enough_to_choose_what_a_feed_shows(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.tab_to("textbox", "Calendar name").await;
        page.insert("Work").await;
        page.tab_to("combobox", "What should it show?").await;
        page.press("ArrowDown").await;
        page.press("ArrowDown").await;
        page.tab_to("combobox", "How much should it show?").await;
        page.press("ArrowDown").await;
        page.tab_to("combobox", "How long should the subscription work?").await;
        page.press("ArrowUp").await;
        page.tab_to("button", "Create subscription").await;
        page.press("Enter").await;
        page.wait_for_focus("heading", "Your new calendar address").await;
        page.wait_for("Events, and tasks with a due date · Only busy times, without titles and places").await;
        let days = "feeds.map(feed => Math.round((Date.parse(feed.expiresAt) - Date.now()) / 864e5))";
        assert_eq!(of_feeds::<Vec<u32>>(&page, days).await, [365]);
        page.tab_to("button", "Done, the address is in my calendar").await;
        page.press("Enter").await;
        page.tab_to("button", "End: Work").await;
        page.press("Enter").await;
        page.wait_for_focus("button", "Cancel").await;
        page.press("Tab").await;
        page.press("Enter").await;
        page.wait_for("The subscription has ended.").await;
        page.wait_for_focus("heading", "Calendar subscriptions").await;
    }

    async fn a_feed_is_limited_to_people_and_boards(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for("Only for these people").await;
        let create_board = "fetch('api/boards', { method: 'POST', headers: { 'Content-Type': 'application/json' }, \
            body: JSON.stringify({ name: 'Chores' }) }).then(answer => answer.json()).then(({ id }) => id)";
        let chores: String = page.evaluate(create_board).await;
        page.reload().await;
        page.wait_for("Only for these people").await;
        assert!(!page.text().await.contains("Only tasks on these boards"));
        page.click("checkbox", "ben").await;
        page.tab_to("combobox", "What should it show?").await;
        page.press("ArrowDown").await;
        page.press("ArrowDown").await;
        page.wait_for("Only tasks on these boards").await;
        page.click("checkbox", "Chores").await;
        // Another tab was used: the choices are loaded again, and stay selected.
        page.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        create_feed(&page, "Ben").await;
        page.wait_for("Events, and tasks with a due date · Everything · only ben, Chores").await;
        let limits = "feeds.flatMap(feed => [feed.personIds, feed.boardIds])";
        assert_eq!(of_feeds::<Vec<Vec<String>>>(&page, limits).await, [vec!["ben".to_owned()], vec![chores]]);
        page.click("button", "Done, the address is in my calendar").await;
        assert!(!page.evaluate::<bool>("document.querySelector('#create-feed :checked[type=checkbox]') !== null").await);
        assert!(page.evaluate::<bool>("document.getElementById('feed-boards').hidden").await);
    }

    async fn a_limit_stays_when_the_session_or_the_choice_ends(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for("Only for these people").await;
        page.click("checkbox", "ben").await;
        // As if the session had ended, and then, in a new one, Ben had left the family.
        let next = "(() => { const real = fetch; window.fetch = async (url, options) => { \
            window.fetch = async (url, options) => { \
                const answer = await real(url, options); if (!url.endsWith('feed-choices')) return answer; \
                const { persons, boards } = await answer.json(); \
                return Response.json({ persons: persons.filter(({ id }) => id !== 'ben'), boards }); }; \
            return new Response('{}', { status: 401 }); }; return true; })()";
        assert!(page.evaluate::<bool>(next).await);
        page.fill("Calendar name", "Ben").await;
        page.click("button", "Create subscription").await;
        let report = "document.getElementById('create-feed-report').textContent";
        until("the end of the session", async || (!page.evaluate::<String>(report).await.is_empty()).then_some(())).await;
        assert_eq!(page.evaluate::<u32>("document.querySelectorAll('#feed-persons input').length").await, 0);
        page.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        page.wait_for("Only for these people").await;
        create_feed(&page, "Ben").await;
        assert_eq!(of_feeds::<Vec<String>>(&page, "feeds.flatMap(feed => feed.personIds)").await, ["ben"]);
    }

    async fn the_switch_and_the_stop_also_stop_calendars(site: &Site) {
        let page = site.open_keys_of("ana").await;
        let address = create_feed(&page, "Family").await;
        page.click("button", "Done, the address is in my calendar").await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("so no calendar can read its subscription").await;
        assert_eq!(read(site, &address).await.0, 404);
        page.fill("Calendar name", "Work").await;
        page.click("button", "Create subscription").await;
        let report = "document.getElementById('create-feed-report').textContent";
        let refused = async || page.evaluate::<String>(report).await.contains("are switched off").then_some(());
        until("the refusal", refused).await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("Programs and assistants are now allowed.").await;
        assert!(page.evaluate::<bool>("document.getElementById('feeds-off').hidden").await);
        assert_eq!(read(site, &address).await.0, 200);

        page.click("button", "Stop everything").await;
        page.wait_for("Your calendar subscriptions end, too.").await;
        page.evaluate::<bool>("document.getElementById('confirm-yes').click() ?? true").await;
        page.wait_for("Ended calendar subscriptions: 1.").await;
        page.wait_for("You have no calendar subscriptions.").await;
        page.click("switch", "Allow programs and assistants").await;
        page.wait_for("Programs and assistants are now allowed.").await;
        assert_eq!(read(site, &address).await.0, 404);
    }

    async fn a_link_fills_in_the_form_of_feeds_and_creates_nothing(site: &Site) {
        let page = site.open_keys_of("ana").await;
        for (query, expected) in [
            ("feed=Grandma&shows=tasks&detail=busy", ["Grandma", "tasks", "busy"]),
            ("feed=%3Cb%3E&shows=secrets&detail=", ["<b>", "events", "full"]),
        ] {
            page.open(&site.url(&format!("/keys?{query}"))).await;
            page.wait_for_focus("heading", "Create a calendar subscription").await;
            page.wait_for("nothing is created until you press the button").await;
            assert_eq!(page.evaluate::<Vec<String>>(FORM).await, expected);
            page.wait_for("You have no calendar subscriptions.").await;
        }
        assert_eq!(page.value("Name").await, "");
    }

    async fn the_back_button_does_not_show_an_address_again(site: &Site) {
        let page = site.open_keys_of("ana").await;
        create_feed(&page, "Family").await;
        page.leave(Leave::Yes, page.open(&site.url("/"))).await;
        page.wait_for("Connect an assistant").await;
        page.evaluate::<bool>("history.back() ?? true").await;
        page.wait_for_control("button", "End: Family").await;
        assert!(!page.evaluate::<String>("document.documentElement.outerHTML").await.contains("/calendar/famcal_"));
    }

    async fn a_lost_answer_says_that_the_feed_may_exist(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.wait_for("You have no calendar subscriptions.").await;
        lose(&page, "method === 'POST'", "await answer;").await;
        page.fill("Calendar name", "Family").await;
        page.click("button", "Create subscription").await;
        page.wait_for("It is not certain whether the subscription was created").await;
        page.wait_for_control("button", "End: Family").await;
    }

    async fn the_list_says_what_a_feed_leaves_out(site: &Site) {
        let page = site.open_keys_of("ana").await;
        create_feed(&page, "Family").await;
        page.click("button", "Done, the address is in my calendar").await;
        page.wait_for("Events · Everything").await;
        assert!(!page.text().await.contains("Entries that did not fit"));
        // As if a program had created a feed of a member who left, and its last read had no room for 12 entries.
        let crowded = "(() => { const real = fetch; window.fetch = async (url, options) => { \
            const answer = await real(url, options); if (!url.endsWith('calendar-feeds')) return answer; \
            const { feeds } = await answer.json(); \
            return Response.json({ feeds: feeds.map(feed => ({ ...feed, personIds: ['gone'], leftOut: 12 })) }); }; \
            return true; })()";
        assert!(page.evaluate::<bool>(crowded).await);
        page.evaluate::<bool>("document.dispatchEvent(new Event('visibilitychange'))").await;
        page.wait_for("Events · Everything · only certain people or boards").await;
        page.wait_for("Entries that did not fit").await;
        let left_out = "document.querySelector('#feeds [data-slot=left-out]').textContent";
        assert_eq!(page.evaluate::<String>(left_out).await, "12");
    }

    async fn a_feed_has_the_language_of_the_page(site: &Site) {
        let page = site.open_keys_of("ana").await;
        page.set_language("de-AT").await;
        page.open(&site.url("/keys")).await;
        page.fill("Name des Kalenders", "Familie").await;
        page.click("button", "Abo erstellen").await;
        page.wait_for("Deine neue Kalenderadresse").await;
        assert_eq!(of_feeds::<Vec<String>>(&page, "feeds.map(feed => feed.language)").await, ["de"]);
    }
}
