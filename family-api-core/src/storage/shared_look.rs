//! Looks at what others may change at any moment, each shared by those who wait for one.

use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Mutex as AsyncMutex;

/// Answers questions by looks, one after the other: whoever asks while one is under way shares the next. So an answer is
/// what was there at some moment after its question, and many who ask at once cost little more than one.
pub(super) struct SharedLook<Q, A> {
    waiting: Mutex<Waiting<Q>>,
    last: AsyncMutex<Option<Look<A>>>,
}

struct Waiting<Q> {
    /// Those that no look has answered.
    questions: Vec<Q>,
    /// How many were asked, ever.
    asked: u64,
}

struct Look<A> {
    answer: A,
    /// How many had been asked before it: it is an answer to them.
    answers: u64,
}

impl<Q: Clone, A> SharedLook<Q, A> {
    pub(super) fn new() -> Self {
        let waiting = Waiting { questions: Vec::new(), asked: 0 };
        Self { waiting: Mutex::new(waiting), last: AsyncMutex::new(None) }
    }

    /// Takes its answer from a look that began after the call. `look` is given the questions of all who wait; where
    /// nobody waits for it any more, the next of them looks instead.
    pub(super) async fn ask<T, F>(&self, question: Q, look: impl FnOnce(Vec<Q>) -> F, take: impl FnOnce(&A) -> T) -> T
    where
        F: Future<Output = A>,
    {
        let number = self.waiting().ask(question);
        let mut last = self.last.lock().await;
        if let Some(last) = last.as_ref().filter(|last| number < last.answers) {
            return take(&last.answer);
        }
        let (questions, answers) = self.waiting().all();
        let answer = look(questions).await;
        self.waiting().answered(answers);
        take(&last.insert(Look { answer, answers }).answer)
    }

    /// A panic leaves it as it was or as it should be.
    fn waiting(&self) -> MutexGuard<'_, Waiting<Q>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<Q: Clone> Waiting<Q> {
    /// The number of the question.
    fn ask(&mut self, question: Q) -> u64 {
        self.questions.push(question);
        self.asked += 1;
        self.asked - 1
    }

    fn all(&self) -> (Vec<Q>, u64) {
        (self.questions.clone(), self.asked)
    }

    /// So many are answered, of all that were asked.
    fn answered(&mut self, answers: u64) {
        let later = usize::try_from(self.asked - answers).unwrap_or(usize::MAX);
        let answered = self.questions.len().saturating_sub(later);
        self.questions.drain(..answered);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use futures_util::future::{join_all, poll_immediate};
    use tokio::sync::Notify;

    use super::*;

    /// What each look was asked.
    #[derive(Default)]
    struct Looks {
        seen: RefCell<Vec<Vec<u32>>>,
        go_on: Notify,
    }

    impl Looks {
        /// Answers when it is told to, with the number of the look.
        async fn look(&self, questions: Vec<u32>) -> usize {
            self.seen.borrow_mut().push(questions);
            let number = self.seen.borrow().len();
            self.go_on.notified().await;
            number
        }
    }

    #[tokio::test]
    async fn those_who_ask_while_a_look_is_under_way_share_the_next() {
        let (shared, looks) = (SharedLook::new(), Looks::default());
        let ask = |question| shared.ask(question, |questions| looks.look(questions), |number| *number);
        let mut first = Box::pin(ask(0));
        assert_eq!(poll_immediate(&mut first).await, None);
        let mut others = Box::pin(join_all((1..5).map(ask)));
        assert_eq!(poll_immediate(&mut others).await, None);
        looks.go_on.notify_one();
        assert_eq!(first.await, 1);
        looks.go_on.notify_one();
        assert_eq!(others.await, [2; 4]);
        assert_eq!(*looks.seen.borrow(), [vec![0], vec![1, 2, 3, 4]]);
        assert!(shared.waiting().questions.is_empty());
    }

    #[tokio::test]
    async fn where_nobody_waits_for_a_look_the_next_one_looks() {
        let (shared, looks) = (SharedLook::new(), Looks::default());
        let ask = |question| shared.ask(question, |questions| looks.look(questions), |number| *number);
        let mut given_up = Box::pin(ask(0));
        assert_eq!(poll_immediate(&mut given_up).await, None);
        let mut next = Box::pin(ask(1));
        assert_eq!(poll_immediate(&mut next).await, None);
        drop(given_up);
        looks.go_on.notify_one();
        assert_eq!(next.await, 2);
        looks.go_on.notify_one();
        assert_eq!(ask(2).await, 3);
        assert_eq!(*looks.seen.borrow(), [vec![0], vec![0, 1], vec![2]]);
        assert!(shared.waiting().questions.is_empty());
    }
}
