//! `cargo fuzz run bearer_header`.
#![cfg_attr(fuzzing, no_main)]

family_api_fuzz::fuzz!(family_api_fuzz::bearer_header);
