-- The user who alone sees a deleted record: the creator of a private task, or the user who added a private item. These
-- records are deleted with the user, because another user can get the id.
ALTER TABLE deleted_records ADD COLUMN owner_user_id TEXT GENERATED ALWAYS AS (
    CASE WHEN record ->> 'isPrivate' THEN coalesce(record ->> 'creatorId', record ->> 'addedById') END
) VIRTUAL;

CREATE INDEX deleted_records_of_owner ON deleted_records (owner_user_id, family_id) WHERE owner_user_id IS NOT NULL;
