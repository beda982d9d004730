//! `cargo fuzz run import_lines`.
#![cfg_attr(fuzzing, no_main)]

family_api_fuzz::fuzz!(family_api_fuzz::import_lines);
