//! Looks for the programs of a PostgreSQL server: where there are none, the tests on PostgreSQL count as ignored.

use std::env;

#[path = "src/programs.rs"]
mod programs;

/// `required`: the tests are never ignored, and fail where the programs are missing. `off`: they are always ignored.
const CHOICE: &str = "FAMILY_API_TEST_POSTGRES";

fn main() {
    println!("cargo::rerun-if-env-changed={CHOICE}");
    println!("cargo::rerun-if-env-changed=PATH");
    println!("cargo::rustc-check-cfg=cfg(postgres_missing)");
    let missing = match env::var(CHOICE).as_deref() {
        Ok("required") => None,
        Ok("off") => Some(format!("{CHOICE} is off")),
        _ if programs::find().is_some() => None,
        _ => Some(format!(
            "{} were found (install them, as Debian's postgresql, and set {CHOICE}=required)",
            programs::NONE
        )),
    };
    if let Some(reason) = missing {
        println!("cargo::warning={reason}: the tests on PostgreSQL are ignored");
        println!("cargo::rustc-cfg=postgres_missing");
    }
}
