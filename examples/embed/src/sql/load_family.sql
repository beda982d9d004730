-- One statement, so all records are from the same snapshot. A person outside of the household gets no records.
SELECT json_group_object(kind, json(records)) FROM (
    SELECT kind, json_group_array(json(record)) AS records
    FROM family_record
    WHERE household = ?1 AND EXISTS (SELECT 1 FROM person WHERE id = ?2 AND household = ?1)
        AND kind IN (SELECT kind FROM resource_kind WHERE resource = ?3)
    GROUP BY kind
)
