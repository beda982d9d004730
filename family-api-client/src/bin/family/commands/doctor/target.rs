//! The address of the service to check.

use std::net::IpAddr;
use std::str::FromStr;

use family_api_client::Surface;
use family_api_types::paths;
use reqwest::Url;

use super::network::is_private;

/// The base URL of a service.
#[derive(Debug, Clone)]
pub(crate) struct Target {
    url: Url,
    /// The path of the base URL, without a slash at its end.
    path: String,
}

impl FromStr for Target {
    type Err = &'static str;

    /// Parses the base URL of a service, or the URL of one of its MCP endpoints.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.contains("/famcal_") {
            return Err(
                "must not contain the secret of a calendar feed: run `family doctor --feed`, which asks for it",
            );
        }
        let url: Url = text.parse().map_err(|_| "must be a URL such as https://family.example")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("must begin with http:// or https://");
        }
        if !url.username().is_empty() || url.password().is_some() || url.query().is_some() || url.fragment().is_some() {
            return Err("must not contain a user name, a password, a query or a fragment");
        }
        let path = url.path().trim_end_matches('/');
        let endpoints = [paths::V1_MCP, paths::READ_PATH_MCP];
        let base = endpoints.into_iter().find_map(|endpoint| path.strip_suffix(endpoint)).unwrap_or(path);
        Ok(Self { path: base.to_owned(), url })
    }
}

impl Target {
    /// Returns the base URL without a slash at its end.
    pub(crate) fn base(&self) -> String {
        format!("{}{}", self.origin(), self.path)
    }

    /// Returns the scheme, host and port, without a default port.
    pub(crate) fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    pub(crate) fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(443)
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Returns the address if the host is an IP address and not a name.
    pub(crate) fn ip(&self) -> Option<IpAddr> {
        self.host().trim_start_matches('[').trim_end_matches(']').parse().ok()
    }

    /// Returns whether the host is this machine.
    pub(crate) fn is_loopback(&self) -> bool {
        is_loopback(&self.url)
    }

    /// Returns whether the host is this machine or in the same network, as far as its name says.
    pub(crate) fn is_local(&self) -> bool {
        is_local(&self.url)
    }

    /// Returns the URL of a surface's MCP endpoint.
    pub(crate) fn endpoint(&self, surface: Surface) -> String {
        format!("{}{}", self.base(), paths::mcp(surface))
    }

    /// Returns the URL of the OpenAPI document.
    pub(crate) fn openapi(&self) -> String {
        format!("{}{}", self.base(), paths::OPENAPI)
    }

    /// Returns the URL of the metadata of an endpoint (RFC 9728, section 3.1).
    pub(crate) fn metadata(&self, surface: Surface) -> String {
        format!("{}/.well-known/oauth-protected-resource{}{}", self.origin(), self.path, paths::mcp(surface))
    }
}

/// Returns whether the host of a URL is `localhost` or a loopback address. Does not resolve names.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.to_canonical().is_loopback())
}

/// Returns whether the host of a URL is this machine or in the same network: a private address, a name that ends with
/// `.local`, or a name without a dot. Does not resolve names.
pub(crate) fn is_local(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match ip.map(|ip| ip.to_canonical()) {
        Ok(IpAddr::V4(ip)) => is_private(ip),
        Ok(IpAddr::V6(ip)) => ip.is_unique_local() || ip.is_loopback() || ip.is_unicast_link_local(),
        Err(_) => host.rsplit_once('.').is_none_or(|(_, last)| last == "local"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_and_a_base_url_are_the_same_target() {
        for url in [
            "https://family.example/app",
            "https://family.example:443/app/",
            "https://FAMILY.example/app/api/v1/mcp",
            "https://family.example/app/api/mcp/",
        ] {
            let target: Target = url.parse().unwrap();
            assert_eq!(target.base(), "https://family.example/app", "{url}");
            assert_eq!(target.endpoint(Surface::ReadPath), "https://family.example/app/api/mcp");
            let metadata = "https://family.example/.well-known/oauth-protected-resource/app/api/v1/mcp";
            assert_eq!(target.metadata(Surface::V1), metadata);
        }
    }

    #[test]
    fn a_url_with_secrets_or_another_scheme_is_refused_and_not_quoted() {
        let feed = "webcal://h/calendar/famcal_canary.ics";
        for bad in ["", "family.example", "ftp://h", "https://canary@h", "https://h?canary", "https://h#canary", feed] {
            assert!(!bad.parse::<Target>().unwrap_err().contains("canary"), "{bad}");
        }
    }
}
