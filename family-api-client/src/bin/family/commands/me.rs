//! `family me`

use crate::context::Context;
use crate::failure::Failure;

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    context.output.print_response(context.client()?.profile().get(), None)
}
