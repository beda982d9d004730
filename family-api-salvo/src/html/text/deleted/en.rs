//! The texts in English.

use super::DeletedText;

pub(in super::super) const TEXT: DeletedText = DeletedText {
    name: "Recently deleted",
    title: "Things that were deleted in the last 30 days",
    explanation: "Tasks, events, shopping items and notes that you, your family or an assistant deleted. What \
                  you bring back is as it was before.",
    empty: "There is nothing to bring back.",
    no_family: "You do not belong to a family yet, so there is nothing to bring back.",
    task: "Task",
    note: "Note",
    event: "Event",
    shopping_item: "Shopping item",
    untitled: "Without a title",
    deleted: "Deleted",
    until: "Can come back until",
    bring_back: "Bring back",
    brought_back: "“{name}” is back.",
    more: "Show more",
    signed_out: "You are no longer signed in, and nothing was changed. Sign in again, then come back to this page.",
    not_found: "This can no longer be brought back. It was deleted too long ago, or the list or board that it \
                was on is gone.",
    limit_reached: "There is no room for it. Delete something of the same kind that you no longer need, and try \
                    again.",
};
