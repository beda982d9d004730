//! The subset of `curl` that the demo's commands use, so that the test needs no `curl`.

use std::collections::HashMap;

use reqwest::header::COOKIE;

use crate::client::{Response, request, send};
use crate::sandbox::Server;

/// Runs command lines. Keeps each cookie jar in memory, by its path.
#[derive(Default)]
pub(crate) struct Curl {
    jars: HashMap<String, String>,
}

impl Curl {
    pub(crate) async fn run(&mut self, server: &Server, line: &str) -> Response {
        let mut words = words(line).into_iter();
        assert_eq!((words.next().as_deref(), words.next().as_deref()), (Some("curl"), Some("-sS")));
        let (mut method, mut url, mut body, mut cookie_jar, mut headers) = (None, None, None, None, Vec::new());
        while let Some(word) = words.next() {
            match word.as_str() {
                "-X" => method = words.next(),
                "-d" => body = words.next(),
                "-c" => cookie_jar = words.next(),
                "-b" => headers.push((COOKIE.to_string(), self.jars[&words.next().unwrap()].clone())),
                "-H" => {
                    let header = words.next().unwrap();
                    let (name, value) = header.split_once(": ").unwrap();
                    headers.push((name.to_owned(), value.to_owned()));
                }
                other => assert!(url.replace(other.to_owned()).is_none(), "{line}"),
            }
        }
        let method = method.unwrap_or_else(|| if body.is_some() { "POST" } else { "GET" }.to_owned());
        let url = url.unwrap();
        let mut request = request(server, &method, url.strip_prefix(&server.url).unwrap());
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let answer = send(request.body(body.unwrap_or_default())).await;
        if let Some(jar) = cookie_jar {
            self.jars.insert(jar, answer.cookie());
        }
        answer
    }
}

/// Splits a line into words like a shell. Special characters must be in single quotes.
fn words(line: &str) -> Vec<String> {
    let parts: Vec<&str> = line.split('\'').collect();
    let outside = parts.iter().step_by(2).any(|part| part.contains(['"', '$', '\\', '`', '&', ';', '(', '*', '?']));
    assert!(parts.len() % 2 == 1 && !outside, "{line}");
    let mut words = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if index % 2 == 1 {
            words.push((*part).to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}
