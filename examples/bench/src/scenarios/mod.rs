//! What is asked of whom.

mod list;
mod reads;
mod writes;

use std::time::Duration;

use crate::load::MakeAsker;
use crate::setup::Subject;

pub(crate) use list::scenarios;
pub(crate) use reads::{keys, unchanged};
pub(crate) use writes::{patch, titles};

pub(crate) const MOST_CONNECTIONS: usize = 32;

/// The two loads of most scenarios.
const ONE_AND_MOST: &[usize] = &[1, MOST_CONNECTIONS];

/// 50 writes in a second.
const WRITE_EVERY: Duration = Duration::from_millis(20);

pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    pub(crate) subject: Subject,
    pub(crate) connections: &'static [usize],
    pub(crate) client: MakeAsker,
    pub(crate) writer: Option<(MakeAsker, Duration)>,
    /// Whether all that is asked for at random is known before.
    pub(crate) is_known: bool,
    /// The baselines that answer the same: ready bytes, and the plain handler.
    pub(crate) beside: Option<[&'static str; 2]>,
    /// The scenario whose CPU is in this one's too, and is not meant.
    pub(crate) without: Option<&'static str>,
    pub(crate) aims: Vec<Aim>,
}

/// What is meant to hold; the CPU is that of the median round, the bytes are those of an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Aim {
    /// At most so many times the CPU of another scenario.
    Cpu(f64, &'static str),
    /// At most so much of the bytes of another scenario.
    Share(f64, &'static str),
    /// At most so many bytes.
    Bytes(usize),
    /// At most so many times as long for one in a hundred as for the one in the middle.
    Tail(f64),
}

impl Aim {
    /// Whether that is more, when both are written with two decimals.
    pub(crate) fn is_missed_by(self, reached: f64) -> bool {
        let most = match self {
            Self::Cpu(most, _) | Self::Share(most, _) | Self::Tail(most) => most,
            Self::Bytes(most) => most as f64,
        };
        reached >= most + 0.005
    }
}

impl Scenario {
    fn new(name: &'static str, subject: Subject, client: MakeAsker) -> Self {
        Self {
            name,
            subject,
            connections: ONE_AND_MOST,
            client,
            writer: None,
            is_known: false,
            beside: None,
            without: None,
            aims: vec![],
        }
    }

    fn at(self, connections: &'static [usize]) -> Self {
        Self { connections, ..self }
    }

    fn known(self) -> Self {
        Self { is_known: true, ..self }
    }

    fn beside(self, baselines: [&'static str; 2]) -> Self {
        Self { beside: Some(baselines), ..self }
    }

    fn aim(mut self, aim: Aim) -> Self {
        self.aims.push(aim);
        self
    }

    fn without(self, other: &'static str) -> Self {
        Self { without: Some(other), ..self }
    }

    fn while_writing(self, writer: MakeAsker) -> Self {
        Self { writer: Some((writer, WRITE_EVERY)), ..self }
    }
}
