-- Upper bounds of the numbers of tasks, notes, events and shopping items of a family. A record counts once, and once more
-- for each full 4 KiB of its text. NULL: unknown, for example after an import. Each write of the service adds what it
-- counts. It counts the records only if the bound is NULL or has reached the limit, and then replaces the bound by the
-- count.
ALTER TABLE families
    ADD COLUMN tasks_bound BIGINT,
    ADD COLUMN notes_bound BIGINT,
    ADD COLUMN events_bound BIGINT,
    ADD COLUMN shopping_items_bound BIGINT;
