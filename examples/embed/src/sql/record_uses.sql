-- Never moves backwards: if two nodes write in any order, the later use is kept.
UPDATE api_key SET used = ?2
WHERE digest IN (SELECT unhex(value) FROM json_each(?1)) AND (used IS NULL OR used < ?2)
