//! Checks whether calendar programs can read a calendar feed.

mod address;
mod answer;
mod robots;

pub(crate) use address::FeedAddress;

use std::net::SocketAddr;

use super::network;
use super::probe::Probe;
use super::report::Check;

/// Checks the feed and what calendar services ask beside it. No message contains the secret.
pub(crate) async fn check(feed: &FeedAddress, addresses: &[SocketAddr], probe: &Probe) -> Vec<Check> {
    let mut checks = check_all(feed, addresses, probe).await;
    for check in &mut checks {
        check.redact(feed.hidden());
    }
    checks
}

async fn check_all(feed: &FeedAddress, addresses: &[SocketAddr], probe: &Probe) -> Vec<Check> {
    let service = &feed.service;
    let first = probe.get_feed(&feed.url()).await;
    let mut checks = vec![network::judge_encryption(service, first.as_ref().err())];
    let Ok(first) = first else { return checks };
    checks.extend(network::plain_http(service, probe).await);
    checks.push(network::judge_reach(service, addresses));
    match answer::judge_status(feed, &first) {
        Ok(()) => {
            checks.push(Check::ok(answer::FEED, "answers"));
            checks.extend(answer::judge(&first));
            checks.push(answer::check_unchanged(feed, probe, &first).await);
            checks.push(answer::check_head(feed, probe).await);
        }
        Err(fault) => checks.push(Check::failed(answer::FEED, fault)),
    }
    checks.push(answer::check_unknown(feed, probe).await);
    checks.push(robots::check(feed, probe).await);
    checks
}
