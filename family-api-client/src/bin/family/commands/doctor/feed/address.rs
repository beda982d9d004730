//! The address of a calendar feed.

use std::str::FromStr;

use family_api_client::key::PlainToken;
use family_api_client::reqwest::Url;
use family_api_types::paths;

use crate::commands::doctor::target::{Target, is_local};

/// The beginning of each secret.
const PREFIX: &str = "famcal_";
/// The minimum length of the rest of a secret. The rest of a complete one is longer.
const MIN_REST: usize = 8;
const FAULT: &str = "must be the whole address of a calendar feed, from https:// or webcal:// to .ics";

/// The address of a calendar feed: the service, and the secret.
#[derive(Debug)]
pub(crate) struct FeedAddress {
    pub(crate) service: Target,
    secret: PlainToken,
}

impl FromStr for FeedAddress {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut url: Url = text.trim().parse().map_err(|_| FAULT)?;
        if let Some(rest) = url.as_str().strip_prefix("webcal:") {
            let encrypted: Url = format!("https:{rest}").parse().map_err(|_| FAULT)?;
            let plain: Url = format!("http:{rest}").parse().map_err(|_| FAULT)?;
            // The page of a server without TLS also shows `webcal`. A server with TLS redirects to it.
            url = if is_local(&encrypted) { plain } else { encrypted };
        }
        let (path, secret) = split(url.path()).ok_or(FAULT)?;
        let (path, secret) = (path.to_owned(), PlainToken::new(secret));
        url.set_path(&path);
        Ok(Self { service: url.as_str().parse()?, secret })
    }
}

/// Splits the path of a feed into the path of the service and the secret.
fn split(path: &str) -> Option<(&str, &str)> {
    let (before, after) = paths::CALENDAR.split_once("{secret}")?;
    let (service, secret) = path.strip_suffix(after)?.rsplit_once(before)?;
    let rest = secret.strip_prefix(PREFIX)?;
    let is_secret = rest.len() >= MIN_REST && rest.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_secret.then_some((service, secret))
}

impl FeedAddress {
    /// Returns the URL that a calendar program reads.
    pub(crate) fn url(&self) -> String {
        self.url_of(self.secret.expose())
    }

    /// Returns the URL of a feed that the service does not know.
    pub(crate) fn unknown_url(&self) -> String {
        self.url_of("famcal_unknown")
    }

    fn url_of(&self, secret: &str) -> String {
        format!("{}{}", self.service.base(), paths::calendar_feed(secret))
    }

    /// Returns the path of the URL below the origin.
    pub(crate) fn path(&self) -> String {
        self.url().strip_prefix(&self.service.origin()).unwrap_or_default().to_owned()
    }

    /// Returns the part of the secret that must not be shown.
    pub(crate) fn hidden(&self) -> &str {
        self.secret.expose().trim_start_matches(PREFIX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "famcal_7Fh2Wq9Canary";

    #[test]
    fn an_address_is_read_as_calendars_and_pages_show_it() {
        for (address, url) in [
            ("https://family.example/calendar/SECRET.ics", "https://family.example/calendar/SECRET.ics"),
            (" webcal://family.example/app/calendar/SECRET.ics\n", "https://family.example/app/calendar/SECRET.ics"),
            ("webcal://127.0.0.1:8080/calendar/SECRET.ics", "http://127.0.0.1:8080/calendar/SECRET.ics"),
            ("webcal://192.168.1.20/calendar/SECRET.ics", "http://192.168.1.20/calendar/SECRET.ics"),
            ("webcal://192.168.1.20:8080/calendar/SECRET.ics", "http://192.168.1.20:8080/calendar/SECRET.ics"),
            ("webcal://10.0.0.2/calendar/SECRET.ics", "http://10.0.0.2/calendar/SECRET.ics"),
            ("webcal://172.16.0.2/calendar/SECRET.ics", "http://172.16.0.2/calendar/SECRET.ics"),
            ("webcal://172.32.0.2/calendar/SECRET.ics", "https://172.32.0.2/calendar/SECRET.ics"),
            ("webcal://[fd00::2]/calendar/SECRET.ics", "http://[fd00::2]/calendar/SECRET.ics"),
            ("webcal://[2001:db8::2]/calendar/SECRET.ics", "https://[2001:db8::2]/calendar/SECRET.ics"),
            ("webcal://Family.local/calendar/SECRET.ics", "http://family.local/calendar/SECRET.ics"),
            ("webcal://raspberry/calendar/SECRET.ics", "http://raspberry/calendar/SECRET.ics"),
            ("webcal://family.home.arpa/calendar/SECRET.ics", "https://family.home.arpa/calendar/SECRET.ics"),
            ("https://192.168.1.20/calendar/SECRET.ics", "https://192.168.1.20/calendar/SECRET.ics"),
            ("HTTP://192.168.1.20/calendar/SECRET.ics", "http://192.168.1.20/calendar/SECRET.ics"),
        ] {
            let feed: FeedAddress = address.replace("SECRET", SECRET).parse().unwrap();
            assert_eq!(feed.url(), url.replace("SECRET", SECRET));
            assert!(!format!("{feed:?}").contains("Canary") && !feed.service.base().contains("famcal"), "{feed:?}");
        }
    }

    #[test]
    fn another_address_is_refused_and_not_quoted() {
        for bad in [
            "",
            "family.example/calendar/SECRET.ics",
            "ftp://h/calendar/SECRET.ics",
            "https://h/calendar/SECRET",
            "https://h/calendar/other.ics",
            "https://h/calendar/famcal_.ics",
            "https://h/SECRET.ics",
            "https://user@h/calendar/SECRET.ics",
            "https://h/calendar/SECRET.ics?x",
        ] {
            let fault = bad.replace("SECRET", SECRET).parse::<FeedAddress>().unwrap_err();
            assert!(fault.starts_with("must") && !fault.contains("Canary"), "{bad}: {fault}");
        }
    }
}
