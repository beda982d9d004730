-- Keeps the later time of use, because two processes can write the uses of a key in any order.
UPDATE api_key SET used = ?2
WHERE digest IN (SELECT unhex(value) FROM json_each(?1)) AND (used IS NULL OR used < ?2)
