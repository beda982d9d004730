//! `cargo fuzz run client_metadata`.
#![cfg_attr(fuzzing, no_main)]

family_api_fuzz::fuzz!(family_api_fuzz::client_metadata);
