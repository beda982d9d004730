//! `cargo fuzz run environment_list`.
#![cfg_attr(fuzzing, no_main)]

family_api_fuzz::fuzz!(family_api_fuzz::environment_list);
