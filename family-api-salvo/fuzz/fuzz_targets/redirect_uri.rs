//! `cargo fuzz run redirect_uri`.
#![cfg_attr(fuzzing, no_main)]

family_api_fuzz::fuzz!(family_api_fuzz::redirect_uri);
