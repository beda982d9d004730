//! Tasks whose title is a number that only grows, and their readers.

use std::cell::Cell;

use reqwest::header::{HeaderValue, IF_MATCH, IF_NONE_MATCH};
use serde_json::{Value, json};

use crate::client::{request, with_body};
use crate::nodes::Trial;
use crate::nodes::balancer::Client;

/// The ids of the tasks. Each task has one writer.
pub(crate) const TASKS: [&str; Numbers::COUNT] = ["dentist", "homework", "garden"];

/// The numbers of all tasks, in the order of [`TASKS`].
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    /// A read that starts now returns at least these numbers: they were acknowledged, or returned by another read.
    seen: [Cell<u64>; Self::COUNT],
    attempted: [Cell<u64>; Self::COUNT],
}

impl Numbers {
    pub(crate) const COUNT: usize = 3;

    fn seen(&self) -> [u64; Self::COUNT] {
        self.seen.each_ref().map(Cell::get)
    }

    fn set_seen(&self, task: usize, number: u64) {
        self.seen[task].set(number.max(self.seen[task].get()));
    }

    /// Checks the numbers that a read has returned. `before` are those that were seen before the read.
    fn check(&self, read: [u64; Self::COUNT], before: [u64; Self::COUNT]) {
        for task in 0..Self::COUNT {
            let possible = before[task]..=self.attempted[task].get();
            assert!(possible.contains(&read[task]), "{} has {}, expected {possible:?}", TASKS[task], read[task]);
            self.set_seen(task, read[task]);
        }
    }

    /// Checks the document after the last write.
    pub(crate) fn check_final(&self, document: &Value) {
        self.check(numbers(document), self.seen());
    }
}

/// Returns the numbers in a document of tasks. A task that was never written has 0.
fn numbers(document: &Value) -> [u64; Numbers::COUNT] {
    let tasks = document[0]["columns"][0]["tasks"].as_array().unwrap();
    TASKS.map(|id| {
        let task = tasks.iter().find(|task| task["id"] == id).unwrap();
        task["title"].as_str().unwrap().parse().unwrap_or(0)
    })
}

/// A client that reads the tasks again only if they have changed.
struct Reader<'a> {
    numbers: &'a Numbers,
    token: &'a str,
    client: Client<'a>,
    /// The entity tag and the numbers of the last document.
    last: Option<(HeaderValue, [u64; Numbers::COUNT])>,
    /// The numbers of responses with 200 and 304.
    counts: [u64; 2],
}

impl<'a> Reader<'a> {
    fn new(trial: &'a Trial, numbers: &'a Numbers, token: &'a str) -> Self {
        Self { numbers, token, client: Client::new(trial), last: None, counts: [0; 2] }
    }

    /// Reads the tasks. A response with 304 stands for the last document.
    async fn read(&mut self) {
        let before = self.numbers.seen();
        let answer = self.client.send(|to| {
            let request = request(to, "GET", "/api/v1/read/tasks?completed=all").bearer_auth(self.token);
            self.last.iter().fold(request, |request, (tag, _)| request.header(IF_NONE_MATCH, tag))
        });
        let Some(answer) = answer.await else {
            return;
        };
        let read = match (answer.status, &self.last) {
            (304, Some((_, last))) => *last,
            (200, _) => numbers(&answer.json()),
            _ => panic!("{answer:?}"),
        };
        self.counts[usize::from(answer.status == 304)] += 1;
        self.numbers.check(read, before);
        self.last = Some((answer.headers["etag"].clone(), read));
    }
}

/// Reads in a loop. Returns the numbers of responses with 200 and 304.
pub(crate) async fn poll(trial: &Trial, numbers: &Numbers, token: &str) -> [u64; 2] {
    let mut reader = Reader::new(trial, numbers, token);
    while trial.is_running.get() {
        reader.read().await;
    }
    reader.counts
}

/// Increments the number of a task in a loop, and reads all tasks after each write.
pub(crate) async fn write(trial: &Trial, numbers: &Numbers, task: usize, token: &str) {
    let client = Client::new(trial);
    let mut reader = Reader::new(trial, numbers, token);
    let path = format!("/api/v1/tasks/{}", TASKS[task]);
    // The entity tag of the last write, if it was acknowledged. The node of the next write must know it.
    let mut tag: Option<HeaderValue> = None;
    while trial.is_running.get() {
        let number = numbers.attempted[task].get() + 1;
        numbers.attempted[task].set(number);
        let body = json!({ "title": number.to_string(), "description": "x".repeat(1_000) });
        let write = client.send(|to| {
            let request = with_body(request(to, "PATCH", &path).bearer_auth(token), Some(body));
            tag.take().into_iter().fold(request, |request, tag| request.header(IF_MATCH, tag))
        });
        if let Some(answer) = write.await {
            assert_eq!(answer.status, 200, "{answer:?}");
            numbers.set_seen(task, number);
            tag = Some(answer.headers["etag"].clone());
            trial.acknowledge();
        }
        reader.read().await;
    }
}
