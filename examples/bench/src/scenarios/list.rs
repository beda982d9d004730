//! The list of scenarios.

use super::clients::{
    IdempotencyKeys, conditional, creations, random_key, resource, unchanged, unknown_token, writes,
    writes_in_many_families, zstd,
};
use super::mcp::{discovery, key, listed_tasks, tool_definitions};
use super::{PerformanceTarget, Scenario};
use crate::setup::{Setup, Subject};

const STATIC: &str = "static bytes";
const PLAIN: &str = "plain handler";
const UNCHANGED: &str = "read/tasks, unchanged";
const UNCACHED: &str = "read/tasks, cache off";
const STATIC_SMALL: &str = "static bytes, another family";
const PLAIN_RANDOM: &str = "plain handler, any of 2,000 keys";

const LISTED: &str = "MCP list_tasks, 20 tasks, cache off";
const PATCH_MANY: &str = "task PATCH, any of 1,000 families";

const STATIC_TOOLS: &str = "static bytes, tools/list";
const STATIC_DISCOVERY: &str = "static bytes, server/discover";

const LARGE_BASELINES: [&str; 2] = [STATIC, PLAIN];
const SMALL_BASELINES: [&str; 2] = [STATIC_SMALL, PLAIN_RANDOM];

/// Returns all scenarios in the order of a round. Scenarios that are compared with each other run one after the other.
pub(crate) fn scenarios(setup: &Setup) -> Vec<Scenario> {
    [tasks(), mcp(setup), random_keys(), task_writes(setup)].into_iter().flatten().collect()
}

fn task_writes(setup: &Setup) -> Vec<Scenario> {
    let create = |name, keys| {
        Scenario::new(name, Subject::Cached, creations(keys)).target(PerformanceTarget::RateRatio(1.0, PATCH_MANY))
    };
    vec![
        Scenario::new("task PATCH", Subject::Cached, writes(setup)),
        Scenario::new(PATCH_MANY, Subject::Cached, writes_in_many_families(setup)),
        create("task POST, any of 1,000 families", IdempotencyKeys::None),
        create("task POST, any of 1,000 families, Idempotency-Key", IdempotencyKeys::New),
    ]
}

fn tasks() -> Vec<Scenario> {
    vec![
        Scenario::new(STATIC, Subject::Static, resource("/0")),
        Scenario::new(UNCHANGED, Subject::Cached, unchanged())
            .baselines(LARGE_BASELINES)
            .target(PerformanceTarget::CpuRatio(1.1, STATIC))
            .target_of_one_connection(PerformanceTarget::CpuRatio(1.8, STATIC)),
        Scenario::new("read/tasks, unchanged, --metrics", Subject::Metered, unchanged())
            .baselines(LARGE_BASELINES)
            .target(PerformanceTarget::CpuRatio(1.01, UNCHANGED)),
        Scenario::new("read/tasks, If-None-Match", Subject::Cached, conditional())
            .baselines(LARGE_BASELINES)
            .target(PerformanceTarget::CpuRatio(1.6, STATIC))
            .target(PerformanceTarget::Bytes(399)),
        Scenario::new("read/tasks, zstd", Subject::Cached, zstd())
            .baselines(LARGE_BASELINES)
            .target(PerformanceTarget::BytesRatio(1.0 / 7.0, UNCHANGED)),
        Scenario::new(PLAIN, Subject::Plain, unchanged()).baselines(LARGE_BASELINES),
        Scenario::new(UNCACHED, Subject::Uncached, unchanged())
            .baselines(LARGE_BASELINES)
            .target(PerformanceTarget::CpuRatio(0.9, PLAIN))
            .target_of_one_connection(PerformanceTarget::CpuRatio(0.9, PLAIN)),
    ]
}

fn mcp(setup: &Setup) -> Vec<Scenario> {
    vec![
        Scenario::new(LISTED, Subject::Uncached, listed_tasks(&key()))
            .target(PerformanceTarget::CpuRatio(2.0, UNCACHED)),
        Scenario::new("MCP list_tasks, access token", Subject::Uncached, listed_tasks(&setup.access_token))
            .target(PerformanceTarget::CpuRatio(1.05, LISTED)),
        Scenario::new(STATIC_TOOLS, Subject::Static, resource("/2")),
        Scenario::new("MCP tools/list", Subject::Cached, tool_definitions())
            .target(PerformanceTarget::CpuRatio(3.0, STATIC_TOOLS)),
        Scenario::new(STATIC_DISCOVERY, Subject::Static, resource("/3")),
        Scenario::new("MCP server/discover", Subject::Cached, discovery())
            .target(PerformanceTarget::CpuRatio(3.0, STATIC_DISCOVERY)),
    ]
}

fn random_keys() -> Vec<Scenario> {
    vec![
        Scenario::new(STATIC_SMALL, Subject::Static, resource("/1")),
        Scenario::new("read/tasks, unchanged, any of 2,000 keys", Subject::Cached, random_key())
            .with_warm_key_cache()
            .baselines(SMALL_BASELINES)
            .target(PerformanceTarget::CpuRatio(2.5, STATIC_SMALL)),
        Scenario::new(PLAIN_RANDOM, Subject::Plain, random_key()).baselines(SMALL_BASELINES),
        Scenario::new("read/tasks, cache off, any of 2,000 keys", Subject::Uncached, random_key())
            .baselines(SMALL_BASELINES),
        Scenario::new("an invalid token", Subject::Cached, unknown_token()),
    ]
}
