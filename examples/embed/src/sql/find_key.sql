SELECT k.record, k.revoked, k.person, p.record
FROM key_record k LEFT JOIN profile_record p ON p.person = k.person
WHERE k.digest = ?1
