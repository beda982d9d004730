-- The user who alone sees a deleted record: the creator of a private task, or the user who added a private item. These
-- records are deleted with the user, because another user can get the id.
ALTER TABLE deleted_records ADD COLUMN owner_user_id TEXT COLLATE "C" GENERATED ALWAYS AS (
    CASE WHEN record::json ->> 'isPrivate' = 'true'
        THEN coalesce(record::json ->> 'creatorId', record::json ->> 'addedById')
    END
) STORED;
