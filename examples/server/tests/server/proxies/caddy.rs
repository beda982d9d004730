//! `deploy/Caddyfile`.

use std::net::Ipv4Addr;
use std::process::Command;

use family_api_testing::web_proxies;

use crate::proxies::program::{Proxy, Setup};
use crate::sandbox::Server;

const CONFIGURATION: &str = include_str!("../../../deploy/Caddyfile");

const ADDRESS: Ipv4Addr = Ipv4Addr::new(127, 77, 0, 2);

pub(crate) fn start(server: &Server) -> Proxy {
    let setup = Setup::on(ADDRESS);
    let (plain, tls) = (setup.plain.port(), setup.tls.port());
    let options =
        format!("{{\n\tadmin off\n\tdefault_bind {ADDRESS}\n\thttp_port {plain}\n\thttps_port {tls}\n\tservers {{");
    let site = format!("family.example {{\n\ttls {} {}", setup.text("certificate.pem"), setup.text("key.pem"));
    setup.write(
        "Caddyfile",
        CONFIGURATION,
        &[
            ("{\n\tservers {", &options),
            ("\nfamily.example {", &format!("\n{site}")),
            ("reverse_proxy 127.0.0.1:8080 {", &format!("reverse_proxy {} {{", server.address())),
        ],
    );
    let (home, configuration) = (setup.text(""), setup.text("Caddyfile"));
    let mut command = Command::new(web_proxies::caddy().unwrap());
    command.args(["run", "--adapter", "caddyfile", "--config", &configuration]);
    // The folder of Caddy's own certificates.
    command.env_clear().env("HOME", home);
    setup.start(&mut command)
}
