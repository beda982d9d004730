//! `family doctor`: checks from outside whether assistants can reach and use a service, or whether calendar programs can
//! read a calendar feed. Sends no key.

mod authorization_server;
mod challenge;
mod clock;
mod endpoint;
mod feed;
mod network;
mod probe;
mod protected_resource;
mod report;
mod server_pages;
mod sign_in;
mod target;

use std::convert::Infallible;
use std::str::FromStr;

use clap::Args;
use family_api_client::{Clock, Surface, SystemClock};

use self::feed::FeedAddress;
use self::probe::Probe;
use self::report::{Check, Report};
use self::target::Target;
use crate::context::Context;
use crate::failure::Failure;
use crate::token;

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    /// The base URL of the service or the URL of an MCP endpoint. Default: the value of --url
    #[arg(value_name = "URL")]
    target: Option<TargetArgument>,
    /// Check a calendar feed instead. Its address is read from standard input, because it contains a secret
    #[arg(long, conflicts_with = "target")]
    feed: bool,
}

/// A target, or why it is none. clap would quote an argument that it refuses, and the argument can contain a secret.
#[derive(Debug, Clone)]
struct TargetArgument(Result<Target, &'static str>);

impl FromStr for TargetArgument {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.parse()))
    }
}

/// Runs all checks and prints their results. Fails if a check failed.
pub(crate) fn run(context: &Context, arguments: DoctorArguments) -> Result<(), Failure> {
    let report = if arguments.feed {
        let address = token::read_line("address of the feed", "Address of the calendar feed: ")?;
        let feed: FeedAddress = address.parse().map_err(|fault| Failure::Usage(format!("the address {fault}")))?;
        Report { url: feed.service.base(), checks: examine(&feed.service, Some(&feed))? }
    } else {
        let target = match arguments.target {
            Some(TargetArgument(target)) => target.map_err(|fault| Failure::Usage(format!("the URL {fault}")))?,
            None => context.service.url.parse().map_err(|fault| Failure::Usage(format!("--url {fault}")))?,
        };
        Report { url: target.base(), checks: examine(&target, None)? }
    };
    report.print(context.output)?;
    match report.failed_count() {
        0 => Ok(()),
        count => Err(Failure::FailedChecks { count }),
    }
}

/// Runs the checks in order. If the service cannot be reached, the later checks are left out.
fn examine(target: &Target, feed: Option<&FeedAddress>) -> Result<Vec<Check>, Failure> {
    let (address, addresses) = network::resolve(target);
    let mut checks = vec![address];
    if !checks.iter().any(Check::has_failed) {
        checks.push(network::connect(target, &addresses));
    }
    if !checks.iter().any(Check::has_failed) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let probe = Probe::new()?;
        checks.extend(match feed {
            Some(feed) => runtime.block_on(feed::check(feed, &addresses, &probe)),
            None => runtime.block_on(examine_http(target, &probe)),
        });
    }
    Ok(checks)
}

async fn examine_http(target: &Target, probe: &Probe) -> Vec<Check> {
    let first = probe.get(&target.endpoint(Surface::V1)).await;
    let mut checks = vec![network::judge_encryption(target, first.as_ref().err())];
    let Ok(first) = first else { return checks };
    checks.extend(network::plain_http(target, probe).await);
    checks.push(clock::judge(&first, SystemClock.now()));
    let mut issuers = Vec::new();
    for surface in [Surface::V1, Surface::ReadPath] {
        let (endpoint, challenge) = endpoint::check(target, probe, surface).await;
        checks.push(endpoint);
        if let Some(challenge) = challenge {
            let (metadata, issuer) = protected_resource::check(target, probe, surface, &challenge).await;
            checks.push(metadata);
            issuers.extend(issuer.filter(|issuer| !issuers.contains(issuer)));
        }
    }
    for issuer in &issuers {
        checks.extend(authorization_server::check(target, probe, issuer).await);
    }
    checks.extend(server_pages::check(target, probe, issuers.contains(&target.base())).await);
    checks
}
