//! `deploy/nginx.conf`.

use std::fs;
use std::net::Ipv4Addr;
use std::process::Command;

use family_api_testing::web_proxies;

use crate::proxies::program::{Proxy, Setup};
use crate::sandbox::Server;

const CONFIGURATION: &str = include_str!("../../../deploy/nginx.conf");

const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 77, 0, 1);

/// Starts nginx in front of one node.
pub(crate) fn start(server: &Server) -> Proxy {
    start_with_nodes(&[server.address()])
}

/// Starts nginx in front of the nodes with these addresses.
pub(crate) fn start_with_nodes(addresses: &[&str]) -> Proxy {
    let nodes: Vec<String> = addresses.iter().map(|address| format!("server {address} fail_timeout=2s;")).collect();
    let setup = Setup::on(ADDRESS);
    setup.write(
        "family-api.conf",
        CONFIGURATION,
        &[
            ("server 127.0.0.1:8080 fail_timeout=2s;", &nodes.join(" ")),
            ("listen 80;", &format!("listen {};", setup.plain)),
            ("listen [::]:80;", ""),
            ("listen 443 ssl http2;", &format!("listen {} ssl http2;", setup.tls)),
            ("listen [::]:443 ssl http2;", ""),
            ("/etc/letsencrypt/live/family.example/fullchain.pem", &setup.text("certificate.pem")),
            ("/etc/letsencrypt/live/family.example/privkey.pem", &setup.text("key.pem")),
        ],
    );
    // Debian's /etc/nginx/nginx.conf includes the file in the same context.
    let folder = setup.text("");
    let temporary: Vec<String> = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {folder}{name};"))
        .into();
    let main = format!(
        "daemon off; pid {folder}pid; error_log stderr; user root;\nevents {{}}\nhttp {{ {} include {folder}family-api.conf; }}",
        temporary.join(" ")
    );
    fs::write(setup.path("nginx.conf"), main).unwrap();
    let configuration = setup.text("nginx.conf");
    let mut command = Command::new(web_proxies::nginx().unwrap());
    setup.start(command.env_clear().args(["-c", &configuration, "-e", "stderr"]))
}
