//! Checks the way to the service: name, connection, encryption.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, ToSocketAddrs};

use family_api_client::reqwest::header::LOCATION;

use super::probe::{Probe, TIMEOUT};
use super::report::Check;
use super::target::Target;

const ADDRESS: &str = "address";
const CONNECTION: &str = "connection";
const HTTPS: &str = "https";
const PLAIN_HTTP: &str = "plain http";
const REACH: &str = "google calendar";
const HTTPS_PORT: u16 = 443;
/// What the error of rustls contains if the first bytes of the peer are not TLS.
const NOT_TLS: &str = "InvalidContentType";

/// Resolves the host.
pub(crate) fn resolve(target: &Target) -> (Check, Vec<SocketAddr>) {
    let host = target.host();
    let resolved: Vec<SocketAddr> = match target.ip() {
        Some(ip) => vec![(ip, target.port()).into()],
        None => (host, target.port()).to_socket_addrs().map(Iterator::collect).unwrap_or_default(),
    };
    let ips: Vec<IpAddr> = resolved.iter().map(SocketAddr::ip).collect();
    (judge_addresses(host, &ips), resolved)
}

fn judge_addresses(host: &str, ips: &[IpAddr]) -> Check {
    if ips.is_empty() {
        return Check::failed(
            ADDRESS,
            format!("{host} has no address: create a DNS record of type A with the server's IPv4 address"),
        );
    }
    let ips: Vec<IpAddr> = ips.iter().map(IpAddr::to_canonical).collect();
    if ips.iter().all(IpAddr::is_loopback) {
        return Check::warning(ADDRESS, format!("{host} is this machine: other machines cannot connect"));
    }
    let v4 = ips.iter().filter_map(|ip| match ip {
        IpAddr::V4(ip) => Some(*ip),
        IpAddr::V6(_) => None,
    });
    let v4: Vec<Ipv4Addr> = v4.collect();
    let Some(first) = v4.first() else {
        return Check::failed(
            ADDRESS,
            format!("{host} has only IPv6 addresses: add a DNS record of type A, because many programs use only IPv4"),
        );
    };
    if v4.iter().all(|ip| is_private(*ip)) {
        return Check::warning(
            ADDRESS,
            format!("{first} is a private address: only programs in the same network can connect"),
        );
    }
    Check::ok(ADDRESS, format!("{host} has an IPv4 address"))
}

/// Returns whether an address cannot be reached from the internet.
pub(crate) fn is_private(ip: Ipv4Addr) -> bool {
    let [first, second, ..] = ip.octets();
    // 100.64.0.0/10 is shared address space (RFC 6598), which overlay networks use too.
    let is_shared = first == 100 && (64..128).contains(&second);
    ip.is_private() || ip.is_loopback() || ip.is_link_local() || is_shared
}

/// Opens a TCP connection to the first address that accepts one.
pub(crate) fn connect(target: &Target, addresses: &[SocketAddr]) -> Check {
    let port = target.port();
    let mut last_error = String::new();
    for address in addresses {
        match TcpStream::connect_timeout(address, TIMEOUT) {
            Ok(_) => return Check::ok(CONNECTION, format!("port {port} accepts connections")),
            Err(error) => last_error = error.to_string(),
        }
    }
    Check::failed(
        CONNECTION,
        format!(
            "no connection to port {port} ({last_error}): start the server or proxy, and open the port in the firewall"
        ),
    )
}

/// Judges the first request: `failure` is its cause if it failed.
pub(crate) fn judge_encryption(target: &Target, failure: Option<&String>) -> Check {
    match failure {
        Some(cause) if target.is_encrypted() && cause.contains(NOT_TLS) => Check::failed(
            HTTPS,
            format!(
                "port {} speaks plain HTTP: put a proxy with a certificate in front, or correct the port",
                target.port()
            ),
        ),
        Some(cause) if target.is_encrypted() => Check::failed(
            HTTPS,
            format!(
                "no HTTPS ({cause}): install a certificate for {} from a public authority. To check a certificate of your \
                 own authority, set SSL_CERT_FILE to the authority's certificate",
                target.host()
            ),
        ),
        Some(cause) => Check::failed(HTTPS, format!("no HTTP ({cause}): check the URL")),
        None if target.is_encrypted() => Check::ok(HTTPS, "the certificate is valid"),
        None if target.is_loopback() => {
            Check::warning(HTTPS, "the URL is plain http: only programs on this machine can use it")
        }
        None if target.is_local() => Check::warning(
            HTTPS,
            "the URL is plain http, so every device in the network can read secrets: use it only in a network that you \
             trust",
        ),
        None => Check::failed(
            HTTPS,
            "the URL is plain http, so secrets are readable on the network: put a proxy with a certificate in front",
        ),
    }
}

/// Judges whether calendar services on the internet can read a feed of the service.
pub(crate) fn judge_reach(target: &Target, addresses: &[SocketAddr]) -> Check {
    let is_public = addresses.iter().any(|address| match address.ip().to_canonical() {
        IpAddr::V4(ip) => !is_private(ip),
        IpAddr::V6(_) => false,
    });
    if is_public && target.is_encrypted() {
        return Check::ok(REACH, "can reach the address");
    }
    Check::warning(
        REACH,
        "Google Calendar and phones away from home cannot read the feed: they need https at a public address",
    )
}

/// Checks whether plain HTTP redirects to HTTPS. `None` if the target does not have the default port of HTTPS.
pub(crate) async fn plain_http(target: &Target, probe: &Probe) -> Option<Check> {
    if !target.is_encrypted() || target.port() != HTTPS_PORT {
        return None;
    }
    let answer = probe.get(&format!("http://{}/", target.host())).await.ok();
    let answer = answer.as_ref().map(|answer| (answer.status, answer.header(LOCATION)));
    Some(judge_plain_http(&target.origin(), answer))
}

/// Judges the status and the `Location` of the answer to plain HTTP. `None` if there is no answer.
fn judge_plain_http(origin: &str, answer: Option<(u16, Option<&str>)>) -> Check {
    let is_below_origin =
        |location: &str| location.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    match answer {
        None => Check::ok(PLAIN_HTTP, "port 80 is closed"),
        Some((300..400, Some(location))) if is_below_origin(location) => {
            Check::ok(PLAIN_HTTP, format!("redirects to {origin}"))
        }
        Some((300..400, location)) => Check::warning(
            PLAIN_HTTP,
            format!("redirects to {}: redirect to {origin}", location.unwrap_or("no address")),
        ),
        Some((status @ 400.., _)) => Check::ok(PLAIN_HTTP, format!("refused with {status}")),
        Some((status, _)) => Check::warning(
            PLAIN_HTTP,
            format!("answers with {status}, so a key could be sent unencrypted: redirect to {origin}"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_judged() {
        for (ips, expected) in [
            (&[][..], "failed   address: h has no address"),
            (&["2001:db8::1"], "failed   address: h has only IPv6 addresses"),
            (&["2001:db8::1", "203.0.113.7"], "ok       address: h has an IPv4 address"),
            (&["192.168.1.2"], "warning  address: 192.168.1.2 is a private address"),
            (&["2001:db8::1", "192.168.1.2"], "warning  address: 192.168.1.2 is a private address"),
            (&["192.168.1.2", "203.0.113.7"], "ok       address: h has an IPv4 address"),
            (&["100.64.0.1", "fd00::1"], "warning  address: 100.64.0.1 is a private address"),
            (&["127.0.0.1", "::1"], "warning  address: h is this machine"),
        ] {
            let ips: Vec<IpAddr> = ips.iter().map(|ip| ip.parse().unwrap()).collect();
            assert!(judge_addresses("h", &ips).to_line().starts_with(expected), "{ips:?}");
        }
    }

    #[test]
    fn plain_http_is_only_for_a_network_at_home() {
        for (url, expected) in [
            ("http://127.0.0.1:8080", "warning  https: the URL is plain http: only programs on this machine"),
            ("http://192.168.1.20:8080", "warning  https: the URL is plain http, so every device in the network"),
            ("http://family.local", "warning  https: the URL is plain http, so every device in the network"),
            ("http://family.example", "failed   https: the URL is plain http, so secrets are readable"),
            ("http://203.0.113.7", "failed   https: the URL is plain http, so secrets are readable"),
            ("https://192.168.1.20", "ok       https: "),
        ] {
            let line = judge_encryption(&url.parse().unwrap(), None).to_line();
            assert!(line.starts_with(expected), "{url}: {line}");
        }
    }

    #[test]
    fn plain_http_must_redirect_to_the_same_origin() {
        for (answer, expected) in [
            (None, "ok "),
            (Some((301, Some("https://h/"))), "ok "),
            (Some((308, Some("https://h"))), "ok "),
            (Some((301, Some("https://h.other.example/"))), "warning "),
            (Some((302, None)), "warning "),
            (Some((200, None)), "warning "),
            (Some((404, None)), "ok "),
        ] {
            let line = judge_plain_http("https://h", answer).to_line();
            assert!(line.starts_with(expected), "{answer:?}: {line}");
        }
    }
}
