//! Looks at what others may change at any moment, each shared by those who wait for one.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Mutex as AsyncMutex;
use tokio::task::yield_now;
use tokio::time::timeout;

/// How long a look of another is waited for: where it is slow, those who wait look for themselves.
const PATIENCE: Duration = Duration::from_millis(100);

/// Answers questions by looks, one after the other: whoever asks while one is under way shares the next. So an answer
/// is what was there at some moment after its question, and many who ask at once cost little more than one.
pub(super) struct SharedLook<Q, A> {
    waiting: Mutex<Waiting<Q>>,
    last: AsyncMutex<Option<Look<A>>>,
}

/// The questions of those who wait, by their numbers.
struct Waiting<Q> {
    questions: BTreeMap<u64, Q>,
    /// How many were asked, ever.
    asked: u64,
}

struct Look<A> {
    /// `None` where it failed, which is told to nobody but who looked.
    answer: Option<A>,
    /// How many had been asked before it: it is an answer to them.
    answers: u64,
}

impl<Q: Clone, A> SharedLook<Q, A> {
    pub(super) fn new() -> Self {
        let waiting = Waiting { questions: BTreeMap::new(), asked: 0 };
        Self { waiting: Mutex::new(waiting), last: AsyncMutex::new(None) }
    }

    /// Takes its answer from a look that began after the call; `None` where no look of others tells it soon.
    ///
    /// `look` is given the questions of all who wait. Where nobody waits for it any more, the next of them looks.
    pub(super) async fn ask<T, E, F>(
        &self,
        question: Q,
        look: impl FnOnce(Vec<Q>) -> F,
        take: impl FnOnce(&A) -> T,
    ) -> Result<Option<T>, E>
    where
        F: Future<Output = Result<A, E>>,
    {
        let question = Question::ask(self, question);
        let Ok(mut last) = timeout(PATIENCE, self.last.lock()).await else {
            return Ok(None);
        };
        if let Some(last) = last.as_ref().filter(|last| question.number < last.answers) {
            return Ok(last.answer.as_ref().map(take));
        }
        // Requests that have come meanwhile ask first: then it is one look for all of them.
        yield_now().await;
        let (questions, answers) = self.waiting().all();
        match look(questions).await {
            Ok(answer) => {
                let taken = take(&answer);
                *last = Some(Look { answer: Some(answer), answers });
                Ok(Some(taken))
            }
            Err(fault) => {
                *last = Some(Look { answer: None, answers });
                Err(fault)
            }
        }
    }

    /// A panic leaves it as it should be.
    fn waiting(&self) -> MutexGuard<'_, Waiting<Q>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q: Clone> Waiting<Q> {
    fn all(&self) -> (Vec<Q>, u64) {
        (self.questions.values().cloned().collect(), self.asked)
    }
}

/// A question for as long as somebody waits for its answer.
struct Question<'a, Q: Clone, A> {
    shared: &'a SharedLook<Q, A>,
    number: u64,
}

impl<'a, Q: Clone, A> Question<'a, Q, A> {
    fn ask(shared: &'a SharedLook<Q, A>, question: Q) -> Self {
        let mut waiting = shared.waiting();
        let number = waiting.asked;
        waiting.asked += 1;
        waiting.questions.insert(number, question);
        Self { shared, number }
    }
}

impl<Q: Clone, A> Drop for Question<'_, Q, A> {
    fn drop(&mut self) {
        self.shared.waiting().questions.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::fmt::Debug;

    use futures_util::future::{join_all, poll_immediate};
    use tokio::sync::Notify;
    use tokio::time::advance;

    use super::*;

    /// What each look was asked.
    #[derive(Default)]
    struct Looks {
        seen: RefCell<Vec<Vec<u32>>>,
        go_on: Notify,
    }

    impl Looks {
        /// Answers when it is told to, with the number of the look; the question 13 has it fail.
        async fn look(&self, questions: Vec<u32>) -> Result<usize, &'static str> {
            let fails = questions.contains(&13);
            self.seen.borrow_mut().push(questions);
            let number = self.seen.borrow().len();
            self.go_on.notified().await;
            if fails { Err("failed") } else { Ok(number) }
        }

        async fn ask(&self, shared: &SharedLook<u32, usize>, question: u32) -> Result<Option<usize>, &'static str> {
            shared.ask(question, |questions| self.look(questions), |number| *number).await
        }
    }

    /// Polls until a look is under way: who asks lets others ask first.
    async fn begin(asking: &mut (impl Future<Output: Debug> + Unpin)) {
        for _ in 0..2 {
            let told = poll_immediate(&mut *asking).await;
            assert!(told.is_none(), "{told:?}");
        }
    }

    #[tokio::test]
    async fn those_who_ask_before_a_look_begins_share_it() {
        let (shared, looks) = (SharedLook::new(), Looks::default());
        looks.go_on.notify_one();
        let told = join_all((0..5).map(|question| looks.ask(&shared, question))).await;
        assert_eq!(told, [Ok(Some(1)); 5]);
        assert_eq!(*looks.seen.borrow(), [vec![0, 1, 2, 3, 4]]);
    }

    #[tokio::test]
    async fn those_who_ask_while_a_look_is_under_way_share_the_next() {
        let (shared, looks) = (SharedLook::new(), Looks::default());
        let mut first = Box::pin(looks.ask(&shared, 0));
        begin(&mut first).await;
        let mut others = Box::pin(join_all((1..5).map(|question| looks.ask(&shared, question))));
        assert_eq!(poll_immediate(&mut others).await, None);
        looks.go_on.notify_one();
        assert_eq!(first.await, Ok(Some(1)));
        looks.go_on.notify_one();
        assert_eq!(others.await, [Ok(Some(2)); 4]);
        assert_eq!(*looks.seen.borrow(), [vec![0], vec![1, 2, 3, 4]]);
        assert!(shared.waiting().questions.is_empty());
    }

    #[tokio::test]
    async fn where_nobody_waits_for_a_look_the_next_one_looks() {
        let (shared, looks) = (SharedLook::new(), Looks::default());
        let mut given_up = Box::pin(looks.ask(&shared, 0));
        begin(&mut given_up).await;
        let mut next = Box::pin(looks.ask(&shared, 1));
        assert_eq!(poll_immediate(&mut next).await, None);
        drop(given_up);
        looks.go_on.notify_one();
        assert_eq!(next.await, Ok(Some(2)));
        looks.go_on.notify_one();
        assert_eq!(looks.ask(&shared, 2).await, Ok(Some(3)));
        assert_eq!(*looks.seen.borrow(), [vec![0], vec![1], vec![2]]);
        assert!(shared.waiting().questions.is_empty());
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_look_is_an_answer_to_who_looks_and_not_waited_for_by_others() {
        let (shared, looks) = (SharedLook::new(), Looks::default());
        let mut slow = Box::pin(looks.ask(&shared, 0));
        begin(&mut slow).await;
        let mut other = Box::pin(looks.ask(&shared, 1));
        assert_eq!(poll_immediate(&mut other).await, None);
        advance(PATIENCE).await;
        assert_eq!(other.await, Ok(None));
        advance(10 * PATIENCE).await;
        looks.go_on.notify_one();
        assert_eq!(slow.await, Ok(Some(1)));
        assert!(shared.waiting().questions.is_empty());
    }

    #[tokio::test]
    async fn a_look_that_fails_fails_for_who_looked_alone() {
        let (shared, looks) = (SharedLook::new(), Looks::default());
        let mut before = Box::pin(looks.ask(&shared, 0));
        begin(&mut before).await;
        let mut failing = Box::pin(join_all([13, 1].map(|question| looks.ask(&shared, question))));
        assert_eq!(poll_immediate(&mut failing).await, None);
        looks.go_on.notify_one();
        assert_eq!(before.await, Ok(Some(1)));
        looks.go_on.notify_one();
        assert_eq!(failing.await, [Err("failed"), Ok(None)]);
        looks.go_on.notify_one();
        assert_eq!(looks.ask(&shared, 2).await, Ok(Some(3)));
    }
}
