-- One statement, so all records are from the same snapshot. A person outside of the household gets no records. `?3` names
-- the kinds to load, each with the id of the only record that is needed, or NULL.
SELECT json_group_object(kind, json(records)) FROM (
    SELECT kind, json_group_array(json(record)) AS records
    FROM family_record JOIN json_each(?3) AS need ON need.key = kind AND (need.value IS NULL OR need.value = family_record.id)
    WHERE household = ?1 AND EXISTS (SELECT 1 FROM person WHERE id = ?2 AND household = ?1)
    GROUP BY kind
)
