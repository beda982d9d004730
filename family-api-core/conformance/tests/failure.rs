//! How a case fails: by the check of a result, or while it prepares the check.

use futures_util::future::BoxFuture;

/// Returns the cases of the suites, each with a run on a new subject.
macro_rules! runs {
    ($subject:expr; $($cases:ident)+) => {{
        let mut runs: Vec<$crate::failure::Run> = Vec::new();
        $(runs.extend(family_api_conformance::$cases().into_iter().map(|case| {
            let name = case.name();
            let run: $crate::failure::Run = (name, Box::pin(async move { case.run(&$subject.await).await }));
            run
        }));)+
        runs
    }};
}

pub(crate) use runs;

/// The name of a case, and its run.
pub(crate) type Run = (&'static str, BoxFuture<'static, ()>);

/// The texts of failures that do not show that the case checks a result: an error of the storage, or a preparation that
/// fails.
const OTHER_FAILURES: [&str; 5] = ["called ", "Backend(", "Corrupt(", " to succeed", " does not see the "];

/// Runs a case that must fail by a check. Returns why it is not shown to do so.
pub(crate) async fn survival((name, run): Run) -> Option<String> {
    match failure(run).await {
        None => Some(format!("{name} passes")),
        Some(message) if OTHER_FAILURES.iter().any(|other| message.contains(other)) => {
            Some(format!("{name} fails for another reason: {message}"))
        }
        Some(_) => None,
    }
}

/// Returns how the runs differ from what is expected: exactly the named cases fail by a check.
pub(crate) async fn wrong_outcomes(runs: Vec<Run>, names: &[&str]) -> Vec<String> {
    let unknown = names.iter().filter(|name| runs.iter().all(|(run, _)| run != *name));
    let mut wrong: Vec<String> = unknown.map(|name| format!("{name} is no case")).collect();
    for (name, run) in runs {
        match (survival((name, run)).await, names.contains(&name)) {
            (None, false) => wrong.push(format!("{name} fails, and is not named")),
            (Some(survival), true) => wrong.push(survival),
            _ => {}
        }
    }
    wrong
}

/// Returns the message of the panic.
pub(crate) async fn failure(run: BoxFuture<'static, ()>) -> Option<String> {
    let panic = tokio::spawn(run).await.err()?.into_panic();
    panic.downcast_ref::<String>().cloned().or_else(|| Some((*panic.downcast_ref::<&str>()?).to_owned()))
}
