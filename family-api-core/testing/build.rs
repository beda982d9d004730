//! Finds the programs of a PostgreSQL server, Chromium, axe-core, nginx, Caddy and promtool, and the URL of a Citus
//! cluster. If one is missing, the tests that need it are ignored.

use std::env;

#[expect(unreachable_pub, reason = "the library exports the module")]
#[path = "src/chromium.rs"]
mod chromium;
#[expect(unreachable_pub, reason = "the library exports the module")]
#[path = "src/citus.rs"]
mod citus;
#[path = "src/programs.rs"]
mod programs;
#[expect(unreachable_pub, reason = "the library exports the module")]
#[path = "src/promtool.rs"]
mod promtool;
#[expect(unreachable_pub, reason = "the library exports the module")]
#[path = "src/web_proxies.rs"]
mod web_proxies;

/// `required`: the tests are never ignored and fail if the programs are missing. `off`: they are always ignored.
const POSTGRES: &str = "FAMILY_API_TEST_POSTGRES";
const PROMTOOL: &str = "FAMILY_API_TEST_PROMTOOL";
const BROWSER: &str = "FAMILY_API_TEST_BROWSER";
const PROXIES: &str = "FAMILY_API_TEST_PROXIES";

fn main() {
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rerun-if-env-changed={}", chromium::AXE);
    let postgres = programs::find().ok_or_else(|| {
        let install = format!("install them, for example Debian's postgresql, and set {POSTGRES}=required");
        format!("{} were found ({install})", programs::NO_PROGRAMS)
    });
    let citus = citus::url().ok_or_else(|| format!("{} is not set", citus::URL));
    let promtool = promtool::find().ok_or_else(|| {
        let install = format!("install it, for example Debian's prometheus, and set {PROMTOOL}=required");
        format!("{} was found ({install})", promtool::NO_PROMTOOL)
    });
    let chromium = chromium::find().ok_or_else(|| {
        let install = format!("install it, for example Debian's chromium, and set {BROWSER}=required");
        format!("{} was found ({install})", chromium::NO_CHROMIUM)
    });
    let axe = chromium.clone().and_then(|_| chromium::axe().ok_or_else(|| chromium::NO_AXE.to_owned()));
    let proxies = web_proxies::nginx().zip(web_proxies::caddy()).ok_or_else(|| {
        let install = format!("install both, for example Debian's nginx and caddy, and set {PROXIES}=required");
        format!("{} were found ({install})", web_proxies::NO_PROXIES)
    });
    ignore_unless_found("PostgreSQL tests", "postgres_missing", POSTGRES, postgres.err());
    ignore_unless_found("tests on a Citus cluster", "citus_missing", citus::URL, citus.err());
    ignore_unless_found("tests with promtool", "promtool_missing", PROMTOOL, promtool.err());
    ignore_unless_found("tests in a browser", "chromium_missing", BROWSER, chromium.err());
    ignore_unless_found("tests with axe-core", "axe_missing", BROWSER, axe.err());
    ignore_unless_found("tests behind a proxy", "web_proxies_missing", PROXIES, proxies.err());
}

/// Sets a `cfg` that ignores the tests if something is missing or the variable is `off`.
fn ignore_unless_found(tests: &str, cfg: &str, variable: &str, missing: Option<String>) {
    println!("cargo::rerun-if-env-changed={variable}");
    println!("cargo::rustc-check-cfg=cfg({cfg})");
    let reason = match env::var(variable).as_deref() {
        Ok("required") => None,
        Ok("off") => Some(format!("{variable} is off")),
        _ => missing,
    };
    if let Some(reason) = reason {
        println!("cargo::warning={reason}: the {tests} are ignored");
        println!("cargo::rustc-cfg={cfg}");
    }
}
