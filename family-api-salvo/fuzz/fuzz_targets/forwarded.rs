//! `cargo fuzz run forwarded`.
#![cfg_attr(fuzzing, no_main)]

family_api_fuzz::fuzz!(family_api_fuzz::forwarded);
