//! The clients: assistants that ask for access. None of them is stored.

mod resolver;

pub(crate) use resolver::{ClientError, ClientResolver, ResolvedClient};
