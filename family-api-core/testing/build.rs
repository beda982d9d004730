//! Finds the programs of a PostgreSQL server. If there are none, the PostgreSQL tests are ignored.

use std::env;

#[path = "src/programs.rs"]
mod programs;

/// `required`: the tests are never ignored and fail if the programs are missing. `off`: they are always ignored.
const VARIABLE: &str = "FAMILY_API_TEST_POSTGRES";

fn main() {
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rustc-check-cfg=cfg(postgres_missing)");
    let missing = match env::var(VARIABLE).as_deref() {
        Ok("required") => None,
        Ok("off") => Some(format!("{VARIABLE} is off")),
        _ if programs::find().is_some() => None,
        _ => Some(format!(
            "{} were found (install them, for example Debian's postgresql, and set {VARIABLE}=required)",
            programs::NO_PROGRAMS
        )),
    };
    if let Some(reason) = missing {
        println!("cargo::warning={reason}: the PostgreSQL tests are ignored");
        println!("cargo::rustc-cfg=postgres_missing");
    }
}
